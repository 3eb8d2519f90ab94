"""CheckList (Ribeiro et al. 2020, arXiv:2005.04118): question pairs that a suite of tests holds.

``qqp_suite.pkl`` of the authors' ``release_data.tar.gz`` is a pickle of their objects; it is read
as plain data (``pickled``), so that nothing in it can run. Of each test of the type MFT with labels
all pairs are taken, 1 being "the same"; tests of invariance and direction have no labels.
The kind of a pair is the capability that its test is of, such as Negation or SRL.

>>> import pickle, tempfile
>>> path = Path(tempfile.mkdtemp(), "qqp_suite.pkl")
>>> _ = path.write_bytes(pickle.dumps({}))
>>> is_checklist(path)
True
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from compsim.benchmarks.datasets.pickled import Thing, plain_data
from compsim.errors import DataError
from compsim.storage.reading import UNREADABLE, brief, open_plain, read_plain

__all__ = ["SUITE", "is_checklist", "read_checklist"]

#: The name of its suite of question pairs.
SUITE: Final = "qqp_suite.pkl"
#: The first byte of a pickle since Python 2.3.
_PICKLE: Final = b"\x80"
_LABELS: Final = {0: False, 1: True}
#: A file with more pairs repeats them: the suite has about 80,000.
_MOST: Final = 2_000_000
_MEND: Final = f"give {SUITE} of CheckList's release_data.tar.gz"


def is_checklist(path: str | Path) -> bool:
    """Return whether a file begins as a pickle does."""
    try:
        with open_plain(Path(path)) as file:
            return file.read(len(_PICKLE)) == _PICKLE
    except (OSError, ValueError):
        return False


def read_checklist(path: str | Path) -> Iterator[tuple[str, str, str, bool]]:
    """Yield the capability, both questions and the label of each pair of a suite.

    :param path: the pickle of a suite.
    :raises DataError: the file cannot be read, is no suite, or its pairs are not plain texts.
    """
    try:
        suite = plain_data(read_plain(Path(path)))
    except UNREADABLE as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{path} is no pickle of plain data ({reason}): {_MEND}") from error
    tests = _entries(suite.state.get("tests")) if isinstance(suite, Thing) else None
    if not tests:
        raise DataError(f"{path} holds no tests: {_MEND}")
    count = 0
    for name, test in tests.items():
        about = _entries(_entries(suite.state.get("info")).get(name))
        if not isinstance(test, Thing) or about.get("type", test.name[-3:]) != "MFT":
            continue
        kinds = (about.get("capability"), test.state.get("capability"), name)
        kind = next((kind for kind in kinds if kind and isinstance(kind, str)), "")
        for first, second, same in _pairs(test.state, f"{path}, test {brief(name)}"):
            count += 1
            if count > _MOST:
                raise DataError(f"{path} holds more than {_MOST:,} pairs: {_MEND}")
            yield kind, first, second, same
    if not count:
        raise DataError(f"{path} holds no test with labels of 0 and 1: {_MEND}")


def _entries(value: Any) -> dict[Any, Any]:
    """Return the entries of a dictionary, also of an ordered one; none of anything else."""
    result = value.entries if isinstance(value, Thing) else value
    return result if isinstance(result, dict) else {}


def _pairs(test: dict[Any, Any], where: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the pairs of a test that has labels; a case may be a pair or a list of pairs."""
    labels, cases = test.get("labels"), test.get("data")
    if labels is None:
        return
    if not isinstance(cases, list):
        raise DataError(f"{where}: its data is no list: {_MEND}")
    for i, case in enumerate(cases):
        label = labels
        if isinstance(labels, list):
            label = labels[i] if i < len(labels) else None
        if type(label) is not int or label not in _LABELS:
            raise DataError(f"{where}: the label of case {i} is not 0 or 1: {_MEND}")
        for pair in case if isinstance(case, list) else [case]:
            if not (
                isinstance(pair, tuple | list)
                and len(pair) == 2
                and all(isinstance(text, str) and text.strip() for text in pair)
            ):
                raise DataError(f"{where}: case {i} is no pair of texts: {_MEND}")
            yield pair[0], pair[1], _LABELS[label]
