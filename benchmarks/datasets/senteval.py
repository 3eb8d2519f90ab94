"""Classification tasks in the files of SentEval (Conneau and Kiela 2018), and SciCite's.

``open_tasks`` looks through a folder and those below it for the files that SentEval's script of
``data/downstream`` writes, each gzipped or not: MR, CR, SUBJ, MPQA, SST2, SST5, TREC, MRPC, SICK-E,
the relatedness tasks SICK-R and STS-B; and SciCite as the authors of "Just Rank" have it. Files in
Latin-1, as older releases are, are read as well.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "custrev.pos").write_text("it works\\n")
>>> _ = (folder / "custrev.neg").write_text("it broke\\nso slow\\n")
>>> (task,) = open_tasks(folder)
>>> task.name, task.train.first, task.train.labels
('CR', ('it works', 'it broke', 'so slow'), ('1', '0', '0'))
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from compsim.benchmarks.datasets.tables import number
from compsim.errors import DataError, UnknownNameError
from compsim.storage.reading import parse_json, read_plain, read_text

__all__ = ["TASKS", "ClassificationTask", "Part", "open_tasks"]

#: A text, a second one or "", and a label.
Example = tuple[str, str, str]

_TREC: Final = ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM")
_ENTAILMENT: Final = ("NEUTRAL", "ENTAILMENT", "CONTRADICTION")
_CITED: Final = ("background", "method", "result")


class Part(NamedTuple):
    """The examples of a split: n first texts, n second ones or none at all, n labels."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        """The number of examples."""
        return len(self.labels)


@dataclass(frozen=True)
class ClassificationTask:
    """A task of one text or of pairs.

    ``levels`` are the lowest and the highest score of a relatedness task, whose labels are numbers;
    None where labels are names. Without ``test`` the task is cross-validated; without ``dev`` the
    penalty is chosen on folds of ``train``. ``note`` says what stands in for what is not there.
    """

    name: str
    train: Part
    dev: Part | None = None
    test: Part | None = None
    levels: tuple[int, int] | None = None
    source: str = ""
    note: str = ""

    def parts(self) -> list[Part]:
        """The splits that there are."""
        return [part for part in (self.train, self.dev, self.test) if part is not None]

    def sentences(self) -> list[str]:
        """All texts, each once, in order of first use."""
        return list(dict.fromkeys(t for part in self.parts() for t in (*part.first, *part.second)))

    @property
    def checksum(self) -> str:
        """SHA-256 of the examples, 64 hexadecimal digits."""
        parts = [list(part) for part in self.parts()]
        return hashlib.sha256(json.dumps([self.name, parts]).encode()).hexdigest()


class _Form(NamedTuple):
    """The published form of a task: its files by split, and what reads a line.

    ``sides`` are files of one label each. ``lines`` raises ``ValueError`` for what is malformed;
    ``header``: the first line has names of columns. ``levels`` as of ``ClassificationTask``.
    """

    files: Mapping[str, str]
    line: Callable[[str], Example]
    header: bool = False
    sides: Mapping[str, str] = {}
    levels: tuple[int, int] | None = None


def _labelled_last(line: str) -> Example:
    text, label = line.split("\t")
    return text, "", _one_of(label, "01")


def _labelled_first(line: str) -> Example:
    label, _, text = line.partition(" ")
    if "\t" in text:
        raise ValueError("there is a tab, as in SST2's files")
    return text, "", _one_of(label, "01234")


def _question(line: str) -> Example:
    label, _, rest = line.partition(":")
    return rest.partition(" ")[2], "", _one_of(label, _TREC)


def _paraphrase(line: str) -> Example:
    label, _, _, first, second = line.split("\t")[:5]
    return first, second, _one_of(label, "01")


def _sick(line: str, column: int) -> Example:
    cells = line.split("\t")
    label = cells[column].strip()
    if column == 4:
        return cells[1], cells[2], _one_of(label, _ENTAILMENT)
    return cells[1], cells[2], _score(label, 1, 5)


def _rated(line: str) -> Example:
    cells = line.split("\t")
    return cells[5], cells[6], _score(cells[4], 0, 5)


def _citation(line: str) -> Example:
    record = parse_json(line, "a line", "give JSON, one object a line")
    text = record.get("text", record.get("string")) if isinstance(record, dict) else None
    if not isinstance(text, str):
        raise ValueError("no text and label")
    return text, "", _one_of(str(record.get("label", "")), _CITED)


def _one_of(label: str, labels: Sequence[str]) -> str:
    if (label := label.strip()) not in tuple(labels):
        raise ValueError(f"the label {label!r} is none of {', '.join(labels)}")
    return label


def _score(text: str, low: int, high: int) -> str:
    value = number(text)
    if value is None or not low <= value <= high:
        raise ValueError(f"the score {text!r} is no number from {low} to {high}")
    return text


def _text(line: str, label: str) -> Example:
    return line, "", label


def _sides(positive: str, negative: str) -> _Form:
    return _Form({}, partial(_text, label=""), sides={positive: "1", negative: "0"})


_SST: Final = {part: f"sentiment-{part}" for part in ("train", "dev", "test")}
_SICK: Final = {
    "train": "SICK_train.txt",
    "dev": "SICK_trial.txt",
    "test": "SICK_test_annotated.txt",
}
_STSB: Final = {part: f"sts-{part}.csv" for part in ("train", "dev", "test")}

#: How each task is published, in the order of its column.
_FORMS: Final = {
    "MR": _sides("rt-polarity.pos", "rt-polarity.neg"),
    "CR": _sides("custrev.pos", "custrev.neg"),
    "SUBJ": _sides("subj.objective", "subj.subjective"),
    "MPQA": _sides("mpqa.pos", "mpqa.neg"),
    "SST2": _Form(_SST, _labelled_last),
    "SST5": _Form(_SST, _labelled_first),
    "TREC": _Form({"train": "train_5500.label", "test": "TREC_10.label"}, _question),
    "MRPC": _Form(
        {"train": "msr_paraphrase_train.txt", "test": "msr_paraphrase_test.txt"},
        _paraphrase,
        header=True,
    ),
    "SICK-E": _Form(_SICK, partial(_sick, column=4), header=True),
    "SICK-R": _Form(_SICK, partial(_sick, column=3), header=True, levels=(1, 5)),
    "STS-B": _Form(_STSB, _rated, levels=(0, 5)),
    "SciCite": _Form({part: f"{part}.txt" for part in ("train", "dev", "test")}, _citation),
}
#: The names of the tasks that can be read.
TASKS: Final = tuple(_FORMS)


def open_tasks(folder: str | Path, names: Sequence[str] = ()) -> list[ClassificationTask]:
    """Read the tasks whose files lie in a folder or below it.

    Args:
        folder: A copy of SentEval's ``data/downstream``, or any folder with files named alike.
        names: The tasks to read, in any case; by default all that are there.

    Returns:
        The tasks, in the order of ``TASKS``, at least one.

    Raises:
        DataError: There is no such folder, it has none of the tasks or not one that was named, or
            a line of a file is malformed.
        UnknownNameError: There is no task of a name.
    """
    root = Path(folder)
    if not root.is_dir():
        raise DataError(f"there is no folder {root}: give SentEval's data/downstream")
    known = {name.lower(): name for name in TASKS}
    if bad := [name for name in names if name.lower() not in known]:
        raise UnknownNameError(f"there is no task {bad[0]!r}: choose from {', '.join(TASKS)}")
    asked = {known[name.lower()] for name in names}
    places = [place for place in (root, *sorted(root.rglob("*"))) if place.is_dir()]
    tasks = []
    for name, form in _FORMS.items():
        if asked and name not in asked:
            continue
        task = next(filter(None, (_task(name, form, place) for place in places)), None)
        if task is not None:
            tasks.append(task)
        elif asked:
            wanted = ", ".join(form.sides or form.files.values())
            raise DataError(f"{root} and the folders below have no {name}: put {wanted} there")
    if not tasks:
        raise DataError(f"{root} has the files of none of {', '.join(TASKS)}: give another folder")
    return tasks


def _task(name: str, form: _Form, place: Path) -> ClassificationTask | None:
    """The task that a folder holds, None where its files are not there."""
    if form.sides:
        files = [(_file(place, file), label) for file, label in form.sides.items()]
        if any(file is None for file, _ in files):
            return None
        examples = [
            example
            for file, label in files
            if file is not None
            for example in _examples(file, form._replace(line=partial(_text, label=label)))
        ]
        return ClassificationTask(name, _part(examples), source=str(place))
    paths = {part: _file(place, file) for part, file in form.files.items()}
    if paths["train"] is None or (paths["test"] is None and paths.get("dev") is None):
        return None
    if not _is_of(paths["train"], form):
        return None
    read = {part: _part(list(_examples(p, form))) for part, p in paths.items() if p is not None}
    note = ""
    if "test" not in read:
        read["test"] = read.pop("dev")
        note = f"{name}: {form.files['test']} is not there: tested on {form.files['dev']}"
    train, dev, test = (read.get(part) for part in ("train", "dev", "test"))
    assert train is not None
    return ClassificationTask(name, train, dev, test, form.levels, str(place), note)


def _is_of(path: Path, form: _Form) -> bool:
    """Return whether a first example can be read: SST2 and SST5 have files of the same names."""
    try:
        next(_examples(path, form), None)
    except DataError:
        # Other tasks have names of their own, so that the error is worth telling.
        return path.name.partition(".")[0] not in ("sentiment-train", "train")
    return True


def _file(place: Path, name: str) -> Path | None:
    """A file of a folder, gzipped or not."""
    there = (place / name, place / f"{name}.gz")
    return next((path for path in there if path.is_file()), None)


def _part(examples: Sequence[Example]) -> Part:
    first, second, labels = zip(*examples, strict=True)
    return Part(first, second if any(second) else (), labels)


def _examples(path: Path, form: _Form) -> Iterator[Example]:
    """The examples of a file; raises ``DataError`` that names the line of what is malformed."""
    count = 0
    for line, text in enumerate(_lines(path), start=1):
        if not text.strip() or (form.header and line == 1):
            continue
        try:
            first, second, label = form.line(text)
        except (ValueError, IndexError) as error:
            reason = str(error) if isinstance(error, ValueError) else "it has too few columns"
            raise DataError(f"{path}, line {line}: {reason}: give SentEval's file") from error
        count += 1
        yield " ".join(first.split()), " ".join(second.split()), label
    if not count:
        raise DataError(f"{path} has no examples: give SentEval's file")


def _lines(path: Path) -> list[str]:
    """The lines of a file in UTF-8 or Latin-1; other separators of Unicode end no line."""
    try:
        text = read_text(path, "give SentEval's file")
    except DataError as error:
        if path.suffix == ".gz" or "is not UTF-8" not in str(error):
            raise
        text = read_plain(path).decode("latin-1")
    return text.replace("\r\n", "\n").split("\n")
