"""What is said of concepts beside relations: the table, its packing, and the conflicts it makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim import load
from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.features import BITS, FEATURES, MASK, FeatureTable, _table
from compsim.errors import DataError

TABLE = FeatureTable.open()
VALUES = {name: list(TABLE.plain[name]) for name in FEATURES}


@given(st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()}))
def test_a_packed_number_holds_every_value(features: dict[str, str]) -> None:
    packed = TABLE.pack(features)
    for name, value in features.items():
        assert VALUES[name][(packed >> BITS * FEATURES.index(name)) & MASK] == value


def test_what_is_not_in_the_table_says_nothing() -> None:
    assert TABLE.pack({"tense": "no such tense", "colour": "red"}) == 0


def test_unlike_is_symmetric_and_no_value_is_unlike_itself() -> None:
    unlike = TABLE.arrays.unlike
    assert (unlike == unlike.transpose(0, 2, 1)).all()
    assert not unlike.diagonal(axis1=1, axis2=2).any()
    assert len(FEATURES) * BITS < 64


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"conflict": "taste", "unlike": {}, "plain": {"": "{}"}}, "no type of conflicts"),
        ({"conflict": "time", "unlike": {}, "plain": {"past": "{}"}}, "not the first"),
        ({"conflict": "time", "unlike": {" soon": 0.5}, "plain": {"": "{}"}}, "not two values"),
        ({"conflict": "time", "unlike": {" x": 2}, "plain": {"": "{}", "x": "{}"}}, "a degree"),
    ],
)
def test_a_wrong_table_is_one_clear_error(table: dict[str, object], message: str) -> None:
    data = dict.fromkeys(FEATURES, table)
    with pytest.raises(DataError, match=message):
        _table(Path("features.toml"), data)


def test_the_tables_are_all_there() -> None:
    with pytest.raises(DataError, match="its tables are not"):
        _table(Path("features.toml"), {})


@pytest.mark.parametrize(
    ("first", "second", "kind", "told"),
    [
        ("Serve rice or beans.", "Serve rice and beans.", "limit", "or another one"),
        ("Why did the vase break?", "When did the vase break?", "modality", "the question why"),
        ("The hall seats at least 90 guests.", "The hall seats at most 90 guests.", "quantity",
         "90\" or more"),
        ("The mason has built a wall.", "The mason is building a wall.", "time", "going on"),
        ("The clerk should have signed the form.", "The clerk signed the form.", "modality",
         "did not come about"),
        ("Most of the ducks swam.", "All of the ducks swam.", "quantity", "most of"),
        ("A guard saw the fox.", "Two guards saw the fox.", "quantity", "more than one"),
    ],
)  # fmt: skip
def test_a_feature_is_a_conflict_of_its_type(first: str, second: str, kind: str, told: str) -> None:
    method = load("verbnet-cn", vectors="builtin")
    why = method.explain(first, second)
    result = {row.role: row.conflicts for row in why.conflicts}
    assert f"conflict: {kind}" in result, list(result)
    assert any(told in one.sentence for one in result[f"conflict: {kind}"])
    assert kind in CONFLICTS
    one, same = method.similarity_pairwise([first, first], [second, first])
    assert one < same == pytest.approx(1.0)
