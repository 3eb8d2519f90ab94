"""Character offsets of tokens, and a mask of those that the model adds.

>>> from transformers import AutoTokenizer  # doctest: +SKIP
>>> tokenizer = AutoTokenizer.from_pretrained("FOLDER")  # doctest: +SKIP
>>> token_places(tokenizer, "Cats.", 256, [101, 8870, 1012, 102]).spans  # doctest: +SKIP
[None, (0, 4), (4, 5), None]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from compsim.graph import Span

__all__ = ["TokenPlaces", "token_places"]


class TokenPlaces(NamedTuple):
    """The tokens of a text: ``names`` as the vocabulary has them, ``special`` where added.

    ``spans`` are their characters, None for a token that stands for none; all of them None where
    the tokenizer does not tell (``located`` is False). ``cut`` says that the text goes on.
    """

    names: list[str]
    special: list[bool]
    spans: list[Span | None]
    located: bool
    cut: bool


def token_places(tokenizer: Any, text: str, longest: int, numbers: Sequence[int]) -> TokenPlaces:
    """The tokens ``numbers`` that a model has read of a text, of which it reads so many at most."""
    numbers = list(numbers)
    names = list(map(str, tokenizer.convert_ids_to_tokens(numbers)))
    if tokenizer.is_fast:
        read = tokenizer(
            text,
            truncation=True,
            max_length=longest,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_overflowing_tokens=True,
            verbose=False,
        )
        # A model may prepare its text in ways of its own: then the places would be wrong.
        if read["input_ids"][0] == numbers:
            special = list(map(bool, read["special_tokens_mask"][0]))
            spans = [
                (int(start), int(stop)) if stop > start and not added else None
                for (start, stop), added in zip(read["offset_mapping"][0], special, strict=True)
            ]
            return TokenPlaces(names, special, spans, True, len(read["input_ids"]) > 1)
    known = set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
    special = [number in known for number in numbers]
    return TokenPlaces(names, special, [None] * len(names), False, False)
