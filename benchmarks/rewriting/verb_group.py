"""The verb of a clause with its auxiliaries, apart from its subject: what changes in another voice.

>>> group = VerbGroup("chase", past=True)
>>> group.words(plural=True), group.with_voice(passive=True).words(plural=True)
(['chased'], ['were', 'chased'])
>>> VerbGroup("see", modal="will", negated=True).words(plural=False)
['will', 'not', 'see']
>>> read_group(["has", "not", "been"], "eaten", "eat", "VBN").perfect
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from compsim.benchmarks.rewriting.inflection import verb_form

__all__ = ["VerbGroup", "read_group"]

_MODALS: Final = frozenset(
    ("will", "would", "can", "could", "may", "might", "must", "shall", "should")
)
#: Auxiliaries as they are contracted, where the form alone tells.
_WHOLE: Final = {
    "'ll": "will", "'ve": "have", "'re": "are", "'m": "am", "ca": "can", "wo": "will",
    "n't": "not",
}  # fmt: skip
_BE: Final = frozenset(("am", "is", "are", "was", "were", "be", "been", "being"))
_HAVE: Final = frozenset(("have", "has", "had"))
_DO: Final = frozenset(("do", "does", "did"))
_PAST: Final = frozenset(("was", "were", "had", "did"))


@dataclass(frozen=True)
class VerbGroup:
    """A finite verb group; ``lemma`` is the main verb's."""

    lemma: str
    modal: str = ""
    past: bool = False
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    negated: bool = False

    def with_voice(self, passive: bool) -> VerbGroup:
        """The same in the other voice."""
        return replace(self, passive=passive)

    @property
    def speakable(self) -> bool:
        """True if it is no pile of auxiliaries ("will be being seen", "has been being seen")."""
        return not (self.passive and self.progressive and (self.perfect or self.modal))

    def words(self, plural: bool, first: bool = False) -> list[str]:
        """Its words with a subject in the third person, or ``first``: I. [] for an unknown form.

        "you" and "we" are plural.
        """
        chain: list[tuple[str, str]] = []  # a lemma, and the tag that what stands before asks for
        tag = "VB" if self.modal else "finite"
        if self.perfect:
            chain.append(("have", tag))
            tag = "VBN"
        if self.progressive:
            chain.append(("be", tag))
            tag = "VBG"
        if self.passive:
            chain.append(("be", tag))
            tag = "VBN"
        chain.append((self.lemma, tag))
        if self.negated and not self.modal and len(chain) == 1:
            chain = [("do", "finite"), (self.lemma, "VB")]
        results = [self.modal] if self.modal else []
        results += [
            self._finite(lemma, plural, first) if of == "finite" else verb_form(lemma, of)
            for lemma, of in chain
        ]
        if self.negated:
            results.insert(1, "not")
        return results if all(results) else []

    def _finite(self, lemma: str, plural: bool, first: bool) -> str:
        if lemma == "be":
            if self.past:
                return "were" if plural else "was"
            return "are" if plural else "am" if first else "is"
        if self.past:
            return verb_form(lemma, "VBD")
        if lemma == "have":
            return "have" if plural or first else "has"
        return lemma if plural or first else verb_form(lemma, "VBZ")


def read_group(auxiliaries: Sequence[str], verb: str, lemma: str, tag: str) -> VerbGroup | None:
    """The group of these auxiliaries (as written) before a verb; None for what is none of ours.

    That is what is not finite, or has a "to", an emphatic "do" or a "get" in it.
    """
    plain = [word.lower().replace("\u2019", "'") for word in auxiliaries]
    words = [_WHOLE.get(word, word) for word in plain]
    negated = "not" in words
    words = [word for word in words if word != "not"]
    words = [_expanded(word, words[i + 1 :], tag) for i, word in enumerate(words)]
    if not all(words):
        return None
    if not words:
        past = tag == "VBD"
        return VerbGroup(lemma, past=past) if tag in ("VBD", "VBZ", "VBP") else None
    modal = words.pop(0) if words[0] in _MODALS else ""
    if words and words[0] in _DO:
        past = words[0] == "did"
        fits = negated and not modal and len(words) == 1 and tag in ("VB", "VBP")
        return VerbGroup(lemma, past=past, negated=True) if fits else None
    past = bool(words) and words[0] in _PAST and not modal
    perfect = bool(words) and words[0] in _HAVE
    rest = words[1:] if perfect else words
    if not all(word in _BE for word in rest) or len(rest) > 2:
        return None
    # A tagger takes "put" and "said" for one another's forms; what stands before them tells.
    gerund = verb.lower().endswith("ing")
    passive = bool(rest) and not gerund
    progressive = bool(rest) and (gerund or len(rest) == 2)
    group = VerbGroup(lemma, modal, past, perfect, progressive, passive, negated)
    if len(rest) == 2 and rest[1] != "being":
        # "had been" after "have" is one form of be; two forms without "being" are none of ours.
        return None
    if not rest and not perfect and tag not in ("VB", "VBP", "VBD", "VBN"):
        return None
    return group if group.speakable else None


def _expanded(word: str, later: Sequence[str], tag: str) -> str:
    """Return the full form of "'s" or "'d" by the words that follow; "" if these do not decide."""
    following = later[0] if later else ""
    if word == "'s":
        if not following and tag != "VBG":
            return ""  # "it's broken"
        return "has" if following == "been" else "is"
    if word == "'d":
        had = following == "been" or (not following and tag in ("VBN", "VBD"))
        return "had" if had else "would"
    return word
