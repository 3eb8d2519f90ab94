"""Verbs that tell whether what their complement says happened.

"She failed to win" says that she did not win, "she did not forget to call" that she called. The
table gives each verb, with the form of its complement, a *signature*: what follows for the
complement where the verb is affirmed, and where it is denied. ``+`` is true, ``-`` is false, a dot
is neither. Source: L. Karttunen, "Implicative verbs", *Language* 47 (1971); R. Nairn, C. Condoravdi
and L. Karttunen, "Computing relative polarity for textual inference", ICoS-5 (2006), whose classes
are the keys below; L. Karttunen, "Simple and phrasal implicatives", *SEM (2012). A dot leaves the
complement as its own words have it: wanted, planned or agreed things count as told.

>>> entailed("fail", "to", True), entailed("fail", "to", False), entailed("agree", "to", False)
(False, True, False)
>>> entailed("agree", "to", True) is None
True
"""

from __future__ import annotations

from typing import Final

__all__ = ["IMPLICATIVES", "entailed"]

#: Signature -> form of the complement -> lemmas. A form is "to", "ing", "bare" or "that", or the
#: preposition before an -ing form.
_CLASSES: Final = {
    # Two-way: true where affirmed, false where denied.
    "+-": {
        "to": "manage bother dare deign condescend remember happen turn stoop venture get",
        "in": "succeed",
        "bare": "dare",
        "that": "true correct",
    },
    # Two-way the other way round.
    "-+": {
        "to": "fail forget neglect omit unable",
        "that": "false untrue impossible doubt",
        "ing": "avoid escape evade omit neglect miss skip dodge",
        "in": "fail",
        "from": "refrain abstain desist",
    },
    # One-way: false where affirmed. "Did not refuse" suggests that one did.
    "-+?": {
        "to": "refuse decline unwilling",
        "from": "prevent stop keep hinder deter dissuade restrain block preclude save protect",
        "ing": "resist",
    },
    # What one ceases to do one does no longer.
    "-.": {
        "that": "deny disprove refute pretend",
        "ing": "deny stop quit cease",
        "to": "pretend cease",
    },
    # One-way: false where denied.
    ".-": {
        "to": "agree consent able allow permit enable let attempt try choose decide begin start "
        "proceed continue help seem appear",
        "bare": "let help have",
        "ing": "start begin try attempt continue",
        # Verbs of opinion hand their denial down: L. Horn, "Remarks on neg-raising" (1978).
        "that": "think believe suppose expect imagine guess reckon seem appear likely possible",
    },
    # One-way: true where affirmed.
    "+.": {"to": "force cause compel oblige make drive lead induce", "bare": "make"},
    # One-way: true where denied.
    ".+": {"to": "hesitate", "ing": "help"},
}
_TRUTH: Final = {"+": True, "-": False, ".": None}
_SIGNATURES: Final = {
    (lemma, form): (_TRUTH[signature[0]], _TRUTH[signature[1]])
    for signature, forms in _CLASSES.items()
    for form, lemmas in forms.items()
    for lemma in lemmas.split()
}
#: All lemmas of the table.
IMPLICATIVES: Final = frozenset(lemma for lemma, _ in _SIGNATURES)


def entailed(lemma: str, form: str, truth: bool) -> bool | None:
    """Whether the complement of a verb is true, given whether the verb is; None: nobody knows."""
    signature = _SIGNATURES.get((lemma, form))
    return None if signature is None else signature[not truth]
