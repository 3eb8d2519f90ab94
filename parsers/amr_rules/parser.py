"""AMR without a download: rules over the shipped pipeline. An approximation, and it says so.

The dependency tree and the PropBank frames of a sentence (:mod:`compsim.parsers.roles.analysis`)
are turned into a graph after the AMR guidelines (https://github.com/amrisi/amr-guidelines):
concepts for words, PropBank roles for arguments, relations for the rest. A parser that is trained
on AMR, such as those of amrlib, does better::

    from compsim.parsers.amr_rules.parser import BuiltinAmrParser
    graph, = BuiltinAmrParser().parse(["The sky is blue."])
    graph.to_penman()    # (b / blue :domain (s / sky))
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from compsim.graph import RoleGraph
from compsim.parsers.amr_rules.clauses import layers, negations, stand_ins
from compsim.parsers.amr_rules.concepts import add_concepts, any_concept
from compsim.parsers.amr_rules.lexicon import AmrLexicon
from compsim.parsers.amr_rules.relations import relate
from compsim.parsers.amr_rules.scene import Scene
from compsim.parsers.roles.analysis import Analysis, AnalysisParser

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BuiltinAmrParser"]

_SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass", "expl")


class BuiltinAmrParser(AnalysisParser):
    """AMR graphs by rule from the pipeline ``pipeline``, the shipped one unless named.

    Every text with a word in it gets a graph, several sentences one below ``multi-sentence``.
    """

    name = "amr"
    credit = "amr (approximation)"

    @cached_property
    def version(self) -> str:
        """As for roles, and the AMR tables."""
        return f"{super().version}/{AmrLexicon.checksum()}"

    def graph(self, analysis: Analysis) -> RoleGraph:
        """The AMR of one text; failed where it has no word."""
        text = analysis.tree.text
        scene = Scene(analysis, AmrLexicon.shipped(), self._labeller.lexicon)
        stand_ins(scene)
        add_concepts(scene)
        layers(scene)
        relate(scene)
        negations(scene)
        tops = list(_tops(scene))
        if not tops:
            words = [i for i, word in enumerate(scene.words) if any(map(str.isalnum, word))]
            if not words:
                reason = "no word found" if text.strip() else "empty text"
                return RoleGraph.failed(text, reason, parser=self.credit)
            tops = [any_concept(scene, i) for i in words[:1]]
        return scene.draft.graph(tops, text, scene.spans, self.credit)


def _tops(scene: Scene) -> Iterator[int]:
    """The node of each sentence, with its mood; a sentence whose root is silent has several."""
    for i in range(len(scene)):
        node = scene.tip(i)
        if node < 0 or i in scene.linked or (scene.stand[i] != i and scene.heads[i] != i):
            continue
        if scene.heads[i] == i:
            _mood(scene, i, node)
            yield node
        elif scene.host(i) == i:
            yield node


def _mood(scene: Scene, root: int, node: int) -> None:
    """Orders and questions."""
    draft, kids = scene.draft, scene.kids[root]
    verb = scene.base(root)
    marks = [scene.words[kid] for kid in kids if scene.deps[kid] == "punct"]
    if "?" in marks:
        last = max(kid for kid in kids if scene.words[kid] == "?")
        asked = any(
            scene.core[i] >= 0 and draft.labels[scene.core[i]] == "amr-unknown" for i in range(last)
        )
        if not asked:
            draft.edge(node, "polarity", draft.concept("amr-unknown"))
        return
    orders = scene.tags[root] == "VB" and scene.child(root, *_SUBJECTS) is None
    helped = any(scene.deps[kid] == "aux" and scene.words[kid] not in ("do", "let") for kid in kids)
    if orders and not helped and verb == scene.core[root]:
        draft.constant(node, "mode", "imperative")
        role = scene.lexicon.subject(draft.senses[verb] or "")
        if not draft.has(verb, role):
            draft.edge(verb, role, draft.concept("you"))
