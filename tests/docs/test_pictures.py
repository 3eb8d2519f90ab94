"""The pictures of the documentation show what the package computes now."""

from __future__ import annotations

import runpy
import warnings

import pytest
from pages import REPOSITORY

FOLDER = REPOSITORY / "docs" / "pictures"
MADE = runpy.run_path(str(FOLDER / "make.py"))


@pytest.mark.parametrize("name", MADE["PICTURES"])
def test_picture_is_what_its_recipe_draws(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawn = MADE["PICTURES"][name]()
    kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == kept, "run: python docs/pictures/make.py"


def test_no_picture_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(MADE["PICTURES"])
