"""Text in columns: never too wide, nothing lost but the middle, no control characters."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from compsim.explanation.columns import clean, columns, cut, pieces, shared_out, wrapped

texts = st.text(max_size=60)
widths = st.integers(2, 40)


@given(texts)
def test_clean_text_moves_no_cursor(text: str) -> None:
    shown = clean(text)
    assert len(shown) == len(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Zl", "Zp", "Cs"}
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(texts, widths)
def test_a_cut_text_fits_and_keeps_both_ends(text: str, width: int) -> None:
    shown = cut(text, width)
    assert columns(shown) <= width
    if columns(text) <= width:
        assert shown == text
    else:
        start, _, end = shown.partition("…") if "…" not in text else (shown[:1], "", "")
        assert text.startswith(start.rstrip("…"))
        assert text.endswith(end)


@given(texts, widths, st.sampled_from(["", " "]))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int, indent: str) -> None:
    lines = wrapped(text, width + 1, indent)
    assert all(columns(line) <= width + 1 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(texts)
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


def test_what_belongs_together_stays() -> None:
    assert pieces("e\u0301a🐈\u200d⬛b") == ["e\u0301", "a", "🐈\u200d⬛", "b"]
    assert cut("一只非常小的老鼠", 7) == "一…老鼠" or columns(cut("一只非常小的老鼠", 7)) <= 7
    assert columns("一只 e\u0301") == 6


@given(st.integers(1, 90), st.integers(1, 90), st.integers(2, 90))
def test_columns_share_what_there_is(first: int, second: int, room: int) -> None:
    a, b = shared_out((first, second), room)
    assert a <= first
    assert b <= second
    assert a + b == min(first + second, room)
    assert min(a, b) >= min(first, second, room // 2)
