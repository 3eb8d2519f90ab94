"""compsim in a spaCy pipeline: semantic roles, role graphs, and ``Doc.similarity`` by roles.

>>> import spacy
>>> nlp = spacy.blank("en")
>>> _ = nlp.add_pipe("compsim", config={"method": "verbnet-cn", "options": {"vectors": "builtin"}})
>>> one, other = nlp("The dog bit the man."), nlp("The man was bitten by the dog.")
>>> one.similarity(other) > 0.9, [frame.predicate.label for frame in one._.role_graph.frames()]
(True, ['bit'])
>>> for role, phrase in other._.frames[0].roles.items():
...     print(role, phrase, sep=": ")
Patient: The man
Agent: by the dog
>>> other[:2]._.roles
[('Patient', bitten)]

``displacy.render(displacy_spans(doc), style="span", manual=True)`` draws the roles.

A pipeline may have been saved by somebody else, so its configuration decides only what ships with
compsim. Any other method is set on the component:

>>> nlp.get_pipe("compsim").method = load("mean-cn", vectors="builtin")
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.graph import Frame, Node, RoleGraph
from compsim.graph_method import GraphMethod
from compsim.hybrid.method import HybridMethod
from compsim.method import Method
from compsim.missing import missing
from compsim.parsers import load as load_parser
from compsim.registry import check_options, load, resolved
from compsim.retrieval.sentences import sentences
from compsim.trust import check, undecided

try:
    from spacy.language import Language
    from spacy.tokens import Doc, Span
    from spacy.vocab import Vocab
except ImportError as error:
    raise missing("spacy", "spacy", error) from error

__all__ = ["CompsimComponent", "SpanFrame", "displacy_spans"]

#: Documents whose frames are kept, since ``Span._.roles`` asks for them span by span.
_KEPT: Final = 256
#: What the frames of a document depend on: its tokens and sentences.
_DECIDING: Final[list[int | str]] = ["ORTH", "SPACY", "SENT_START"]


@dataclass(frozen=True, slots=True)
class SpanFrame:
    """A predicate of a document and what fills its roles, as spans of spaCy.

    Attributes:
        predicate: The predicate.
        sense: Its sense in PropBank ("bite.01"); None where it has none.
        roles: The span of each role, by VerbNet-style names, or PropBank's of modifiers.
        negated: Whether it is denied.
    """

    predicate: Span
    sense: str | None
    roles: dict[str, Span]
    negated: bool


class _Frame(NamedTuple):
    """A frame by the tokens ``[start, end)`` of its predicate and of what fills its roles.

    It holds no document, so that keeping it keeps none alive, and serves copies of the document.
    """

    predicate: tuple[int, int]
    sense: str | None
    roles: dict[str, tuple[int, int]]
    negated: bool


class CompsimComponent:
    """Gives documents ``Doc.similarity`` by a method, and ``Doc._.role_graph`` by its parser.

    Sentences are read from their text by compsim's own parser; nothing is computed before it is
    asked for. ``Doc._.role_graph`` raises ``InputError`` for a method without a parser;
    ``Doc._.frames`` and ``Span._.roles`` come from the role labeller that ships, whatever the
    method is, sentence by sentence.

    ``method`` is a name of the registry with its ``options``. They come from a configuration,
    which a file may hold: what a file may not decide is loaded by the caller (``compsim.load``),
    who sets the attribute ``method``; reading it before that raises ``InputError``.

    Documents of ``vocab`` that were saved, or come from another process, have no hooks any more:
    their attributes are those of the one component that is made for their vocabulary.

    Raises ``UnknownNameError`` where there is no such method, ``InputError`` where it does not have
    an option.
    """

    def __init__(
        self,
        method: str,
        options: Mapping[str, Any],
        name: str = "compsim",
        vocab: Vocab | None = None,
    ) -> None:
        check_options(method, options)
        self._name, self._asked, self._options = name, method, options
        self.vocab = vocab
        self._method: Method[Any] | None = None
        self._labeller: Any = None
        self._frames: dict[bytes, list[_Frame]] = {}
        if not undecided(*resolved(method, options)):
            self._method = load(method, **options)
        _COMPONENTS.add(self)

    @property
    def method(self) -> Method[Any]:
        """The method that compares documents."""
        if self._method is None:
            mend = f"set nlp.get_pipe({self._name!r}).method = compsim.load({self._asked!r}, ...)"
            check(
                f"the spaCy component {self._name!r}",
                *resolved(self._asked, self._options),
                (),
                mend,
            )
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
        doc.user_hooks["frames"] = self.frames
        doc.user_hooks["roles"] = self.roles
        return doc

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process, which reads the models itself."""
        return {**self.__dict__, "_labeller": None, "_frames": {}, "vocab": None}

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

    def frames(self, doc: Doc) -> list[SpanFrame]:
        """The frames of a document, sentence by sentence.

        Sentences are those of the pipeline where it has found any, else those of compsim.
        """
        return [
            SpanFrame(
                doc[slice(*frame.predicate)],
                frame.sense,
                {name: doc[slice(*filler)] for name, filler in frame.roles.items()},
                frame.negated,
            )
            for frame in self._frames_of(doc)
        ]

    def roles(self, span: Span) -> list[tuple[str, Span]]:
        """The roles that a span fills, each with its predicate."""
        doc, own = span.doc, _words(span)
        return [
            (role, doc[slice(*frame.predicate)])
            for frame in self._frames_of(doc)
            for role, (start, end) in frame.roles.items()
            if start < span.end and span.start < end and _words(doc[start:end]) == own
        ]

    def _frames_of(self, doc: Doc) -> list[_Frame]:
        """The frames of a document by its tokens, kept until others push them out."""
        key = blake2b(doc.to_array(_DECIDING).tobytes(), digest_size=16).digest()
        if key not in self._frames:
            if self._labeller is None:
                self._labeller = load_parser("srl")
            if doc.has_annotation("SENT_START"):
                spans = [(one.start_char, one.end_char) for one in doc.sents]
            else:
                spans = sentences(doc.text)
            graphs = self._labeller.parse([doc.text[start:end] for start, end in spans])
            if len(self._frames) >= _KEPT:
                del self._frames[next(iter(self._frames))]
            self._frames[key] = [
                _by_tokens(doc, frame, start)
                for (start, _), graph in zip(spans, graphs, strict=True)
                for frame in graph.frames()
                if frame.predicate.span is not None
            ]
        return self._frames[key]


def _by_tokens(doc: Doc, frame: Frame, start: int) -> _Frame:
    """A frame of a sentence that begins at a character of a document."""

    def tokens(node: Node) -> tuple[int, int] | None:
        if node.span is None:
            return None
        first, last = node.span
        span = doc.char_span(start + first, start + last, alignment_mode="expand")
        return None if span is None else (span.start, span.end)

    roles = {name: place for name, node in frame.roles.items() if (place := tokens(node))}
    predicate = tokens(frame.predicate)
    assert predicate is not None
    negated = roles.pop(_NEGATION, None) is not None
    return _Frame(predicate, frame.predicate.sense, roles, negated)


_NEGATION: Final = "ARGM-NEG"
_COMPONENTS: Final[WeakSet[CompsimComponent]] = WeakSet()


def role_graph(doc: Doc) -> RoleGraph:
    """The graph of a document of a component's vocabulary; ``InputError`` for another."""
    graph: RoleGraph = _hook(doc, "role_graph")(doc)
    return graph


def frames(doc: Doc) -> list[SpanFrame]:
    """The frames of a document of a component's vocabulary; ``InputError`` for another."""
    results: list[SpanFrame] = _hook(doc, "frames")(doc)
    return results


def roles(span: Span) -> list[tuple[str, Span]]:
    """The roles that a span fills, each with its predicate.

    The span may lack articles and other stop words of the phrase, or have more of them.
    """
    results: list[tuple[str, Span]] = _hook(span.doc, "roles")(span)
    return results


def displacy_spans(doc: Doc) -> dict[str, Any]:
    """Return predicates and roles for displaCy (``style="span", manual=True``)."""
    results = []
    for frame in frames(doc):
        name = f"not {frame.predicate.text}" if frame.negated else frame.predicate.text
        spans = {"predicate": frame.predicate, **frame.roles}
        results += [
            {"start_token": span.start, "end_token": span.end, "label": f"{role} ({name})"}
            for role, span in spans.items()
        ]
    return {"text": doc.text, "tokens": [token.text for token in doc], "spans": results}


def _words(span: Span) -> tuple[int, ...]:
    """The places of a span's words, without stop words where there are others."""
    words = [token for token in span if not token.is_punct and not token.is_space]
    return tuple(token.i for token in words if not token.is_stop) or tuple(t.i for t in words)


def _hook(doc: Doc, name: str) -> Any:
    if name in doc.user_hooks:
        return doc.user_hooks[name]
    fitting = [one for one in _COMPONENTS if one.vocab is doc.vocab]
    if len(fitting) != 1:
        raise InputError(
            'the document has no role graph: use nlp.add_pipe("compsim"), and '
            'nlp.get_pipe("compsim")(doc) for a document that was saved or made elsewhere'
        )
    return getattr(fitting[0], name)


@Language.factory("compsim", default_config={"method": DEFAULT_METHOD, "options": {}})
def make_component(
    nlp: Language, name: str, method: str, options: dict[str, Any]
) -> CompsimComponent:
    """The component that ``nlp.add_pipe("compsim")`` adds.

    Warns of a pipeline for another language than English, which the component does not read.
    """
    if nlp.lang != "en":
        warnings.warn(
            f"the spaCy component {name!r} reads English only, and this pipeline is for "
            f"{nlp.lang!r}: roles, graphs and scores of other texts mean nothing",
            UserWarning,
            stacklevel=2,
        )
    return CompsimComponent(method, options, name, nlp.vocab)


if not Doc.has_extension("role_graph"):
    Doc.set_extension("role_graph", getter=role_graph)
    Doc.set_extension("frames", getter=frames)
    Span.set_extension("roles", getter=roles)
