from __future__ import annotations

import re
from pathlib import Path

import pytest

from compsim.errors import DataError, InputError, UnknownNameError
from compsim.roles import PROPBANK, VERBNET, Inventory
from compsim.rolesim.scheme import Match, Scheme
from compsim.rolesim.scheme_file import read_scheme

VERB = Inventory("toy", ("Verb",))
WEIGHTS = "[weights]\n" + "".join(f"{role} = 1\n" for role in VERBNET.roles)


def test_paper_has_the_published_values() -> None:
    scheme = read_scheme("paper")
    assert dict(zip(scheme.roles, scheme.weights, strict=True)) == {
        "Verb": 3,
        "Agent": 2,
        "Patient": 2,
        "Theme": 2,
        "Time": 0.5,
        "Manner": 0.5,
        "Location": 0.5,
        "Trajectory": 0.5,
    }
    assert scheme.inventory.align == (
        ("Location", "Trajectory"),
        ("Theme", "Patient"),
        ("Theme", "Manner"),
        ("Manner", "Trajectory"),
        ("Patient", "Location"),
        ("Patient", "Manner"),
    )
    assert scheme.divisor == 11
    assert scheme.normalize == "matched"
    assert scheme.roles == VERBNET.roles


def test_uniform_weighs_all_alike_and_aligns_as_paper() -> None:
    uniform = read_scheme("uniform", "fixed")
    assert set(uniform.weights) == {1.0}
    assert uniform.inventory == read_scheme("paper").inventory
    assert uniform.divisor == 8


def test_a_users_own_file_may_leave_out_divisor_and_alignment(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(WEIGHTS)
    scheme = read_scheme(path)
    assert scheme.divisor == 8
    assert scheme.alignment.shape == (0, 2)
    assert read_scheme(str(path)) == scheme


def assert_refused(path: Path, text: str, line: int, reason: str) -> None:
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_scheme(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (WEIGHTS.replace("Theme = 1", "Theme = -1"), 5, "Theme"),
        (WEIGHTS.replace("Time = 1", "Time = nan"), 6, "Time"),
        (WEIGHTS.replace("Time = 1", "Time = inf"), 6, "Time"),
        (WEIGHTS.replace("Time = 1", "Time = 'much'"), 6, "Time"),
        (WEIGHTS.replace("Time = 1", "Time = true"), 6, "Time"),
        ("# mine\n" + WEIGHTS.replace("Agent", "Agnet"), 4, "unknown role 'Agnet'"),
        ("\n" + WEIGHTS.replace("Manner = 1\n", ""), 2, "weight of Manner is missing"),
        (WEIGHTS + "Verb = 2\n", 10, "not valid TOML"),
        ("Verb: 3\nAgent: 2\n", 1, "not valid TOML"),
        ("divisor = 0\n" + WEIGHTS, 1, "divisor"),
        ("colour = 'red'\n" + WEIGHTS, 1, "unknown key 'colour'"),
        ("# nothing\n", 1, "no [weights] table"),
        ('\nalign = [["Theme", "Patient", "Manner"]]\n' + WEIGHTS, 2, "pair"),
        ('\nalign = [["Theme", "Theme"]]\n' + WEIGHTS, 2, "pair"),
        ('\nalign = [\n["Theme", "Pateint"]]\n' + WEIGHTS, 3, "unknown role 'Pateint'"),
        ('align = [["Theme", "Time"], ["Time", "Theme"]]\n' + WEIGHTS, 1, "twice"),
        ("align = 3\n" + WEIGHTS, 1, "align is not a list"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    assert_refused(tmp_path / "mine.toml", text, line, reason)


def test_a_file_that_is_not_text_is_a_data_error(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match=re.escape(str(path))):
        read_scheme(path)
    with pytest.raises(DataError, match=re.escape(str(tmp_path))):
        read_scheme(tmp_path)


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match="papre"):
        read_scheme("papre")
    with pytest.raises(InputError, match="matched"):
        read_scheme("paper", "matchde")
    with pytest.raises(InputError, match="weights"):
        Scheme(VERB, (1.0, 2.0))
    with pytest.raises(InputError, match="neither 0 nor from"):
        Scheme(VERB, (-1.0,))
    with pytest.raises(InputError, match="divisor"):
        Scheme(VERB, (1.0,), divisor=0.0)
    with pytest.raises(InputError, match="twice"):
        Inventory("toy", ("Verb", "Verb"))
    with pytest.raises(InputError, match="aligns Verb with Theme"):
        Inventory("toy", ("Verb",), align=(("Verb", "Theme"),))


def test_alignment_uses_each_phrase_once_and_in_order() -> None:
    scheme = read_scheme("paper")
    assert scheme.matches(["Theme"], ["Patient", "Manner"]) == [Match("Theme", "Theme", "Patient")]
    assert scheme.matches(["Manner"], ["Theme", "Trajectory"]) == [
        Match("Theme", "Manner", "Theme")
    ]
    assert scheme.matches(["Theme", "Location"], ["Patient", "Trajectory"]) == [
        Match("Location", "Location", "Trajectory"),
        Match("Theme", "Theme", "Patient"),
    ]
    # Theme is in both, so it is not left over.
    assert scheme.matches(["Theme", "Patient"], ["Theme"]) == [Match("Theme", "Theme", "Theme")]
    assert scheme.matches(["Time"], ["Agent"]) == []


def test_a_file_may_name_an_inventory(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    weights = "".join(f"{role} = 1\n" for role in PROPBANK.roles)
    path.write_text(f'inventory = "propbank"\n[weights]\n{weights}')
    assert read_scheme(path).inventory == PROPBANK
    path.write_text(f'inventory = "propbank"\nalign = []\n[weights]\n{weights}')
    assert read_scheme(path).inventory == Inventory("propbank", PROPBANK.roles)
    own = (
        '[inventory]\nname = "mine"\nroles = ["Act", "Doer", "Deed"]\nalign = [["Doer", "Deed"]]\n'
    )
    path.write_text(own + "[weights]\nAct = 2\nDoer = 1\nDeed = 1\n")
    scheme = read_scheme(path)
    assert scheme.inventory == Inventory("mine", ("Act", "Doer", "Deed"), (("Doer", "Deed"),))
    assert scheme.inventory.predicate == "Act"
    assert scheme.divisor == 4


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('\ninventory = "propbnk"\n' + WEIGHTS, 2, "unknown inventory 'propbnk'"),
        ('inventory = "propbank"\n' + WEIGHTS, 4, "unknown role 'Agent'"),
        ('[inventory]\nroles = ["A", "A"]\n[weights]\nA = 1\n', 2, "different names"),
        ("[inventory]\nname = 'x'\n[weights]\nA = 1\n", 1, "different names"),
        ('[inventory]\nroles = ["A"]\nrules = 3\n[weights]\nA = 1\n', 1, "nothing else"),
        ('[inventory]\nroles = ["A", "B"]\nalign = [["A", "C"]]\n[weights]\nA = 1\n', 3, "'C'"),
    ],
)
def test_errors_in_an_inventory_name_file_and_line(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    assert_refused(tmp_path / "mine.toml", text, line, reason)
