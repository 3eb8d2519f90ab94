"""Options of a method that a file may set by itself.

A corpus, and a pipeline that another package has saved, name a method with its options. Whoever
made the file could thereby have code run, files read, and texts and keys sent to a service. So a
file decides only what the table below lists: names of things that ship with compsim, numbers and
choices. Everything else must be given again by whoever opens it.

>>> undecided("hybrid", {"vectors": "builtin"})
[]
>>> undecided("verbnet-cn", {"parser": "llm:http://localhost/v1", "normalize": "fixed"})
['parser']
>>> undecided("callable", {"function": "os:system"})
['method', 'function']
>>> check("corpus", "verbnet-cn", {"vectors": "v.txt"}, (), "give vectors to Corpus.open")
Traceback (most recent call last):
...
compsim.errors.InputError: corpus names vectors='v.txt', which a file may not decide, since ...
"""

from __future__ import annotations

import re
import reprlib
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from compsim.errors import InputError

__all__ = ["check", "undecided"]

Rule = Callable[[Any], bool]

#: What an error calls the method itself, beside its options.
_METHOD: Final = "method"
#: Values are shown in a length at which they can be given again, as a rule.
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 200


def undecided(method: str, options: Mapping[str, Any]) -> list[str]:
    """Return the names of the options that a file may not decide, ``"method"`` first if it is one.

    A method of another package is one, and so is each of its options.
    """
    known = isinstance(method, str) and method in _OPTIONS
    rules = {**_RANKING, **_OPTIONS[method]} if known else {}
    names = [_METHOD] if not known or method in _GIVEN else []
    return names + [name for name, value in options.items() if not _allows(rules, name, value)]


def check(
    where: str, method: str, options: Mapping[str, Any], given: Collection[str], mend: str
) -> None:
    """Raise ``InputError``, which says ``mend``, unless all that is undecided was ``given``."""
    names = [name for name in undecided(method, options) if name not in given]
    if names:
        values = {_METHOD: method, **options}
        shown = ", ".join(f"{name}={_SHORT.repr(values[name])}" for name in names)
        raise InputError(
            f"{where} names {shown}, which a file may not decide, since it could run code, read "
            f"files or send texts elsewhere: if you trust it, {mend}"
        )


def _allows(rules: Mapping[str, Rule], name: str, value: Any) -> bool:
    return name in rules and rules[name](value)


def _one_of(*known: Any) -> Rule:
    """Return the rule for one of these values; 1 is not True."""
    return lambda value: any(type(value) is type(one) and value == one for one in known)


def _whole(low: int, high: int, *others: Any) -> Rule:
    """Return the rule for a whole number in a range, or one of the others."""
    other = _one_of(*others)
    return lambda value: (type(value) is int and low <= value <= high) or other(value)


def _number(low: float, high: float, *others: Any) -> Rule:
    """Return the rule for any number in a range, or one of the others."""
    other = _one_of(*others)
    return lambda value: (type(value) in (int, float) and low <= value <= high) or other(value)


def _is_device(value: Any) -> bool:
    """Return whether a value names a kind of processor."""
    fits = isinstance(value, str) and re.fullmatch(r"cpu|mps|cuda(:[0-9]{1,2})?", value)
    return value is None or bool(fits)


def _is_layers(value: Any) -> bool:
    """Return whether a value names layers of a transformer, such as "first+last"."""
    layer = r"([0-9]{1,4}|first|last)"
    return isinstance(value, str) and bool(re.fullmatch(rf"{layer}(\+{layer}){{0,99}}", value))


def _is_powers(value: Any) -> bool:
    """Return whether a value names power means, such as "1+min+max"."""
    power = r"([0-9]{1,2}|min|max)"
    return isinstance(value, str) and bool(re.fullmatch(rf"{power}(\+{power}){{0,99}}", value))


def _is_prompt(value: Any) -> bool:
    """Return whether a value is a text to put before sentences, or None."""
    return value is None or (isinstance(value, str) and len(value) <= 1000)


def _is_calibration(value: Any) -> bool:
    """Return whether a value is the two numbers of a calibration, in a list or by name, or None."""
    if isinstance(value, Mapping):
        value = list(value.values()) if value.keys() == {"slope", "intercept"} else ()
    number = _number(-_LARGEST, _LARGEST)
    pair = isinstance(value, list | tuple) and len(value) == 2
    return value is None or (pair and all(map(number, value)))


def _is_texts(value: Any) -> bool:
    """Return whether a value is a list of texts, or None."""
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))


_LARGEST: Final = sys.float_info.max
_FLAG: Final = _one_of(False, True)
_MANY: Final = 1 << 31

_PARSERS: Final = _one_of("srl", "amr")
_WORDS: Final[Mapping[str, Rule]] = {"vectors": _one_of(None, "builtin", "numberbatch")}
_NORMALIZED: Final[Mapping[str, Rule]] = {
    "normalize": _one_of("none", "zscore", "abtt", "pcr", "whitening", "flow")
}
_ARITHMETIC: Final[Mapping[str, Rule]] = {**_WORDS, **_NORMALIZED}
#: A file may say that nothing is kept on disk, not that something is.
_CACHE: Final[Mapping[str, Rule]] = {"cache": _one_of(None, False)}
_FAILURES: Final[Mapping[str, Rule]] = {"on_failure": _one_of("fallback", "raise", "nan"), **_CACHE}
_AMR: Final[Mapping[str, Rule]] = {"parser": _PARSERS, **_FAILURES}
_MODEL: Final[Mapping[str, Rule]] = {
    "model": _one_of(None),
    "device": _is_device,
    "batch_size": _whole(1, 4096),
}
_TRANSFORMER: Final[Mapping[str, Rule]] = {**_MODEL, "trust_remote_code": _one_of(False)}
_SENTENCES: Final[Mapping[str, Rule]] = {
    **_TRANSFORMER,
    **_NORMALIZED,
    "backend": _one_of("torch", "onnx", "onnx-int8", "openvino"),
    "prompt": _is_prompt,
}
_SERVICE: Final[Mapping[str, Rule]] = {
    "url": _one_of("https://api.openai.com/v1"),
    "timeout": _number(0.001, 3600),
    "retries": _whole(0, 100),
    "workers": _whole(1, 256),
}
_LAYER: Final[Mapping[str, Rule]] = {
    **_TRANSFORMER,
    **_NORMALIZED,
    "layer": lambda value: _whole(0, 1000, None)(value) or _is_layers(value),
    "pooling": _one_of("mean", "max", "cls", "pooler"),
}
_CONCEPTS: Final[Mapping[str, Rule]] = {
    **_WORDS,
    "parser": _one_of(None, "concepts", "srl"),
    "scheme": _one_of(None),
}
#: The methods of sentence vectors that run here on what ships with them.
_LOCAL: Final = (
    *("sbert", "static", "mean-cn", "weighted-mean-cn", "mult-cn", "conv-cn"),
    *("mpnet", "defsent", "simcse", "sentence-t5", "instructor", "labse", "ernie"),
)

#: What a reranker takes beside the options of its method.
_RANKING: Final[Mapping[str, Rule]] = {
    "combine": _whole(1, 1000, "max", "mean"),
    "blend": _one_of("score", "rrf"),
    "weight": _number(0, 1),
    "exclude": _number(0, 1, None),
    "calibration": _is_calibration,
}

#: Options of a transformer's states that ``spebert`` has.
_OF_PHRASES: Final = ("model", "device", "layer", "normalize")

#: Methods that a file may name only where the caller does: they run its code or send texts.
_GIVEN: Final = frozenset({"callable", "llm-rating", "openai"})

#: What a file may decide of each method: the values that each option may have.
_OPTIONS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "hybrid": {**_CONCEPTS, **_CACHE, "whole": _one_of(None, *_LOCAL)},
    "verbnet-cn": {
        **_CONCEPTS,
        **_FAILURES,
        "weights": _one_of(None, "paper", "uniform", "framenet", "ucca"),
        "normalize": _one_of(None, "matched", "union", "fixed"),
    },
    "drs": {
        **_WORDS,
        **_FAILURES,
        "parser": _one_of(None, "concepts", "srl"),
        **dict.fromkeys(("words", "structure", "order"), _number(0, 1e6)),
    },
    "amr-cn": {**_AMR, **_WORDS, "fillers": _one_of("last", "all")},
    "amr-smatch": {
        **_AMR,
        "published": _FLAG,
        "top_concept": _FLAG,
        "nodes": _whole(1, _MANY, None),
    },
    "amr-s2match": {
        **_AMR,
        **_WORDS,
        "threshold": _number(0, 1),
        "nodes": _whole(1, _MANY, None),
    },
    "amr-wlk": {**_AMR, "k": _whole(0, 100), "direction": _one_of("both", "out", "in")},
    "amr-wwlk": {
        **_AMR,
        **_WORDS,
        "k": _whole(0, 100),
        "direction": _one_of("both", "out", "in"),
        "edge_weights": _one_of("min-entropy", "constant"),
    },
    "static": {"model": _one_of(None), **_NORMALIZED},
    **dict.fromkeys(("mean-cn", "weighted-mean-cn", "mult-cn", "conv-cn"), _ARITHMETIC),
    "tensor-cn": _WORDS,
    "dct": {**_ARITHMETIC, "k": _whole(0, 63)},
    "power-means": {**_ARITHMETIC, "powers": _is_powers},
    "synwmd": {**_WORDS, "sentences": _is_texts},
    **dict.fromkeys(
        (
            *("sbert", "mpnet", "defsent", "simcse", "sentence-t5"),
            *("instructor", "labse", "dpr", "specter", "stella", "nv-embed"),
        ),
        _SENTENCES,
    ),
    **dict.fromkeys(("ernie", "transformer", "bert-flow"), _LAYER),
    "ef-sbert": {**_TRANSFORMER, **_NORMALIZED, "share": _number(0, 1)},
    "spebert": {
        **{option: rule for option, rule in _LAYER.items() if option in _OF_PHRASES},
        "pairs": _one_of("main", "all"),
    },
    "bertscore": {
        **_TRANSFORMER,
        "layer": _whole(0, 1000, None),
        "idf": _is_texts,
        "backend": _one_of("torch", "onnx", "onnx-int8"),
    },
    "cross-encoder": {**_TRANSFORMER, "label": _whole(0, 1000, None)},
    "llm-rating": {**_SERVICE, "model": _one_of("gpt-4o")},
    "s3bert": {**_MODEL, **_NORMALIZED, "aspect_size": _whole(1, 4096, None)},
    "amrbart": {**_MODEL, **_AMR},
    "infersent": {
        **_MODEL,
        **_NORMALIZED,
        "vectors": _one_of(None),
        "version": _one_of(1, 2),
    },
    "skipthought": {**_MODEL, **_NORMALIZED},
    "quickthought": {**_MODEL, **_NORMALIZED},
    "gensen": {**_MODEL, **_NORMALIZED, "vectors": _one_of(None)},
    "openai": {
        **_NORMALIZED,
        **_CACHE,
        **_SERVICE,
        "model": _one_of(
            "text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"
        ),
        "dimensions": _whole(1, 1 << 16, None),
        "batch_size": _whole(1, 1 << 16),
        "batch_tokens": _whole(1, _MANY),
        "token_limit": _whole(1, _MANY),
        "requests_per_minute": _whole(1, _MANY, None),
        "tokens_per_minute": _whole(1, _MANY, None),
        "price": _number(0, 1e6, None),
    },
    "use": {
        **_NORMALIZED,
        "model": _one_of(None),
        "batch_size": _whole(1, 4096),
    },
    "callable": _NORMALIZED,
}
