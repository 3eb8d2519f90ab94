"""A method that says where it was opened, and a parser that kills its process, once."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toys import ToyParser, toy_vectors

from compsim.graph import RoleGraph
from compsim.rolesim.method import RoleSimMethod

#: The document that is the death of whoever parses it first.
DEADLY = "birds chase dogs sadly."


class MortalParser(ToyParser):
    """``ToyParser``; the first process that is given ``DEADLY`` dies as if it were killed."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        grave = Path(self.folder, "killed")
        if DEADLY in sentences and not grave.exists():
            grave.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().parse(sentences)


class MortalMethod(RoleSimMethod):
    """``verbnet-cn`` on toys; each time that it is opened, the process adds itself to a file."""

    def __init__(self, folder: str) -> None:
        super().__init__(parser=MortalParser(folder), vectors=toy_vectors())
        with Path(folder, "opened").open("a") as file:
            file.write(f"{os.getpid()}\n")


def opened_by(folder: Path) -> list[int]:
    """The processes that opened the method, each as often as it did."""
    return [int(line) for line in Path(folder, "opened").read_text().split()]


class FailingParser(ToyParser):
    """``ToyParser`` that breaks down on any text with a word."""

    def __init__(self, word: str, error: Exception) -> None:
        super().__init__()
        self.word, self.error = word, error

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        if any(self.word in sentence for sentence in sentences):
            raise self.error
        return super().parse(sentences)

    def __reduce__(self) -> tuple[Any, ...]:
        return FailingParser, (self.word, self.error)
