"""What the words around a predicate say of its event: denied, possible, past, asked for...

"She may not have left" has one event, leave, which is possible, denied and perfect. Auxiliaries,
adverbs, subordinators, empty subjects ("nobody") and the verbs above (*implicatives*) say so. The
features of a predicate are these, each only where it says something::

    aspect      progressive, perfect, or both: "perfect progressive"
    connective  because, while, by...: what joins the clause to the one above; but, or
    lemma       the verb with its particle: put_off
    modality    possible (may, can, perhaps), necessary (must, have to): :mod:`.semi_modals`
    mood        question, imperative, conditional (in a clause with if, unless, whether)
    polarity    "-" where the event is denied; "+" where a word of denial is cancelled by another
    tense       past, present, future

A verb in coordination shares what is said once ("may not eat or drink"); a complement has the truth
that the verb above gives it (:mod:`.implicatives`). Two denials cancel.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from compsim.parsers.pipeline.tree import AUXILIARY, VERBAL, Tree
from compsim.parsers.roles.features.clause import Clause
from compsim.parsers.roles.features.denial import denies, negative_phrase
from compsim.parsers.roles.features.implicatives import IMPLICATIVES, entailed
from compsim.parsers.roles.features.quantities import Quantities, word_set
from compsim.parsers.roles.features.semi_modals import modal_adverb, scoped, semi_modal
from compsim.parsers.roles.features.tense import tell_time
from compsim.parsers.roles.labeller import Frame

__all__ = ["Operators", "base_form"]
#: Short forms as the lemmatizer leaves them.
_SHORT: Final = {
    "'m": "be", "'re": "be", "'s": "be", "'ve": "have", "'d": "have", "'ll": "will", "wo": "will",
    "ca": "can", "sha": "shall",
}  # fmt: skip
_SUBJECTS: Final = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
#: Dependents that deny the event when there is none of them ("nobody", "no milk").
_ARGUMENTS: Final = frozenset(("nsubj", "nsubjpass", "dobj", "dative", "attr"))
_CONDITIONS: Final = frozenset(("if", "unless", "whether", "provided", "providing", "lest"))
#: Adverbs that open an adverbial clause as a subordinator does.
_RELATIVE_ADVERBS: Final = word_set(
    "when whenever where wherever while once before after since until till so"
)
#: Prepositions that open an adverbial clause with an -ing form (Quirk et al. 1985, 14.12, 14.19),
#: without those that verbs ask for ("insist on", "succeed in").
_CLAUSE_PREPOSITIONS: Final = word_set(
    "after before by without since until till upon despite besides while when through"
)
_CONTRASTS: Final = {"but": "but", "yet": "but", "or": "or", "nor": "or"}
_UNFINITE: Final = frozenset(("VB", "VBG", "VBN"))
_GOVERNED: Final = frozenset(("conj", "xcomp", "ccomp", "acomp", "advcl"))
#: What may stand before the verb of an imperative.
_BEFORE_IMPERATIVE: Final = word_set(
    "advmod neg aux intj punct prep npadvmod advcl cc dep meta vocative"
)


class Operators:
    """The features of the predicates of one tree."""

    __slots__ = ("_clauses", "_kids", "_quantities", "_tree")

    def __init__(self, tree: Tree, kids: Sequence[Sequence[int]], quantities: Quantities) -> None:
        self._tree = tree
        self._kids = kids
        self._quantities = quantities
        self._clauses: dict[int, Clause] = {}

    def features(self, frame: Frame) -> tuple[tuple[str, str], ...]:
        """All features of a predicate, by name."""
        clause = self._clause(frame.predicate)
        found = []
        if clause.aspect:
            found.append(("aspect", clause.aspect))
        connective = clause.mark or _CONTRASTS.get(clause.joint)
        if connective:
            found.append(("connective", connective))
        found.append(("lemma", self._lemma(frame, clause)))
        if clause.modality:
            found.append(("modality", scoped(clause.modality, clause.truth)))
        if clause.mood:
            found.append(("mood", clause.mood))
        if not clause.truth:
            found.append(("polarity", "-"))
        else:
            for argument in frame.arguments:
                if argument.label == "ARGM-NEG":
                    found.append(("polarity", "+"))
                    break
        if clause.tense:
            found.append(("tense", clause.tense))
        return tuple(found)

    def _lemma(self, frame: Frame, clause: Clause) -> str:
        lemma = base_form(self._tree.lemmas[frame.predicate])
        if frame.sense and "_" in frame.sense:
            name = frame.sense.rsplit(".", 1)[0]
            if name.startswith(lemma + "_"):
                return name
        return lemma + clause.particle

    def _clause(self, i: int) -> Clause:
        """What is said of token ``i``: first of the tokens above that it depends on."""
        clauses = self._clauses
        waiting = []
        while i not in clauses:
            waiting.append(i)
            i = self._governor(i)
            if i < 0:
                break
        # Whatever the loop stopped at is above the last that waits.
        clause = clauses.get(i)
        for here in reversed(waiting):
            clause = clauses[here] = self._read(here, i, clause)
            i = here
        assert clause is not None
        return clause

    def _governor(self, i: int) -> int:
        """The token above whose truth or auxiliaries matter for ``i``, -1 where none does."""
        tree = self._tree
        dep, above = tree.deps[i], tree.heads[i]
        if above == i:
            return -1
        if dep in _GOVERNED:
            return above
        if dep != "pcomp" or tree.heads[above] == above:
            return -1
        host = tree.heads[above]
        # "prevented the boy [from leaving]": the preposition may hang on the object.
        return tree.heads[host] if tree.deps[host] == "dobj" else host

    def _read(self, i: int, governor: int, above: Clause | None) -> Clause:
        clause = Clause()
        emptied = self._gather(i, clause)
        tell_time(self._tree, i, clause)
        if clause.empty:
            clause.base = not clause.base
        if above is not None:
            dep = self._tree.deps[i]
            if dep == "conj":
                self._join(i, clause, above)
            elif dep == "acomp":
                clause.base = clause.base == above.base
                clause.tense, clause.modality = above.tense, above.modality
                clause.mood = above.mood
            else:
                self._complete(i, clause, governor, above)
        elif self._tree.heads[i] == i:
            clause.mood = self._root_mood(i, clause)
        if clause.mark in _CONDITIONS:
            clause.mood = "conditional"
        clause.truth = clause.base != emptied
        return clause

    def _gather(self, i: int, clause: Clause) -> bool:
        """Read the dependents of a verb; whether its objects deny it."""
        tree = self._tree
        deps = tree.deps
        counts = self._quantities.some
        emptied = False
        for kid in self._kids[i]:
            dep = deps[kid]
            if dep in _ARGUMENTS:
                none = counts and self._quantities.quantifier(kid) == "no"
                if dep in _SUBJECTS:
                    clause.subject = kid
                    clause.empty = none
                elif none:
                    emptied = not emptied
            elif dep in AUXILIARY:
                clause.auxiliaries += (kid,)
            elif dep == "prt":
                clause.particle += "_" + tree.lemmas[kid]
            elif dep in _SUBJECTS:
                clause.subject = kid
            elif dep == "mark":
                self._mark(kid, clause)
            elif dep in ("neg", "advmod", "preconj", "cc"):
                self._adverb(i, kid, clause)
            elif dep == "prep" and counts and kid < i and negative_phrase(tree, self._kids, i, kid):
                clause.base = not clause.base
        if deps[i] == "pcomp":
            self._preposition(i, clause)
        return emptied

    def _mark(self, kid: int, clause: Clause) -> None:
        word = self._tree.lemmas[kid]
        if word in ("that", "than"):
            return
        if word == "unless":  # "if not"
            word, clause.base = "if", not clause.base
        # "as if", "as though" are one word; "so that" is "so".
        clause.mark = f"{clause.mark} {word}" if clause.mark == "as" else clause.mark or word

    def _adverb(self, i: int, kid: int, clause: Clause) -> None:
        tree = self._tree
        word, dep = tree.lemmas[kid], tree.deps[kid]
        if modal_adverb(tree, kid):
            clause.modality = clause.modality or "possible"
        if denies(tree, self._quantities, i, kid):
            clause.base = not clause.base
        elif kid < i:
            if dep == "cc" and word in _CONTRASTS:
                clause.joint = word
            elif word in _RELATIVE_ADVERBS and not clause.mark and self._opens(kid, i):
                clause.mark = word

    def _opens(self, kid: int, i: int) -> bool:
        """Whether an adverb before a verb joins its clause to another."""
        tree = self._tree
        if tree.lemmas[kid] == "so":
            return tree.deps[kid + 1] != "punct" and (
                kid == 0 or tree.deps[kid - 1] in ("punct", "cc")
            )
        return tree.deps[i] == "advcl"

    def _preposition(self, i: int, clause: Clause) -> None:
        """ "Without paying" denies; "after paying" tells how the clauses hang together."""
        tree = self._tree
        above = tree.heads[i]
        word = tree.lemmas[above]
        before = tree.lemmas[above - 1] if above else ""
        if word == "of" and before == "instead":
            clause.mark, clause.base = "instead of", not clause.base
        elif word == "without":
            clause.mark, clause.base = word, not clause.base
        elif word in _CLAUSE_PREPOSITIONS:
            clause.mark = word

    def _join(self, i: int, clause: Clause, above: Clause) -> None:
        """A coordinated verb has what is said once for both."""
        tree = self._tree
        first = tree.heads[i]
        kids = self._kids[first]
        place = bisect_left(kids, i)
        for kid in reversed(kids[max(0, place - 3) : place]):
            if kid > first and tree.deps[kid] == "cc":
                clause.joint = tree.lemmas[kid]
                break
        alone = clause.subject < 0
        if alone and not clause.mark and above.mood:
            clause.mood = above.mood
        if clause.joint in ("of", "than"):
            clause.mark = "instead of" if clause.joint == "of" else "rather than"
        denied = clause.joint in ("nor", "of", "than")
        if denied:
            clause.base = not clause.base
        shares = not denied and clause.joint != "but"
        if not alone:
            return
        clause.subject, clause.empty = above.subject, above.empty
        if not clause.auxiliaries and tree.tags[i] == tree.tags[first] in _UNFINITE:
            clause.tense, clause.modality = above.tense, above.modality
            clause.aspect = clause.aspect or above.aspect
            if shares:
                clause.base = clause.base == above.base
        elif above.empty and shares:
            clause.base = not clause.base

    def _complete(self, i: int, clause: Clause, governor: int, above: Clause) -> None:
        """A complement is as true as the verb above makes it."""
        tree = self._tree
        told = semi_modal(tree, self._kids, i)
        if told is not None:
            clause.modality = told.modality or clause.modality or above.modality
            clause.tense = told.tense or clause.tense or above.tense
            clause.base = (clause.base == above.truth) != told.denies
            clause.mood = "question" if above.mood == "question" else clause.mood
            clause.mark = above.mark
            return
        lemma = tree.lemmas[governor]
        if lemma == "be":
            # "It is not true that he left", "he was too weak to lift it": the adjective tells.
            kids = self._kids[governor]
            governor = next((kid for kid in kids if tree.deps[kid] == "acomp"), governor)
            lemma = tree.lemmas[governor]
        if lemma not in IMPLICATIVES and tree.pos[governor] != "ADJ":
            return
        form = self._form(i, clause)
        if tree.deps[i] == "advcl" and form != "to":
            return
        true = entailed(lemma, form, above.truth)
        if form == "to" and tree.pos[governor] == "ADJ":
            before = [tree.lemmas[kid] for kid in self._kids[governor] if kid < governor]
            true = not above.truth if "too" in before else true  # "too tired to go"
        if true is False:
            clause.base = not clause.base

    def _form(self, i: int, clause: Clause) -> str:
        """How a complement is built: "to", "ing", "bare", "that", or its preposition."""
        tree = self._tree
        if tree.deps[i] == "pcomp":
            return tree.lemmas[tree.heads[i]]
        if any(tree.tags[kid] == "TO" for kid in clause.auxiliaries):
            return "to"
        if clause.auxiliaries:
            return "that"
        return {"VBG": "ing", "VB": "bare"}.get(tree.tags[i], "that")

    def _root_mood(self, i: int, clause: Clause) -> str:
        """Whether the verb of a main clause asks or orders."""
        tree = self._tree
        kids = self._kids[i]
        for kid in reversed(kids):
            if tree.lemmas[kid] == "?":
                return "question"
            if tree.deps[kid] != "punct":
                break
        if tree.tags[i] not in ("VB", "VBP") or clause.subject >= 0:
            return ""
        if tree.lemmas[i] == "thank" or (tree.lemmas[i] == "be" and tree.tags[i] == "VBP"):
            return ""
        for kid in kids:
            if kid > i:
                break
            if tree.deps[kid] not in _BEFORE_IMPERATIVE:
                return ""
        if any(tree.lemmas[kid] != "do" for kid in clause.auxiliaries):
            return ""
        return "imperative" if tree.pos[i] in VERBAL else ""


def base_form(lemma: str) -> str:
    """The lemma of a short form, any other lemma as it is.

    >>> base_form("'ve"), base_form("wo"), base_form("bite")
    ('have', 'will', 'bite')
    """
    return _SHORT.get(lemma.replace("\u2019", "'"), lemma) if len(lemma) < 4 else lemma
