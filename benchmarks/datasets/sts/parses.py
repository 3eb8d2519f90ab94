"""Published parses of rated pairs, by row: those of the authors of STS3k.

Their repository has the role phrases and AMRs of STS3k, and those of the pilot set, GS2011 and the
captions of STSb beside it, each in files named after the file of pairs.

>>> ROLES["hand-fixed"].format("STS3k_all")
'full_VerbNet_pass_STS3k_all_mod.json'
>>> published_parses("STSb_captions_test.txt", "hand-fixed", 624)  # doctest: +SKIP
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from compsim.errors import DataError, InputError

if TYPE_CHECKING:
    from compsim.graph import RoleGraph

__all__ = ["AMR", "AMR_FOLDER", "ROLES", "ROLE_FOLDER", "SOURCE", "existing", "published_parses"]

#: Role parses by name: fixed by hand, by SemParse, by GPT-4; of STS3k alone the last.
ROLES: Final = {
    "hand-fixed": "full_VerbNet_pass_{}_mod.json",
    "semparse": "full_VerbNet_pass_{}_raw.json",
    "gpt4": "full_GPT4_pass_{}.json",
}
#: AMR parses by name: the files of the first and the second sentences.
AMR: Final = {"spring": ("{}_a_AMR_parse.txt", "{}_b_AMR_parse.txt")}

ROLE_FOLDER: Final = Path("Data-model", "Sentence Parses", "VerbNet Parsing")
AMR_FOLDER: Final = Path("Data-model", "Sentence Parses", "AMR Parsing")
#: Where the files of pairs lie.
_PAIRS: Final = "Data-experiment"
#: Where the files can be had.
SOURCE: Final = "https://github.com/bmmlab/compositional-semantics-eval"


def published_parses(
    pairs: str | Path, source: str | Path, count: int
) -> list[tuple[RoleGraph, RoleGraph]]:
    """Return the published parses of each pair of a file, in row order.

    :param pairs: the file of pairs in a copy of the authors' repository.
    :param source: a name in ``ROLES`` or ``AMR``, or the path of a file like those of the first.
    :param count: how many pairs there are.
    :returns: two graphs for each pair; a sentence may have another parse in another pair.
    :raises InputError: where the file is not of the authors' repository.
    :raises DataError: where there are no such parses, or they do not fit the pairs.
    """
    from compsim.parsers.files.stored_roles import StoredParser

    pairs, name = Path(pairs), str(source)
    root, stem = pairs.resolve().parent.parent, pairs.name.partition(".")[0]
    named = name in ROLES or name in AMR
    if named and pairs.resolve().parent.name != _PAIRS:
        raise InputError(
            f"there are no published parses of {pairs}: leave roles out, or give a file of pairs "
            f"in {_PAIRS} of a copy of {SOURCE}"
        )
    if name in AMR:
        return _meaning_graphs(root, stem, name, count)
    path = existing(root, ROLE_FOLDER / ROLES[name].format(stem)) if named else Path(source)
    result = StoredParser(path, pairs).pairs()
    if len(result) != count:
        raise DataError(
            f"{path} holds the roles of {len(result)} pairs and {pairs.name} has {count} here: "
            f"take both files from one copy of {SOURCE}"
        )
    return result


def existing(root: Path, file: Path) -> Path:
    """Return the path of a file of the repository. Raises ``DataError`` where it is missing."""
    path = root / file
    if not path.is_file():
        raise DataError(f"{root} has no {file}: fetch that file from {SOURCE}")
    return path


def _meaning_graphs(
    root: Path, stem: str, source: str, count: int
) -> list[tuple[RoleGraph, RoleGraph]]:
    from compsim.graph.penman_reader import read_amr

    files = [existing(root, AMR_FOLDER / name.format(stem)) for name in AMR[source]]
    first, second = (list(read_amr(file)) for file in files)
    for file, graphs in zip(files, (first, second), strict=True):
        if len(graphs) != count:
            raise DataError(
                f"{file} holds {len(graphs)} graphs and there are {count} pairs here: "
                f"take both files from one copy of {SOURCE}"
            )
    return list(zip(first, second, strict=True))
