"""Guards as JSON files.

A file names its method with the options; what it may not decide by itself (see ``compsim.trust``)
must be given again by whoever opens it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from compsim.errors import DataError, InputError
from compsim.guard.calibration import FORMAT, Calibration
from compsim.storage.files import write_json
from compsim.storage.reading import expanded, parse_json, read_text
from compsim.trust import check

if TYPE_CHECKING:
    from compsim.guard.guard import Guard

__all__ = ["StoredGuard", "read_guard", "save_guard"]

_FORM: Final = "compsim guard"
_AGAIN: Final = "fit it again and save it"


@dataclass(frozen=True)
class StoredGuard:
    """Content of a guard's file, with the options that were given to open it."""

    file: Path
    method: str
    options: dict[str, Any]
    max_false: float
    max_missed: float
    calibration: Calibration

    def checked(self, kind: str) -> Calibration:
        """Return the calibration; raises ``DataError`` where the method is of another kind."""
        if self.calibration.kind != kind:
            raise DataError(
                f"{self.file} was fitted for a method of kind {self.calibration.kind!r} and "
                f"{self.method!r} is of kind {kind!r} here: {_AGAIN}, or load it with the options "
                "that it was fitted with"
            )
        return self.calibration


def save_guard(guard: Guard, path: str | Path) -> None:
    """Write a guard; see ``Guard.save``."""
    options = guard.method._options
    if not all(isinstance(value, str | int | float | None) for value in options.values()):
        raise InputError(
            "the method was made with an option that is no text or number: make the guard from "
            "the method's name to save it"
        )
    data = {
        _FORM: FORMAT,
        "method": guard.method.info.name,
        "options": options,
        "max_false": guard.max_false,
        "max_missed": guard.max_missed,
        "calibration": guard.calibration.to_dict(),
    }
    try:
        write_json(expanded(path), data)
    except OSError as error:
        raise DataError(f"{path} can not be written ({error}): name another file") from error


def read_guard(path: str | Path, options: dict[str, Any]) -> StoredGuard:
    """Read a file of a guard; see ``Guard.load``."""
    file = expanded(path)
    text = read_text(file, "give a file that Guard.save wrote")
    data = parse_json(text, str(file), _AGAIN)
    if not isinstance(data, dict) or data.get(_FORM) != FORMAT:
        raise DataError(f"{file} is no guard of this version of compsim: {_AGAIN}")
    try:
        method, stored = str(data["method"]), dict(data["options"])
        budgets = float(data["max_false"]), float(data["max_missed"])
        table = data["calibration"]
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{file} is no guard ({error}): {_AGAIN}") from error
    calibration = Calibration.of_dict(table, str(file))
    check(str(file), method, stored, list(options), "give them to Guard.load")
    return StoredGuard(file, method, {**stored, **options}, *budgets, calibration)
