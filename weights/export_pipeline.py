"""A spaCy pipeline as arrays and tables, which run without spaCy (``weights/pipeline``), and back.

:mod:`compsim.weights.train_pipeline` ends with it. The weights are stored as they are. spaCy's
vocabulary, of which the network asks no more than hashes of words, is left out; patterns and
special cases of its tokenizer and the tables of its lemmatizer become JSON. :func:`restored` makes
the spaCy pipeline again, to train it on or to compare it. Needs the ``recipes`` extra.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt
import spacy
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.language import Language
from spacy.lookups import Lookups
from spacy.tokens import Doc
from spacy.util import load_model_from_config
from thinc.api import Config

from compsim.parsers.pipeline.tokens import Tokenizer
from compsim.parsers.pipeline.transitions import KINDS

__all__ = ["export", "opened", "restored"]

HERE = Path(__file__).parent
#: spaCy's numbers of names that are no hashes; the module has no types.
SYMBOLS: Final[dict[str, int]] = import_module("spacy.symbols").IDS
ORTH, NORM = SYMBOLS["ORTH"], SYMBOLS["NORM"]
Arrays = dict[str, npt.NDArray[np.float32 | np.float16]]

#: What the names of tables of embeddings begin with.
_EMBEDDING: Final = "embedding_"
#: Parts of speech that have lemma tables.
POS: Final = ("adj", "adv", "noun", "punct", "verb")


def arrays(nlp: Language) -> Arrays:
    """Return the weights of a pipeline of ``weights/pipeline.cfg`` by name, embeddings as halves.

    That gives 9 of the 189,847 words of 12,014 texts another head or label.
    """
    made = {name: model.get_param(key) for name, (model, key) in _parameters(nlp).items()}
    return {
        name: array.astype(np.float16) if name.startswith(_EMBEDDING) else array
        for name, array in made.items()
    }


def _parameters(nlp: Language) -> dict[str, tuple[Any, str]]:
    """The model and key of each array."""
    embed, encode = nlp.get_pipe("tok2vec").model.layers  # type: ignore[attr-defined]
    tagger: Any = nlp.get_pipe("tagger").model  # type: ignore[attr-defined]
    parser: Any = nlp.get_pipe("parser").model  # type: ignore[attr-defined]
    results = {}
    for i, model in enumerate(_tables(nlp)):
        results[f"{_EMBEDDING}{i}"] = model, "E"
    for name, layer in [("mix", embed.layers[3])] + [
        (f"convolution_{i}", layer) for i, layer in enumerate(encode.layers[0].layers)
    ]:
        maxout, norm = (
            next(model for model in layer.walk() if model.name == kind)
            for kind in ("maxout", "layernorm")
        )
        results |= {f"{name}_weights": (maxout, "W"), f"{name}_bias": (maxout, "b")}
        results |= {f"{name}_gain": (norm, "G"), f"{name}_shift": (norm, "b")}
    linear = parser.get_ref("tok2vec").layers[-1]
    for name, model in (
        ("tag", tagger.get_ref("softmax")),
        ("reduce", linear),
        ("lower", parser.get_ref("lower")),
        ("upper", parser.get_ref("upper")),
    ):
        results |= {f"{name}_weights": (model, "W"), f"{name}_bias": (model, "b")}
    results["lower_missing"] = parser.get_ref("lower"), "pad"
    return results


def _tables(nlp: Language) -> list[Any]:
    """The tables of embeddings."""
    embed = nlp.get_pipe("tok2vec").model.layers[0]  # type: ignore[attr-defined]
    return [model for model in embed.walk() if model.name == "hashembed"]


def about(nlp: Language, made: Arrays, tables: Sequence[str]) -> dict[str, Any]:
    """Return labels, settings and figures of a pipeline with these weights and tables."""
    embed = nlp.get_pipe("tok2vec").model.layers[0]  # type: ignore[attr-defined]
    moves: Any = nlp.get_pipe("parser").moves  # type: ignore[attr-defined]
    checksum = 0
    for content in (*(made[name].tobytes() for name in sorted(made)), *map(str.encode, tables)):
        checksum = crc32(content, checksum)
    return {
        "name": nlp.meta["name"],
        "version": f"{nlp.meta['version']}-{checksum:08x}",
        "license": nlp.meta["license"],
        "performance": nlp.meta["performance"],
        "attributes": embed.layers[0].attrs["columns"],
        "seeds": [model.attrs["seed"] for model in _tables(nlp)],
        "tags": list(nlp.get_pipe("tagger").labels),  # type: ignore[attr-defined]
        "moves": [moves.get_class_name(i) for i in range(moves.n_moves)],
    }


def token_rules(nlp: Language) -> dict[str, Any]:
    """Return the patterns, special cases and normal forms of a pipeline's tokenizer."""
    own: Any = nlp.tokenizer
    patterns = {
        "prefix": own.prefix_search,
        "suffix": own.suffix_search,
        "infix": own.infix_finditer,
        "url": own.url_match,
    }
    rules: dict[str, Any] = {name: each.__self__.pattern for name, each in patterns.items()}
    rules["special"] = {
        word: [[part[ORTH], part.get(NORM)] for part in parts]
        for word, parts in sorted(own.rules.items())
    }
    rules["spread"] = {}
    torn = Tokenizer(rules)
    for word in rules["special"]:
        affixed = own.find_prefix(word) or own.find_suffix(word) or own.find_infix(word)
        if affixed and not word.isspace():
            rules["spread"][" ".join(torn.torn(word))] = word
    rules["norms"] = dict(sorted(BASE_NORMS.items()))
    rules["symbols"] = dict(sorted((name, number) for name, number in SYMBOLS.items() if name))
    return rules


def lemma_rules(nlp: Language) -> dict[str, Any]:
    """Return part-of-speech classes by tag, and the tables of a pipeline's lemmatizer."""
    ruler: Any = nlp.get_pipe("attribute_ruler")
    lemmatizer: Any = nlp.get_pipe("lemmatizer")
    given: dict[str, dict[str, str]] = {}
    for each in ruler.patterns:
        ((pattern,),) = each["patterns"]
        if "LOWER" in pattern:
            given.setdefault(pattern["TAG"], {})[pattern["LOWER"]] = each["attrs"]["LEMMA"]
    tags = list(nlp.get_pipe("tagger").labels)  # type: ignore[attr-defined]
    doc = ruler(Doc(nlp.vocab, words=["x"] * len(tags), tags=tags))
    tables = {
        name: {pos: table[pos] for pos in POS if table.get(pos)}
        for name in ("rules", "exc", "index")
        for table in [lemmatizer.lookups.get_table(f"lemma_{name}")]
    }
    return {
        "classes": {token.tag_: token.pos_ for token in doc},
        "base": [token.tag_ for token in doc if lemmatizer.is_base_form(token)],
        "given": given,
        "rules": tables["rules"],
        "exceptions": tables["exc"],
        "index": {pos: " ".join(sorted(words)) for pos, words in tables["index"].items()},
    }


def export(nlp: Language, out: Path) -> None:
    """Write a pipeline to a folder."""
    out.mkdir(parents=True, exist_ok=True)
    made = arrays(nlp)
    np.savez(out / "model.npz", allow_pickle=False, **made)
    tables = [_json(token_rules(nlp)), _json(lemma_rules(nlp))]
    texts = {"tokens": tables[0], "lemmas": tables[1], "about": _json(about(nlp, made, tables), 1)}
    for name, text in texts.items():
        (out / f"{name}.json").write_text(text, encoding="utf8")


def _json(content: dict[str, Any], indent: int | None = None) -> str:
    return json.dumps(content, ensure_ascii=False, indent=indent) + "\n"


def restored(folder: Path) -> Language:
    """Return the spaCy pipeline that a folder was exported from."""
    about, tokens, tables = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf8"))
        for name in ("about", "tokens", "lemmas")
    )
    config = Config().from_disk(HERE / "pipeline.cfg")
    nlp = load_model_from_config(config, auto_fill=True)
    tagger: Any = nlp.get_pipe("tagger")
    parser: Any = nlp.get_pipe("parser")
    for tag in about["tags"]:
        tagger.add_label(tag)
    for i, name in enumerate(about["moves"]):
        kind, _, label = name.partition("-")
        parser.moves.add_action(KINDS.index(kind), label)
        # A file of moves is sorted by how often each was learned from.
        parser.moves.labels[KINDS.index(kind)][label] = len(about["moves"]) - i
    doc = Doc(nlp.vocab, words=["x"])
    nlp.get_pipe("tok2vec").model.initialize(X=[doc])  # type: ignore[attr-defined]
    tagger.model.initialize(X=[doc], Y=[np.zeros((1, len(about["tags"])), dtype=np.float32)])
    parser._resize()
    parser.model.initialize([doc])
    with np.load(folder / "model.npz", allow_pickle=False) as stored:
        for name, (model, key) in _parameters(nlp).items():
            model.set_param(key, stored[name].astype(np.float32))
    for model, seed in zip(_tables(nlp), about["seeds"], strict=True):
        model.attrs["seed"] = seed
    own: Any = nlp.tokenizer
    own.prefix_search, own.suffix_search, own.infix_finditer, own.url_match = (
        getattr(re.compile(tokens[name]), use)
        for name, use in (
            ("prefix", "search"),
            ("suffix", "search"),
            ("infix", "finditer"),
            ("url", "match"),
        )
    )
    own.rules = {
        word: [{ORTH: text} | ({} if norm is None else {NORM: norm}) for text, norm in parts]
        for word, parts in tokens["special"].items()
    }
    _restore_lemmas(nlp, tables)
    nlp.meta.update({name: about[name] for name in ("name", "license", "performance")})
    nlp.meta["version"] = about["version"].rpartition("-")[0]
    return nlp


def opened(name: str) -> Language:
    """Return the pipeline of a folder that was exported, or spaCy's of this name or folder."""
    exported = (Path(name) / "tokens.json").is_file()
    return restored(Path(name)) if exported else spacy.load(name, exclude=["ner", "senter"])


def _restore_lemmas(nlp: Language, tables: dict[str, Any]) -> None:
    ruler: Any = nlp.add_pipe("attribute_ruler")
    for tag, pos in tables["classes"].items():
        # What a base form is by spaCy's rules.
        base = {"NOUN": "Number=Sing", "VERB": "VerbForm=Inf"}.get(pos, "Degree=Pos")
        morph = base if tag in tables["base"] else ""
        ruler.add(patterns=[[{"TAG": tag}]], attrs={"POS": pos, "MORPH": morph})
    for tag, forms in tables["given"].items():
        for form, lemma in forms.items():
            ruler.add(patterns=[[{"LOWER": form, "TAG": tag}]], attrs={"LEMMA": lemma})
    lookups = Lookups()
    lookups.add_table("lemma_rules", tables["rules"])
    lookups.add_table("lemma_exc", tables["exceptions"])
    index = {pos: words.split() for pos, words in tables["index"].items()}
    lookups.add_table("lemma_index", index)
    lemmatizer: Any = nlp.add_pipe("lemmatizer", config={"mode": "rule"})
    lemmatizer.initialize(lookups=lookups)
