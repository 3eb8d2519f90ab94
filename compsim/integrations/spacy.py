"""compsim in a spaCy pipeline: role graphs of documents, and ``Doc.similarity`` by roles.

>>> import spacy
>>> nlp = spacy.blank("en")
>>> _ = nlp.add_pipe("compsim", config={"method": "verbnet-cn", "options": {"vectors": "builtin"}})
>>> one, other = nlp("The dog bit the man."), nlp("The man was bitten by the dog.")
>>> one.similarity(other) > 0.9, [frame.predicate.label for frame in one._.role_graph.frames()]
(True, ['bit'])

A pipeline may have been saved by somebody else, so its configuration decides only what ships with
compsim. Any other method is set on the component:

>>> nlp.get_pipe("compsim").method = load("mean-cn", vectors="builtin")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from compsim.errors import InputError
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod
from compsim.hybrid.method import HybridMethod
from compsim.method import Method
from compsim.registry import load
from compsim.trust import check, undecided

__all__ = ["CompsimComponent"]


class CompsimComponent:
    """Gives documents ``Doc.similarity`` by a method, and ``Doc._.role_graph`` by its parser.

    Sentences are read from their text by compsim's own parser; nothing is computed before it is
    asked for. ``Doc._.role_graph`` raises ``InputError`` for a method without a parser.

    ``method`` is a name of the registry with its ``options``. They come from a configuration,
    which a file may hold: what a file may not decide is loaded by the caller (``compsim.load``),
    who sets the attribute ``method``; reading it before that raises ``InputError``.
    """

    def __init__(self, method: str, options: Mapping[str, Any], name: str = "compsim") -> None:
        self._name, self._asked, self._options = name, method, options
        self._method: Method[Any] | None = None
        if not undecided(method, options):
            self._method = load(method, **options)

    @property
    def method(self) -> Method[Any]:
        """The method that compares documents."""
        if self._method is None:
            mend = f"set nlp.get_pipe({self._name!r}).method = compsim.load({self._asked!r}, ...)"
            check(f"the spaCy component {self._name!r}", self._asked, self._options, (), mend)
            self._method = load(self._asked, **self._options)
        return self._method

    @method.setter
    def method(self, method: Method[Any]) -> None:
        self._method = method

    def __call__(self, doc: Doc) -> Doc:
        """Set the hooks of a document and of its spans."""
        doc.user_hooks["similarity"] = self.similarity
        doc.user_span_hooks["similarity"] = self.similarity
        doc.user_hooks["role_graph"] = self.role_graph
        return doc

    def similarity(self, first: Doc | Span, second: Any) -> float:
        """The score of two documents or spans."""
        return float(self.method.similarity_pairwise([first.text], [second.text])[0])

    def role_graph(self, doc: Doc) -> RoleGraph:
        """The graph of a document's text."""
        parses = self.method.graphs if isinstance(self.method, HybridMethod) else self.method
        if not isinstance(parses, GraphMethod):
            raise InputError(
                f"method {self.method.info.name!r} reads no role graphs: use one that does, such "
                "as hybrid or verbnet-cn"
            )
        return parses.parse([doc.text])[0]


def role_graph(doc: Doc) -> RoleGraph:
    """The graph of a document that the component has seen; ``InputError`` for another."""
    if "role_graph" not in doc.user_hooks:
        raise InputError('the document has no role graph: use nlp.add_pipe("compsim")')
    graph: RoleGraph = doc.user_hooks["role_graph"](doc)
    return graph


@Language.factory("compsim", default_config={"method": "hybrid", "options": {}})
def make_component(
    nlp: Language, name: str, method: str, options: dict[str, Any]
) -> CompsimComponent:
    """The component that ``nlp.add_pipe("compsim")`` adds."""
    return CompsimComponent(method, options, name)


if not Doc.has_extension("role_graph"):
    Doc.set_extension("role_graph", getter=role_graph)
