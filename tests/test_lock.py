"""Pinned names of downloads for builds and tests.

The hashes of all packages that the tests need are there, and of the versions of constraints.txt.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
LOCK = REPOSITORY / ".ci" / "packages.lock"
#: Whose files depend on the index that is asked, for processors or for graphics cards.
WITHOUT = {"torch"}


def versions(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([\w.+]+)", text, re.MULTILINE))


@pytest.mark.skipif(not LOCK.is_file(), reason="these are not the sources of the repository")
def test_hashes_are_those_of_the_versions_that_are_tested() -> None:
    text = LOCK.read_text(encoding="utf-8")
    wanted = versions((REPOSITORY / "constraints.txt").read_text(encoding="utf-8"))
    locked = versions(text)
    assert wanted.keys() - locked.keys() == WITHOUT, "run python .ci/lock.py"
    assert {name: locked[name] for name in wanted if name in locked} == {
        name: version for name, version in wanted.items() if name not in WITHOUT
    }, "run python .ci/lock.py"
    packages = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert len(packages) == len(locked)
    for package in packages:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", package), package
    assert not re.search(r"--hash=(?!sha256:[0-9a-f]{64}(?: \\)?$)", text, re.MULTILINE)


@pytest.mark.skipif(not LOCK.is_file(), reason="these are not the sources of the repository")
def test_actions_are_commits_and_no_two_indexes_are_mixed() -> None:
    workflows = sorted((REPOSITORY / ".github" / "workflows").iterdir())
    used = [line for file in workflows for line in re.findall(r"uses: (.*)", file.read_text())]
    assert used
    for action in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
    # CI takes packages from either by their hashes.
    dockerfile = (REPOSITORY / "Dockerfile").read_text()
    assert not re.search(r"extra.index.url", dockerfile, re.IGNORECASE)


@pytest.mark.skipif(not LOCK.is_file(), reason="these are not the sources of the repository")
def test_the_image_is_built_on_a_digest() -> None:
    dockerfile = (REPOSITORY / "Dockerfile").read_text()
    assert re.search(r"^ARG BASE=python:3\.\d+-slim@sha256:[0-9a-f]{64}$", dockerfile, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)) == {"$BASE"}
