"""Every method by name: one table, to which other packages add through an entry point.

A package that declares ``my-method = "my_package:MyMethod"`` in the entry-point group
``compsim.methods`` is found here; ``MyMethod`` is a subclass of ``Method`` with its ``info``.

>>> from compsim.registry import methods
>>> "verbnet-cn" in [info.name for info in methods()]
True

Wherever a method is named, options may stand behind the name: ``NAME:VALUE`` with the value of the
method's first option, or ``NAME:OPTION=VALUE,OPTION=VALUE``.

>>> load("hybrid:static").whole.info.name
'static'
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, Unpack, overload

from compsim.catalogue import Catalogue, near_names, suggestion, written_options
from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError, UnknownNameError
from compsim.method import Method, MethodInfo

if TYPE_CHECKING:
    from compsim.amr.amrbart import AmrBart
    from compsim.amr.cn import AmrCn
    from compsim.amr.smatch.method import AmrS2match, AmrSmatch
    from compsim.amr.wlk.methods import AmrWlk, AmrWwlk
    from compsim.comparison.drs import DrsMethod
    from compsim.comparison.method import ConceptMethod
    from compsim.embeddings.arithmetic import ConvMethod, MeanMethod, MultMethod
    from compsim.embeddings.bertscore import BertScore
    from compsim.embeddings.cross_encoder import CrossEncoderMethod
    from compsim.embeddings.ef_sbert import EfSbert
    from compsim.embeddings.encoders.gensen import GenSen
    from compsim.embeddings.encoders.infersent import InferSent
    from compsim.embeddings.encoders.quickthought import QuickThought
    from compsim.embeddings.encoders.skipthought import SkipThought
    from compsim.embeddings.encoders.use import UniversalSentenceEncoder
    from compsim.embeddings.functions import CallableMethod
    from compsim.embeddings.llm_rating import LlmRating
    from compsim.embeddings.s3bert import S3Bert
    from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
    from compsim.embeddings.sequences import DctMethod, PowerMeansMethod
    from compsim.embeddings.services.openai import OpenAi
    from compsim.embeddings.spebert import SpeBert
    from compsim.embeddings.static.method import StaticMethod
    from compsim.embeddings.synwmd import SynWmd
    from compsim.embeddings.tensor import TensorMethod
    from compsim.embeddings.transformer_layer import TransformerLayer
    from compsim.hybrid.method import HybridMethod
    from compsim.method_options import (
        AmrBartOptions,
        AmrCnOptions,
        AnyOptions,
        BertScoreOptions,
        CallableOptions,
        ConceptOptions,
        CrossEncoderOptions,
        DctOptions,
        DrsOptions,
        EfSbertOptions,
        GenSenOptions,
        HybridOptions,
        InferSentOptions,
        LayerOptions,
        LlmRatingOptions,
        OpenAiOptions,
        PowerMeansOptions,
        RecurrentOptions,
        S2matchOptions,
        S3BertOptions,
        SentenceOptions,
        SmatchOptions,
        SpeBertOptions,
        StaticOptions,
        SynWmdOptions,
        TensorOptions,
        UseOptions,
        WlkOptions,
        WordOptions,
        WwlkOptions,
    )

__all__ = [
    "check_options",
    "check_unmade",
    "load",
    "method_class",
    "methods",
    "named",
    "normalizations",
    "options",
    "resolved",
]

_METHODS: Final = Catalogue(
    "method",
    {
        "hybrid": "compsim.hybrid.method:HybridMethod",
        "verbnet-cn": "compsim.comparison.method:ConceptMethod",
        "amr-cn": "compsim.amr.cn:AmrCn",
        "amr-smatch": "compsim.amr.smatch.method:AmrSmatch",
        "amr-s2match": "compsim.amr.smatch.method:AmrS2match",
        "amr-wlk": "compsim.amr.wlk.methods:AmrWlk",
        "amr-wwlk": "compsim.amr.wlk.methods:AmrWwlk",
        "drs": "compsim.comparison.drs:DrsMethod",
        "static": "compsim.embeddings.static.method:StaticMethod",
        "mean-cn": "compsim.embeddings.arithmetic:MeanMethod",
        "weighted-mean-cn": "compsim.embeddings.arithmetic:WeightedMeanMethod",
        "mult-cn": "compsim.embeddings.arithmetic:MultMethod",
        "conv-cn": "compsim.embeddings.arithmetic:ConvMethod",
        "tensor-cn": "compsim.embeddings.tensor:TensorMethod",
        "dct": "compsim.embeddings.sequences:DctMethod",
        "power-means": "compsim.embeddings.sequences:PowerMeansMethod",
        "synwmd": "compsim.embeddings.synwmd:SynWmd",
        "sbert": "compsim.embeddings.sentence_transformer:SentenceTransformerMethod",
        "mpnet": "compsim.embeddings.presets:Mpnet",
        "defsent": "compsim.embeddings.presets:DefSent",
        "simcse": "compsim.embeddings.presets:SimCse",
        "sentence-t5": "compsim.embeddings.presets:SentenceT5",
        "instructor": "compsim.embeddings.presets:Instructor",
        "labse": "compsim.embeddings.presets:LaBse",
        "dpr": "compsim.embeddings.presets:Dpr",
        "specter": "compsim.embeddings.presets:Specter",
        "stella": "compsim.embeddings.presets:Stella",
        "nv-embed": "compsim.embeddings.presets:NvEmbed",
        "ef-sbert": "compsim.embeddings.ef_sbert:EfSbert",
        "spebert": "compsim.embeddings.spebert:SpeBert",
        "ernie": "compsim.embeddings.transformer_layer:Ernie",
        "bert-flow": "compsim.embeddings.transformer_layer:BertFlow",
        "transformer": "compsim.embeddings.transformer_layer:TransformerLayer",
        "bertscore": "compsim.embeddings.bertscore:BertScore",
        "cross-encoder": "compsim.embeddings.cross_encoder:CrossEncoderMethod",
        "llm-rating": "compsim.embeddings.llm_rating:LlmRating",
        "s3bert": "compsim.embeddings.s3bert:S3Bert",
        "amrbart": "compsim.amr.amrbart:AmrBart",
        "infersent": "compsim.embeddings.encoders.infersent:InferSent",
        "skipthought": "compsim.embeddings.encoders.skipthought:SkipThought",
        "quickthought": "compsim.embeddings.encoders.quickthought:QuickThought",
        "gensen": "compsim.embeddings.encoders.gensen:GenSen",
        "openai": "compsim.embeddings.services.openai:OpenAi",
        "use": "compsim.embeddings.encoders.use:UniversalSentenceEncoder",
        "callable": "compsim.embeddings.functions:CallableMethod",
    },
)

#: Models that are taken for methods.
_MODELS: Final = ("all-minilm-l6-v2", "all-mpnet-base-v2", "bert-base-uncased", "roberta-base")


def methods() -> list[MethodInfo]:
    """Return the promised properties of each method, built-in ones first.

    A method of another package that cannot be imported is left out with a warning.

    Returns:
        One ``MethodInfo`` a method, in the order of ``compsim methods``.

    Examples:
        >>> from compsim import methods
        >>> [info.name for info in methods()][:3]
        ['hybrid', 'verbnet-cn', 'amr-cn']
    """
    return [kind.info for kind in _METHODS.makers()]


@overload
def load(name: Literal["hybrid"] = ..., **options: Unpack[HybridOptions]) -> HybridMethod: ...
@overload
def load(name: Literal["verbnet-cn"], **options: Unpack[ConceptOptions]) -> ConceptMethod: ...
@overload
def load(name: Literal["drs"], **options: Unpack[DrsOptions]) -> DrsMethod: ...
@overload
def load(name: Literal["amr-cn"], **options: Unpack[AmrCnOptions]) -> AmrCn: ...
@overload
def load(name: Literal["amr-smatch"], **options: Unpack[SmatchOptions]) -> AmrSmatch: ...
@overload
def load(name: Literal["amr-s2match"], **options: Unpack[S2matchOptions]) -> AmrS2match: ...
@overload
def load(name: Literal["amr-wlk"], **options: Unpack[WlkOptions]) -> AmrWlk: ...
@overload
def load(name: Literal["amr-wwlk"], **options: Unpack[WwlkOptions]) -> AmrWwlk: ...
@overload
def load(name: Literal["static"], **options: Unpack[StaticOptions]) -> StaticMethod: ...
@overload
def load(
    name: Literal["mean-cn", "weighted-mean-cn"], **options: Unpack[WordOptions]
) -> MeanMethod: ...
@overload
def load(name: Literal["mult-cn"], **options: Unpack[WordOptions]) -> MultMethod: ...
@overload
def load(name: Literal["conv-cn"], **options: Unpack[WordOptions]) -> ConvMethod: ...
@overload
def load(name: Literal["tensor-cn"], **options: Unpack[TensorOptions]) -> TensorMethod: ...
@overload
def load(name: Literal["dct"], **options: Unpack[DctOptions]) -> DctMethod: ...
@overload
def load(
    name: Literal["power-means"], **options: Unpack[PowerMeansOptions]
) -> PowerMeansMethod: ...
@overload
def load(name: Literal["synwmd"], **options: Unpack[SynWmdOptions]) -> SynWmd: ...
@overload
def load(
    name: Literal["sbert", "mpnet", "defsent", "simcse"], **options: Unpack[SentenceOptions]
) -> SentenceTransformerMethod: ...
@overload
def load(
    name: Literal["sentence-t5", "instructor", "labse", "dpr", "specter", "stella", "nv-embed"],
    **options: Unpack[SentenceOptions],
) -> SentenceTransformerMethod: ...
@overload
def load(name: Literal["ef-sbert"], **options: Unpack[EfSbertOptions]) -> EfSbert: ...
@overload
def load(name: Literal["spebert"], **options: Unpack[SpeBertOptions]) -> SpeBert: ...
@overload
def load(
    name: Literal["ernie", "bert-flow", "transformer"], **options: Unpack[LayerOptions]
) -> TransformerLayer: ...
@overload
def load(name: Literal["bertscore"], **options: Unpack[BertScoreOptions]) -> BertScore: ...
@overload
def load(
    name: Literal["cross-encoder"], **options: Unpack[CrossEncoderOptions]
) -> CrossEncoderMethod: ...
@overload
def load(name: Literal["llm-rating"], **options: Unpack[LlmRatingOptions]) -> LlmRating: ...
@overload
def load(name: Literal["s3bert"], **options: Unpack[S3BertOptions]) -> S3Bert: ...
@overload
def load(name: Literal["amrbart"], **options: Unpack[AmrBartOptions]) -> AmrBart: ...
@overload
def load(name: Literal["infersent"], **options: Unpack[InferSentOptions]) -> InferSent: ...
@overload
def load(name: Literal["skipthought"], **options: Unpack[RecurrentOptions]) -> SkipThought: ...
@overload
def load(name: Literal["quickthought"], **options: Unpack[RecurrentOptions]) -> QuickThought: ...
@overload
def load(name: Literal["gensen"], **options: Unpack[GenSenOptions]) -> GenSen: ...
@overload
def load(name: Literal["openai"], **options: Unpack[OpenAiOptions]) -> OpenAi: ...
@overload
def load(name: Literal["use"], **options: Unpack[UseOptions]) -> UniversalSentenceEncoder: ...
@overload
def load(name: Literal["callable"], **options: Unpack[CallableOptions]) -> CallableMethod: ...
@overload
def load(name: str, **options: Unpack[AnyOptions]) -> Method[Any]: ...
def load(name: str = DEFAULT_METHOD, **options: Any) -> Method[Any]:
    """Make a method ready to use: its parser, vectors and weights are opened.

    Args:
        name: A name that ``methods`` lists, of this package or of another one's entry point, with
            options behind it or not, as "hybrid:sbert" and "conv-cn:vectors=builtin".
        **options: What the method's class takes; ``compsim.registry.options`` names them.

    Returns:
        The method. The type checker knows the class of each built-in name.

    Raises:
        UnknownNameError: There is no method of this name.
        InputError: The method does not have an option, or not with this value.
        MissingExtraError: A package that it needs is not installed; the message has the command.
        DataError: A file that an option names is missing or malformed, or another package's method
            is broken.

    Examples:
        >>> from compsim import load
        >>> method = load("verbnet-cn", vectors="builtin")
        >>> method.similarity(["A dog barks."], ["A dog barks.", "It rained."]).shape
        (1, 2)
    """
    if not isinstance(name, str):
        kind = (
            f"the class {name.__name__}" if isinstance(name, type) else f"a {type(name).__name__}"
        )
        raise InputError(
            f"the method is {kind}: give a name that `compsim methods` lists, or "
            "what load made of one"
        )
    name, options = resolved(name, options)
    check_options(name, options)
    method: Method[Any] = _METHODS.make(name, options)
    return method


def named(text: str) -> tuple[str, dict[str, Any]]:
    """Return a method's name and the options that are written behind it.

    A hybrid's first option is what compares whole sentences, with a value of its own:
    "hybrid:sbert=FOLDER". Raises ``UnknownNameError`` for a method that does not exist.

    >>> named("hybrid:sbert=models/mine"), named("verbnet-cn")
    (('hybrid', {'whole': 'sbert:models/mine'}), ('verbnet-cn', {}))
    >>> named("hybrid:sbert,vectors=builtin")
    ('hybrid', {'whole': 'sbert', 'vectors': 'builtin'})
    """
    name, colon, rest = text.partition(":")
    if not colon:
        return text, {}
    known = options(name)
    written = written_options(rest, known)
    if not rest.strip() or (rest and not written):
        raise InputError(f"the method {text!r} has no option behind its colon: write {name!r}")
    if "whole" in written and known[0] == "whole" and isinstance(written["whole"], str):
        written["whole"] = written["whole"].replace("=", ":", 1)
    return name, written


def resolved(name: str, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a method's plain name, and the options behind its name with those that are given.

    Raises ``UnknownNameError`` for a method that does not exist behind which options stand, and
    ``InputError`` for an option that is given twice.

    >>> resolved("hybrid:static", {"vectors": "builtin"})
    ('hybrid', {'whole': 'static', 'vectors': 'builtin'})
    """
    plain, written = named(name) if isinstance(name, str) else (name, {})
    if twice := [option for option in written if option in given]:
        raise InputError(
            f"{', '.join(twice)} stands behind the name in {name!r} and is given as an option too: "
            "leave one out"
        )
    return plain, {**written, **given}


def method_class(name: str) -> type[Method[Any]]:
    """Return the class of a method; raises ``UnknownNameError`` where there is none."""
    plain = name.partition(":")[0]
    try:
        kind: type[Method[Any]] = _METHODS.find(plain)
    except UnknownNameError as error:
        if "/" not in name and not near_names(name.lower(), _MODELS):
            raise
        raise UnknownNameError(
            f"there is no method {name!r}: for a model give its name as an option, as in "
            f'load("sbert", model={name!r})'
        ) from error
    return kind


def options(name: str) -> list[str]:
    """The names of the options that a method takes.

    Args:
        name: The name of a method.

    Returns:
        The names, in the order of its constructor.

    Raises:
        UnknownNameError: There is no method of this name.

    Examples:
        >>> options("amr-smatch")
        ['parser', 'published', 'top_concept', 'nodes', 'on_failure', 'cache']
    """
    return list(inspect.signature(method_class(name)).parameters)


def normalizations(name: str) -> tuple[str, ...]:
    """The values of a method's ``normalize`` option.

    Args:
        name: The name of a method.

    Returns:
        The values, the default first; none for a method without the option.

    Raises:
        UnknownNameError: There is no method of this name.

    Examples:
        >>> normalizations("verbnet-cn")
        ('matched', 'union', 'fixed')
    """
    values: tuple[str, ...] = method_class(name).normalizations
    return values


def check_options(name: str, given: Iterable[str], more: Iterable[str] = ()) -> None:
    """Raise ``InputError`` for the name of an option that a method does not have.

    Says what was perhaps meant, or which other methods have it. ``more`` are the names that whoever
    asks takes beside the options of the method. A method that takes any option is not checked.

    >>> check_options("hybrid", ["weights"])
    Traceback (most recent call last):
    ...
    compsim.errors.InputError: method 'hybrid' has no option 'weights', which verbnet-cn has: ...
    """
    name, given = resolved(name, dict.fromkeys(given))
    parameters = inspect.signature(method_class(name)).parameters
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return
    known = [*parameters, *more]
    for option in given:
        if option in known:
            continue
        if option in ("options", "kwargs"):
            raise InputError(f"{option} is no option itself: give its items, as **{option}")
        others = [] if near_names(option, known) else _methods_with(option)
        having = f", which {', '.join(others)} {'has' if len(others) == 1 else 'have'}"
        having = having if others else ""
        raise InputError(
            f"method {name!r} has no option {option!r}{having}: {suggestion(option, known)}"
        )


def _methods_with(option: str) -> list[str]:
    """Return the names of the built-in methods that have an option, three at most."""
    named = (name for name in _METHODS.built_in if option in options(name))
    return list(islice(named, 3))


def check_unmade(method: str | Method[Any] | None, options: Collection[str]) -> None:
    """Raise ``InputError`` for options beside a method that has its own already."""
    if isinstance(method, Method) and options:
        raise InputError(
            f"the method is made already: leave out {', '.join(options)}, or give its name"
        )
