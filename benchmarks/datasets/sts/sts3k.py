"""STS3k as its authors publish it: pairs, ratings, splits and published role parses.

The folder is a copy of the repository ``bmmlab/compositional-semantics-eval``, or its parent.

>>> from compsim.benchmarks.datasets import open_sts3k
>>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> len(data), data.pairs[0].rating, len(data.parts["adv"])  # doctest: +SKIP
(2800, 0.073, 1601)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from compsim.benchmarks.datasets.sts.pairs import Dataset, SentencePair
from compsim.benchmarks.datasets.sts.parses import (
    AMR,
    AMR_FOLDER,
    ROLE_FOLDER,
    ROLES,
    SOURCE,
    existing,
    published_parses,
)
from compsim.benchmarks.datasets.tables import number
from compsim.errors import DataError
from compsim.storage.reading import read_text

if TYPE_CHECKING:
    from compsim.graph import RoleGraph

__all__ = [
    "PUBLISHED_AMR",
    "PUBLISHED_ROLES",
    "SIMILARITIES",
    "SOURCE",
    "STS3K_FILES",
    "STS3k",
    "open_sts3k",
]

_STEM: Final = "STS3k_all"

#: Role parses that come with the data, by name: fixed by hand, by SemParse, by GPT-4.
PUBLISHED_ROLES: Final = {name: file.format(_STEM) for name, file in ROLES.items()}

#: AMR parses that come with the data, by name: the files of the first and the second sentences.
PUBLISHED_AMR: Final = {name: tuple(f.format(_STEM) for f in files) for name, files in AMR.items()}

_REPOSITORY: Final = "compositional-semantics-eval"
_PAIRS: Final = Path("Data-experiment", "STS3k_all.txt")
_PARTICIPANTS: Final = Path("Data-experiment", "STS3k_all_participant_data.xlsx")
#: Row numbers, from 0, of each part but "all".
_PARTS: Final = {
    "non": Path("Data-experiment", "STS3k_non_adv_indices.txt"),
    "adv": Path("Data-experiment", "STS3k_adv_noneg_indices.txt"),
}
#: Where the similarities lie that the authors publish, one file for each of these models.
SIMILARITIES: Final = Path("Data-model", "Sentence Similarities")
_MODELS: Final = """\
    AMR S3BERT S3BERT_norml WLK_Wasser amrbart amrbart_norml conv defsent_cls defsent_cls_norml
    defsent_mean defsent_mean_norml dictBERT_norml ernie_0 ernie_0_norml ernie_12 ernie_12_norml
    ernie_5 ernie_5_norml ernie_large_12 ernie_large_12_norml ernie_large_24
    ernie_large_24_norml infersent mean mult openai openai_norml sentbert
    sentbert_ft_STS3k_trainset_4_epochs_norml sentbert_ft_STSb_trainset_4_epochs_norml
    sentbert_mpnet sentbert_mpnet_ft_10fold_4_epochs sentbert_mpnet_ft_10fold_4_epochs_norml
    sentbert_mpnet_ft_adversarial_4_epochs sentbert_mpnet_ft_adversarial_4_epochs_norml
    sentbert_mpnet_ft_traintest_4_epochs sentbert_mpnet_ft_traintest_4_epochs_norml
    sentbert_mpnet_norml sentbert_norml smatch universal universal_norml
    verbnet_conceptnet_fixedparms_basic verbnet_conceptnet_fixedparms_norm
    verbnet_fixedparms_basic verbnet_fixedparms_norm
"""

#: Every file of the authors' repository that is read here, what is needed most first.
STS3K_FILES: Final = (
    _PAIRS,
    *_PARTS.values(),
    *(ROLE_FOLDER / name for name in PUBLISHED_ROLES.values()),
    *(AMR_FOLDER / name for names in PUBLISHED_AMR.values() for name in names),
    *(SIMILARITIES / f"STS3k_all_{model}_similarities.txt" for model in _MODELS.split()),
    _PARTICIPANTS,
)


@dataclass(frozen=True)
class STS3k(Dataset):
    """The rated pairs of STS3k, and the rows of each part.

    Attributes:
        parts: "all"; "non", the non-adversarial pairs; "adv", the adversarial ones without the
            Negative pairs, which is the paper's STS3k-adv.
        folder: Where the copy of the repository lies.

    Examples:
        >>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
        >>> len(data.parts["adv"])  # doctest: +SKIP
        680
    """

    folder: Path = Path()

    def roles(self, source: str | Path) -> list[tuple[RoleGraph, RoleGraph]]:
        """The published parses of each pair, in row order.

        Args:
            source: A name in ``PUBLISHED_ROLES`` or ``PUBLISHED_AMR``, or the path of a file like
                those of the first.

        Returns:
            Two graphs for each pair. A sentence may have another parse in another pair.

        Raises:
            DataError: A row is missing.
        """
        return published_parses(self.folder / _PAIRS, source, len(self))

    @property
    def ratings_file(self) -> Path | None:
        """Every participant's ratings, from 1 to 7; None where they are not here."""
        path = self.folder / _PARTICIPANTS
        return path if path.is_file() else None


def open_sts3k(folder: str | Path) -> STS3k:
    """Read the pairs, their ratings and the splits of STS3k.

    Args:
        folder: A copy of the authors' repository.

    Returns:
        The data.

    Raises:
        DataError: A file is missing or malformed (the message names file and line): other than
            three fields, a rating that is no finite number, a row number out of range or given
            twice, fewer than three pairs.

    Examples:
        >>> data = open_sts3k("DATA")  # doctest: +SKIP
    """
    root = _root(Path(folder))
    pairs = _read_pairs(existing(root, _PAIRS))
    parts = {"all": tuple(range(len(pairs)))}
    _check_size(root / _PAIRS, len(pairs))
    for name, file in _PARTS.items():
        parts[name] = _read_rows(existing(root, file), len(pairs))
        _check_size(root / file, len(parts[name]))
    return STS3k("STS3k", pairs, parts, SOURCE, folder=root)


def _root(folder: Path) -> Path:
    if not folder.is_dir():
        raise DataError(f"there is no folder {folder}: give the folder of a copy of {SOURCE}")
    for root in (folder, folder / _REPOSITORY):
        if any((root / part.parts[0]).is_dir() for part in (_PAIRS, ROLE_FOLDER)):
            return root
    raise DataError(
        f"{folder} holds no {_PAIRS.parts[0]} or {ROLE_FOLDER.parts[0]} and no folder "
        f"{_REPOSITORY}: give the folder of a copy of {SOURCE}"
    )


def _check_size(path: Path, count: int) -> None:
    if count < 3:
        raise DataError(
            f"{path} gives {count} pairs, and a correlation needs 3 or more: "
            f"fetch the file again from {SOURCE}"
        )


def _lines(path: Path) -> list[str]:
    """The lines of a file without the blank ones at its end."""
    text = read_text(path, f"fetch it again from {SOURCE}")
    return text.rstrip().split("\n") if text.strip() else []


def _read_pairs(path: Path) -> tuple[SentencePair, ...]:
    pairs = []
    for place, line in enumerate(_lines(path), start=1):
        fields = [field.strip() for field in line.split(";")]
        if len(fields) != 3 or not all(fields):
            raise DataError(f"{path}, line {place}: not s1;s2;score: fetch it again from {SOURCE}")
        rating = number(fields[2])
        if rating is None or not math.isfinite(rating):
            raise DataError(
                f"{path}, line {place}: the rating {fields[2]!r} is not a number: "
                f"fetch the file again from {SOURCE}"
            )
        pairs.append(SentencePair(fields[0], fields[1], rating))
    return tuple(pairs)


def _read_rows(path: Path, count: int) -> tuple[int, ...]:
    rows: dict[int, None] = {}
    for place, line in enumerate(_lines(path), start=1):
        text = line.strip()
        if not text.isdecimal() or int(text) >= count or int(text) in rows:
            raise DataError(
                f"{path}, line {place}: {text!r} is not a row number from 0 to {count - 1}, each "
                f"given once: take it and {_PAIRS.name} from one copy of {SOURCE}"
            )
        rows[int(text)] = None
    return tuple(rows)
