"""The page on the command line tells every command and every option as they are."""

from __future__ import annotations

import re
import runpy

from pages import REPOSITORY

COMMANDS = runpy.run_path(str(REPOSITORY / "docs" / "commands.py"))
PAGE = (REPOSITORY / "docs" / "command-line.md").read_text(encoding="utf-8")


def test_page_is_what_the_commands_say() -> None:
    head, _, kept = PAGE.partition(COMMANDS["BEGINNING"])
    assert kept.strip() == COMMANDS["written"]().strip(), "run: python docs/commands.py"
    # Each stands in the overview too.
    result = {re.split(r"[^\w-]", one)[0] for one in re.findall(r"`compsim ([^`]+)`", head)}
    assert {path[1] for path, _, _ in COMMANDS["every"]()} <= result


def test_every_option_says_what_it_does() -> None:
    silent = [
        f"{' '.join(path)} {name}"
        for path, command, context in COMMANDS["every"]()
        for name, (_, result) in COMMANDS["options"](command, context).items()
        if len(result) < 5
    ]
    assert not silent
