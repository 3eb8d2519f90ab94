"""Multiword verbs and nouns of the built-in table, and their glosses."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.weights.lexicons.multiword import count_entries, glosses, multiword_entries

FRAMES = """<frameset><predicate>
<roleset id="put_off.06" name="delay"><aliases><alias pos="v">put_off</alias></aliases></roleset>
<roleset id="put_off.07" name="put off: offend?"><aliases><alias pos="v">put off</alias></aliases>
</roleset>
<roleset id="pay_up.09" name="same as pay.01"><aliases><alias pos="v">pay_up</alias></aliases>
</roleset>
<roleset id="pre_pay.01" name="pay before"><aliases><alias pos="v">pre-pay</alias></aliases>
</roleset>
<roleset id="tip_off.01" name="hint"><aliases><alias pos="n">tip_off</alias></aliases></roleset>
</predicate></frameset>"""
VERBNET = '<VNCLASS><MEMBERS><MEMBER name="abide_by"/><MEMBER name="obey"/></MEMBERS></VNCLASS>'
RELATIONS = "ice_cream\tsynonym\tgelato\nlook_up\thypernym\tfind\n"
RELATIONS += "look_down\tsynonym\tscorn\nthe_city\tsynonym\tlondon\n"
TEXT = "a\tThe ice cream was cold.\na\tIce cream in the city!\nb\tLook up, ice\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for folder in ("propbank", "verbnet", "lexicons", "text"):
        (tmp_path / folder).mkdir()
    with zipfile.ZipFile(tmp_path / "propbank" / "propbank-frames.zip", "w") as archive:
        archive.writestr("put.xml", FRAMES)
    with zipfile.ZipFile(tmp_path / "verbnet" / "verbnet3.4.zip", "w") as archive:
        archive.writestr("obey.xml", VERBNET)
    for path, text in (("lexicons/oewn-relations.tsv", RELATIONS), ("text/sentences.tsv", TEXT)):
        (tmp_path / f"{path}.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


def test_verbs_of_the_lexicons_come_first(data: Path) -> None:
    verbs = ["abide_by", "pay_up", "put_off"]
    assert multiword_entries(data, {"look"}, 9) == [*verbs, "look_up", "look_down", "ice_cream"]
    assert multiword_entries(data, {"look"}, 4) == [*verbs, "look_up"]


def test_a_gloss_says_what_the_words_do_not(data: Path) -> None:
    frames = data / "propbank" / "propbank-frames.zip"
    assert glosses(frames, ["put_off", "pay_up", "tip_off"]) == {"put_off": ["delay", "offend"]}


@given(st.lists(st.sampled_from(["ice", "cream", "up", "look", "."]), max_size=12))
def test_entries_are_counted_where_they_stand(tokens: list[str]) -> None:
    entries = {"ice_cream", "look_up", "look_up_ice"}
    text = "_" + "_".join(tokens) + "_"
    counted = count_entries(" ".join(tokens), entries)
    for entry in entries:
        assert counted[entry] == sum(
            text.startswith(f"_{entry}_", place) for place in range(len(text))
        )
