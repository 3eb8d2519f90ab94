"""Five changed forms of a sentence, among which its own form is to be found again.

After Zhu and de Melo (2020), in the order of ``relations.KINDS``:

- not: "not" after the first auxiliary, or without the "not" that stands there;
- deletion: a fifth of the words left out, none of them adjective, adverb, determiner, auxiliary;
- masking: a fifth of the words replaced by ``[MASK]``;
- span: some words in a row left out, as many as a Poisson number of mean 3 says, up to half;
- reordering: what stands behind a place within comes before what stands before it.

What is drawn depends on the sentence and the seed alone, not on what came before.

>>> from compsim.parsers.roles.srl import SrlParser
>>> (tree, _), = SrlParser().analyse(["A woman is slicing an old eggplant."])
>>> changed = distractors(tree)
>>> changed[0], changed[4].endswith(".")
('A woman is not slicing an old eggplant.', True)
"""

from __future__ import annotations

import hashlib
import math
import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from compsim.parsers.pipeline.tree import Tree

__all__ = ["MASK", "distractors", "negated", "replaced"]

MASK: Final = "[MASK]"
#: With fewer words the forms would be equal too often.
_FEWEST: Final = 4
_SHARE: Final = 0.2
_SPAN: Final = 3.0
#: Tags of adjectives, adverbs and determiners.
_KEPT: Final = ("JJ", "RB", "DT", "PDT", "WDT")
_AUXILIARIES: Final = {"do": "VBP", "does": "VBZ", "did": "VBD"}
#: What stands before "n't" for a whole auxiliary.
_CUT: Final = {"ca": "can", "wo": "will", "sha": "shall"}
_ENDS: Final = ".?!"


def distractors(tree: Tree, seed: int = 1) -> tuple[str, ...] | None:
    """The five forms of a parsed sentence; None where one cannot be made.

    So it is with fewer than four words, without a verb that could be denied, and where too few
    words may be left out.
    """
    text = tree.text.strip()
    bare = text.rstrip(_ENDS)
    end = text[len(bare) :]
    words = bare.split()
    count = len(words)
    denied = negated(tree)
    if count < _FEWEST or denied is None:
        return None
    drawn = random.Random(hashlib.sha256(f"{seed}\t{text}".encode()).digest())
    some = math.ceil(_SHARE * count)
    free = [i for i, kept in enumerate(_protected(tree, words)) if not kept]
    if len(free) < some:
        return None
    left_out = set(drawn.sample(free, some))
    masked = set(drawn.sample(range(count), some))
    length = min(max(_poisson(drawn), 1), count // 2)
    start = drawn.randrange(count - length + 1)
    pivot = drawn.randrange(1, count)
    forms = (
        [word for i, word in enumerate(words) if i not in left_out],
        [MASK if i in masked else word for i, word in enumerate(words)],
        words[:start] + words[start + length :],
        words[pivot:] + words[:pivot],
    )
    return denied, *(" ".join(form) + end for form in forms)


def negated(tree: Tree) -> str | None:
    """A sentence with "not" after its first auxiliary, or without it; None without a verb."""
    tokens = range(len(tree))
    first = next((i for i in tokens if _is_auxiliary(tree, i)), None)
    if first is None:
        return _with_do(tree)
    after = first + 1
    word = _word(tree, first)
    if after < len(tree) and _word(tree, after).lower() in ("not", "n't"):
        return replaced(tree, {first: _CUT.get(word.lower(), word), after: ""})
    return replaced(tree, {first: f"{word} not"})


def replaced(tree: Tree, words: dict[int, str]) -> str:
    """The sentence with other words at some places, "" for none; spaces are single."""
    parts, done = [], 0
    for i in sorted(words):
        parts += [tree.text[done : tree.starts[i]], words[i]]
        done = tree.ends[i]
    return " ".join("".join([*parts, tree.text[done:]]).split())


def _with_do(tree: Tree) -> str | None:
    """The sentence with its first finite verb denied by a form of "do"."""
    for i, tag in enumerate(tree.tags):
        for form, of in _AUXILIARIES.items():
            if tag == of:
                return replaced(tree, {i: f"{form} not {tree.lemmas[i]}"})
    return None


def _protected(tree: Tree, words: list[str]) -> list[bool]:
    """Return whether each word, of which tokens are parts, must not be left out."""
    result, place = [], 0
    for word in words:
        start = tree.text.index(word, place)
        place = start + len(word)
        parts = [i for i in range(len(tree)) if tree.starts[i] < place and tree.ends[i] > start]
        result.append(any(tree.tags[i].startswith(_KEPT) or _is_auxiliary(tree, i) for i in parts))
    return result


def _is_auxiliary(tree: Tree, i: int) -> bool:
    """Return whether a token is a form of "be", a modal verb or another auxiliary, but not "to"."""
    helps = tree.tags[i] == "MD" or tree.deps[i] in ("aux", "auxpass") or tree.lemmas[i] == "be"
    return helps and tree.tags[i] in ("MD", "VB", "VBD", "VBP", "VBZ")


def _poisson(drawn: random.Random) -> int:
    """A number of a Poisson distribution (Knuth's way, whose draws no release changes)."""
    poisson, product = 0, drawn.random()
    while product > math.exp(-_SPAN):
        poisson += 1
        product *= drawn.random()
    return poisson


def _word(tree: Tree, i: int) -> str:
    return tree.text[tree.starts[i] : tree.ends[i]]
