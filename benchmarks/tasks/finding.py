"""The data in a folder and below that evaluations read, told by what files hold.

Each file's first line, or the files that a folder holds, say which reader to ask; whether it can be
read is said by the reader, when the evaluation is made.

>>> import tempfile
>>> place = Path(tempfile.mkdtemp(), "contrasts.tsv")
>>> _ = place.write_text("phenomenon\\tsentence\\tsame\\tother\\npassive\\ta\\tb\\tc\\n")
>>> result = find(place.parent, ["contrasts"], {"methods": "mean-cn"})
>>> [(one.task, one.label) for one in result.data]
[('contrasts', 'contrasts.tsv')]
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from compsim.errors import CompsimError, DataError

if TYPE_CHECKING:
    from compsim.benchmarks.task import Task

__all__ = ["KINDS", "Found", "Search", "find"]

#: The evaluations of methods that are looked for, and what their data looks like.
KINDS: Final = {
    "sts3k": "a copy of compositional-semantics-eval",
    "sts": "files of rated sentence pairs",
    "contrasts": "a TSV file of phenomenon, sentence, same, other",
    "triples": "files of SugarCrepe++, SemAntoNeg, Sentence Smith or EventsAdapt",
    "pairs": "files of PAWS, HANS, Levy/Holt or CheckList, or of kind, first, second, same",
    "sr": "CSV files of sentence1, relation, relationscore, structure, structurescore",
    "modifiers": "CSV files of adjectives by class",
    "evalrank": "a folder with sent_evalrank or word_evalrank",
    "analogies": "TSV files of two sentences, or of two and five changed forms",
    "sugarcrepe": "JSON files of caption and negative_caption",
    "bamboo": "a copy of bamboo-amr-benchmark, or its archive",
    "rerank": "a folder of BEIR, Cranfield's, or EWT with PropBank",
}
#: Settings that take minutes, not hours.
_FIRST_ITEMS: Final = 500
_QUESTIONS: Final = 10_000
_STAGE: Final = "bm25@50"
#: Everyday nouns that take most adjectives, for lists of adjectives that have none.
_NOUNS: Final = "house, teacher, song, garden, machine, letter"
#: A table of pairs that is larger than this is no relation of analogies.
_LARGE: Final = 5_000_000
#: The beginning of a file that tells what it is, in characters.
_BEGINNING: Final = 4096
_TABLES: Final = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson")
#: Splits whose name has this are for training where the same folder has others.
_TRAINING: Final = "train"


class Found(NamedTuple):
    """Data of one evaluation: its name, what the data is called, and what makes the task."""

    task: str
    label: str
    make: Callable[[], Task | list[Task]]


@dataclass
class Search:
    """Detected datasets in the order of ``KINDS``; for each other kind a line with the reason."""

    data: list[Found] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


class _Folder(NamedTuple):
    """A folder, its path below the one that is searched, and the files in it."""

    path: Path
    label: str
    files: list[Path]

    def of(self, file: Path) -> str:
        """Return the name of a file of this dataset."""
        return f"{self.label}/{file.name}" if self.label else file.name


def find(
    folder: str | Path,
    tasks: Sequence[str],
    options: Mapping[str, Any],
    nouns: str | None = None,
) -> Search:
    """Look through a folder and those below it.

    :param folder: where to look; what begins with a full stop is left out.
    :param tasks: names in ``KINDS``.
    :param options: what evaluations of methods take: ``methods``, and where they know it
        ``parser``, ``vectors``, ``normalize``, ``option``.
    :param nouns: for lists of adjectives that have none.
    :returns: the data; nothing of it is read but the beginning of files.
    :raises DataError: where there is no such folder.
    """
    root = Path(folder)
    if not root.is_dir():
        raise DataError(f"there is no folder {root}: give one with data of evaluations")
    folders = list(_folders(root))
    search = Search()
    for name in tasks:
        finder = _FINDERS[name]
        results = [one for here in folders for one in finder(here, dict(options), search)]
        if name == "modifiers":
            results = [one._replace(make=partial(_with_nouns, one.make, nouns)) for one in results]
        if name == "sugarcrepe" and results:
            results = _with_reference(results, folders, search)
        search.data += results
        if not results and not any(
            line.startswith(f"not run: {name}: ") for line in search.left_out
        ):
            search.left_out.append(f"not found: {name}: {KINDS[name]}")
    return search


def _folders(root: Path) -> Iterator[_Folder]:
    seen: set[Path] = set()
    for place, names, files in os.walk(root, followlinks=True):
        names[:] = sorted(name for name in names if not name.startswith("."))
        path = Path(place)
        if path.resolve() in seen:  # a link to a folder above would never end
            names.clear()
            continue
        seen.add(path.resolve())
        label = "" if path == root else path.relative_to(root).as_posix()
        yield _Folder(path, label, [path / name for name in sorted(files) if name[0] != "."])


def _name(here: _Folder) -> str:
    return here.label or here.path.resolve().name


def _sts3k(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.sts.sts3k import STS3K_FILES
    from compsim.benchmarks.tasks.similarity.sts3k import sts3k

    if (here.path / STS3K_FILES[0]).is_file():
        yield Found("sts3k", _name(here), partial(sts3k, here.path, **options))


def _sts(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.tasks.similarity.sts import sts

    files = list(_rated(here))
    for file in files:
        if not _for_training(file, files, "sts", here, search):
            yield Found("sts", here.of(file), partial(sts, str(file), **options))


def _for_training(
    file: Path, files: Sequence[Path], task: str, here: _Folder, search: Search
) -> bool:
    """Return whether a file is a split to train on, beside others; then it is left out."""
    train = _TRAINING in file.name.lower()
    if train and any(_TRAINING not in other.name.lower() for other in files):
        search.left_out.append(f"not run: {here.of(file)} ({task}): a split to train on")
        return True
    return False


def _rated(here: _Folder) -> Iterator[Path]:
    """Files of rated pairs; not those of STS3k and PAWS, which are evaluations of their own."""
    from compsim.benchmarks.datasets.pairs import PAWS
    from compsim.benchmarks.datasets.sts.formats import recognise
    from compsim.benchmarks.datasets.sts.opening import has_pairs
    from compsim.benchmarks.datasets.sts.sts3k import STS3K_FILES

    for file in here.files:
        if not set(_TABLES) & set(file.suffixes) or file.parts[-2:] == STS3K_FILES[0].parts:
            continue
        if tuple(_head(file, "\t")) in PAWS:
            continue
        if file.name.startswith("STS.input."):
            yield file
            continue
        line = _beginning(file).lstrip().split("\n", 1)[0]
        if recognise(line, file.name) is not None or has_pairs(line):
            yield file


def _contrasts(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.triples import CONTRASTS
    from compsim.benchmarks.tasks.minimal_pairs.contrasts import contrasts

    for file in here.files:
        if tuple(_head(file, "\t")) == CONTRASTS:
            yield Found("contrasts", here.of(file), partial(contrasts, file, **options))


def _triples(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.choices import is_choices
    from compsim.benchmarks.datasets.plausibility import is_plausibility
    from compsim.benchmarks.datasets.triples import MODIFICATIONS
    from compsim.benchmarks.tasks.minimal_pairs.triples import triples

    captions = [file for file in here.files if _captions(file) == "sugarcrepe-pp"]
    if captions:
        yield Found("triples", _name(here), partial(triples, captions, **options))
    for file in here.files:
        if file.suffix in (".json", ".jsonl") and is_choices(_beginning(file).split("\n")[0]):
            yield Found("triples", here.of(file), partial(triples, [file], **options))
        head = _head(file, ",")
        if set(MODIFICATIONS) <= set(head) or is_plausibility(",".join(head)):
            yield Found("triples", here.of(file), partial(triples, [file], **options))


def _pairs(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.checklist import SUITE
    from compsim.benchmarks.datasets.inference import inference_format
    from compsim.benchmarks.datasets.pairs import COLUMNS, PAWS
    from compsim.benchmarks.tasks.minimal_pairs.pairs import pairs

    files = [
        file
        for file in here.files
        for head in [tuple(_head(file, "\t"))]
        if head in (COLUMNS, *PAWS) or inference_format("\t".join(head)) or file.name == SUITE
    ]
    for file in files:
        if not _for_training(file, files, "pairs", here, search):
            yield Found("pairs", here.of(file), partial(pairs, [file], **options))


def _sr(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.sts.sr import COLUMNS, MORE_COLUMNS
    from compsim.benchmarks.tasks.minimal_pairs.sr import sr

    names = [
        file.stem for file in here.files if _head(file, ",", ".csv") in (COLUMNS, MORE_COLUMNS)
    ]
    if names:
        yield Found("sr", _name(here), partial(sr, here.path, ",".join(names), **options))


def _modifiers(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.modifiers.words import CLASSES
    from compsim.benchmarks.tasks.vectors.modifiers import modifiers

    tables = [file for file in here.files if file.suffix == ".csv"]
    classes = {name.lower() for name in CLASSES}
    if tables and len({file.stem.lower() for file in tables} & classes) > 1:
        yield Found("modifiers", _name(here), partial(modifiers, here.path, **options))
    for file in tables:
        if _head(file, ",")[:2] == ["class", "word"]:
            yield Found("modifiers", here.of(file), partial(modifiers, file, **options))


def _evalrank(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.ranking.evalrank import FOLDERS
    from compsim.benchmarks.tasks.ranking.evalrank import evalrank

    for level, name in FOLDERS.items():
        if any((here.path / name).glob("pos_pair*.txt*")):
            make = partial(evalrank, here.path, level, queries=_FIRST_ITEMS, **options)
            yield Found("evalrank", f"{_name(here)}, {level}s", make)


def _analogies(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.analogies.relations import read_relation
    from compsim.benchmarks.tasks.vectors.analogies import analogies

    names = []
    for file in here.files:
        if file.suffix == ".tsv" and file.stat().st_size < _LARGE:
            try:
                names.append(read_relation(file).name)
            except CompsimError:
                continue  # a table of something else
    if names:
        make = partial(analogies, here.path, ",".join(names), max_questions=_QUESTIONS, **options)
        yield Found("analogies", _name(here), make)


def _sugarcrepe(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.tasks.minimal_pairs.sugarcrepe import sugarcrepe

    for file in here.files:
        if _captions(file) == "sugarcrepe":
            yield Found("sugarcrepe", here.of(file), partial(sugarcrepe, [file], **options))


def _captions(file: Path) -> str:
    """Return which format of captions a file is in: SugarCrepe++ has paraphrases; "" for none."""
    beginning = _beginning(file) if file.suffix == ".json" else ""
    if '"caption"' in beginning and '"foil"' in beginning:
        return "sugarcrepe"  # VALSE
    if '"negative_caption"' not in beginning:
        return ""
    return "sugarcrepe-pp" if '"caption2"' in beginning else "sugarcrepe"


def _bamboo(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.tasks.similarity.bamboo import bamboo, is_bamboo

    known = {name: options[name] for name in ("methods", "vectors", "option") if name in options}
    archives = [file for file in here.files if file.suffix == ".zip"]
    for place in (here.path, *archives):
        if is_bamboo(place):
            label = _name(here) if place == here.path else here.of(place)
            yield Found("bamboo", label, partial(bamboo, place, **known))


def _rerank(here: _Folder, options: dict[str, Any], search: Search) -> Iterator[Found]:
    from compsim.benchmarks.datasets.ranking.collections import is_collection
    from compsim.benchmarks.datasets.ranking.role_contrast import is_role_contrast
    from compsim.benchmarks.tasks.ranking.rerank import rerank

    if is_collection(here.path):
        yield Found("rerank", _name(here), partial(rerank, here.path, first=_STAGE, **options))
    if is_role_contrast(here.path):
        make = partial(rerank, here.path, role_contrast=True, **options)
        yield Found("rerank", f"{_name(here)}, role contrasts", make)


_Finder = Callable[[_Folder, "dict[str, Any]", Search], Iterator[Found]]
_FINDERS: Final[dict[str, _Finder]] = {
    "sts3k": _sts3k,
    "sts": _sts,
    "contrasts": _contrasts,
    "triples": _triples,
    "pairs": _pairs,
    "sr": _sr,
    "modifiers": _modifiers,
    "evalrank": _evalrank,
    "analogies": _analogies,
    "sugarcrepe": _sugarcrepe,
    "bamboo": _bamboo,
    "rerank": _rerank,
}


def _with_nouns(make: Callable[..., Task | list[Task]], nouns: str | None) -> Task | list[Task]:
    """The task with its own nouns, with those given, or with ours."""
    if nouns is not None:
        return make(nouns=nouns)
    try:
        return make()
    except DataError as error:
        if "has no noun" not in str(error):
            raise
        return make(nouns=_NOUNS)


def _with_reference(
    results: Sequence[Found], folders: Sequence[_Folder], search: Search
) -> list[Found]:
    """Captions with rated pairs that tell what scores mean, ordinary ones where there are some."""
    files = [file for here in folders for file in _rated(here)]
    files.sort(key=lambda file: ("stsb" not in _form(file), _TRAINING in file.name.lower()))
    if not files:
        search.left_out.append("not run: sugarcrepe: no rated pairs that tell what scores mean")
        return []
    make: list[Callable[..., Task | list[Task]]] = [one.make for one in results]
    return [
        one._replace(make=partial(of, reference=str(files[0])))
        for one, of in zip(results, make, strict=True)
    ]


def _form(file: Path) -> str:
    from compsim.benchmarks.datasets.sts.formats import recognise

    return recognise(_beginning(file).lstrip().split("\n", 1)[0], file.name) or ""


def _head(file: Path, mark: str, suffix: str = "") -> list[str]:
    """The cells of a file's first line, none of a file with another ending."""
    if suffix and file.suffix != suffix:
        return []
    if not set(_TABLES) & set(file.suffixes):
        return []
    line = _beginning(file).split("\n", 1)[0].strip("\r")
    return [cell.strip().strip('"') for cell in line.split(mark)]


def _beginning(file: Path) -> str:
    """The first characters of a text, gzipped or not; "" of what is none."""
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            return stream.read(_BEGINNING).decode("utf-8-sig", errors="ignore")
    except (OSError, EOFError, zlib.error):
        return ""
