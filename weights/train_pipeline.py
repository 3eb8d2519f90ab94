"""Recipe of the shipped pipeline (``weights/pipeline``): a small student of a bigger parser.

spaCy trains it; :mod:`compsim.weights.export_pipeline` writes it as what runs without spaCy.

The student learns from *silver trees*, sentences parsed by a teacher pipeline, so it speaks the
teacher's label scheme (ClearNLP: nsubj, dobj, dative, prep + pobj, ...) and any spaCy pipeline
with those labels can stand in for it. Trees come from a CoNLL file or from an installed pipeline::

    python -m compsim.weights.train_pipeline --silver trees.conll.gz --out weights/pipeline
    python -m compsim.weights.train_pipeline --text lines.txt --teacher en_core_web_lg --out DIR

A second teacher (``--second``) parses the same sentences again, and gold annotation (``--gold``)
and agreement choose among their trees (:mod:`compsim.weights.silver`). Plain sentences
(:mod:`compsim.weights.treebank.sentences`) are added to what the student learns from, since
teachers stumble over "Police question suspects.", and a few silver ones in other letters.

A run can go on from a pipeline (``--start``). The shipped one was trained in three: 8,000 steps on
the trees of en_core_web_sm and few plain sentences, 2,500 on those that en_core_web_md gave to the
same sentences, 2,850 on what both gave and all plain sentences; the last two ended before their
learning rate was down. A run of the recipe gives a pipeline like it, not the same::

    train_pipeline --silver trees.conll.gz --out A
    train_pipeline --silver trees.conll.gz --second en_core_web_md --gold DATA --start A --out B

Two thousand sentences are held out for choosing the best checkpoint and two thousand more for the
reported agreement with the teacher; which ones depends on nothing but their own text.
Needs the ``recipes`` extra. A run takes 20 to 40 minutes on one core.
"""

from __future__ import annotations

import hashlib
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import spacy
import typer
from spacy.cli.train import train as spacy_train
from spacy.language import Language
from spacy.lookups import Lookups
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Config

from compsim._version import __version__
from compsim.parsers.files.conll import Tree, parse_with, read_conll
from compsim.weights.export_pipeline import export, opened
from compsim.weights.silver import choose, parse_again, read_gold
from compsim.weights.treebank.sentences import plain_sentences, recased

HERE = Path(__file__).parent
HELD_OUT = 2000
PLAIN = 45000
RECASED = 0.04
RATE_OF_MORE = 0.001  # learning rate of a run that goes on
SHORT = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")  # one syllable that doubles its last letter
ENDS = (".", "?", "!")
VERBAL = ["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"]
# Inflection that a tag states; the lemmatizer leaves base forms alone by it.
FEATURES = {
    "JJ": "Degree=Pos",
    "JJR": "Degree=Cmp",
    "JJS": "Degree=Sup",
    "NN": "Number=Sing",
    "NNS": "Number=Plur",
    "VB": "VerbForm=Inf",
    "VBD": "Tense=Past|VerbForm=Fin",
    "VBG": "Aspect=Prog|Tense=Pres|VerbForm=Part",
    "VBN": "Aspect=Perf|Tense=Past|VerbForm=Part",
    "VBP": "Tense=Pres|VerbForm=Fin",
    "VBZ": "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
}
# Present forms that are not the lemma, as all others of their tag (VBP) are.
IRREGULAR = {"be": ["am", "are", "'m", "'re", "m", "re"], "have": ["'ve", "ve"]}


def split(trees: Iterable[Tree]) -> tuple[list[Tree], list[Tree], list[Tree]]:
    """(train, dev, test) in an order that depends only on each sentence's text; no text twice."""
    unique = {tree.text: tree for tree in trees if any(word.strip() for word in tree.words)}
    ordered = sorted(unique.items(), key=lambda item: hashlib.sha256(item[0].encode()).digest())
    shuffled = [tree for _, tree in ordered]
    return shuffled[2 * HELD_OUT :], shuffled[:HELD_OUT], shuffled[HELD_OUT : 2 * HELD_OUT]


def to_doc(trees: list[Tree], vocab: Vocab) -> Doc:
    """One document of one or more sentences."""
    words: list[str] = []
    tags: list[str] = []
    deps: list[str] = []
    heads: list[int] = []
    spaces: list[bool] = []
    starts: list[bool | int | None] = []
    for i, tree in enumerate(trees):
        last = i == len(trees) - 1
        heads += [len(words) + head for head in tree.heads]
        words += tree.words
        spaces += [*tree.spaces[:-1], not last]
        tags += tree.tags
        deps += tree.deps
        starts += [j == 0 for j in range(len(tree.words))]
    return Doc(vocab, words, spaces, tags=tags, heads=heads, deps=deps, sent_starts=starts)


def group(trees: list[Tree], rng: random.Random) -> Iterator[list[Tree]]:
    """Mostly single sentences; now and then two or three, so that the student learns to segment."""
    i = 0
    while i < len(trees):
        size = rng.choice((2, 3)) if rng.random() < 0.1 else 1
        chunk = trees[i : i + size]
        i += size
        if all(tree.words[-1] in ENDS for tree in chunk):
            yield chunk
        else:
            yield from ([tree] for tree in chunk)


def write_docs(groups: Iterable[list[Tree]], path: Path) -> None:
    """Write one document per group, in the format that ``spacy train`` reads."""
    vocab = spacy.blank("en").vocab
    DocBin(docs=[to_doc(chunk, vocab) for chunk in groups]).to_disk(path)


def tag_classes(trees: Iterable[Tree]) -> dict[str, str]:
    """The teacher's most frequent part-of-speech class for each fine-grained tag."""
    counts: dict[str, Counter[str]] = {}
    for tree in trees:
        for tag, pos in zip(tree.tags, tree.pos, strict=True):
            counts.setdefault(tag, Counter())[pos] += 1
    return {tag: classes.most_common(1)[0][0] for tag, classes in sorted(counts.items())}


def finish(nlp: Language, classes: dict[str, str]) -> Language:
    """Add part-of-speech classes and lemmas, which need no training.

    Auxiliaries are verbs by their class, since the lemma rules know only those; their dependency
    labels tell them apart.
    """
    ruler: Any = nlp.add_pipe("attribute_ruler")
    for tag, pos in classes.items():
        attrs = {"POS": "VERB" if tag in (*VERBAL, "MD") else pos, "MORPH": FEATURES.get(tag, "")}
        ruler.add(patterns=[[{"TAG": tag}]], attrs=attrs)
    for lemma, forms in IRREGULAR.items():
        for form in forms:  # the lemmatizer leaves a lemma alone that is there
            ruler.add(patterns=[[{"LOWER": form, "TAG": "VBP"}]], attrs={"LEMMA": lemma})
    lemmatizer: Any = nlp.add_pipe("lemmatizer", config={"mode": "rule"})
    lemmatizer.initialize()  # tables of the package spacy-lookups-data
    mend_tables(lemmatizer.lookups)
    return nlp


def mend_tables(lookups: Lookups) -> None:
    """Add the contracted "be", and let "riding" be one of "ride", not of "rid".

    A stem of one short syllable doubles its last letter, so such a form is that of the verb in -e;
    out of the index, the stem is still the lemma of its own forms.
    """
    verbs = set(lookups.get_table("lemma_index")["verb"])
    shadows = {
        verb.removesuffix("e")
        for verb in verbs
        if verb.endswith("e") and SHORT.fullmatch(verb.removesuffix("e"))
    }
    lookups.get_table("lemma_index")["verb"] = sorted(verbs - shadows)
    exceptions = lookups.get_table("lemma_exc")["verb"]
    exceptions.update({"'s": ["be"], "s": ["be"]})


def agreement(nlp: Language, trees: list[Tree]) -> dict[str, float]:
    """Tag accuracy, UAS and LAS (punctuation out) against the teacher's trees."""
    examples = [Example(nlp.make_doc(tree.text), to_doc([tree], nlp.vocab)) for tree in trees]
    scores = nlp.evaluate(examples, batch_size=512)
    return {name: round(100 * scores[name], 2) for name in ("tag_acc", "dep_uas", "dep_las")}


def settings(folder: Path, start: Path | None, steps: int) -> Path:
    """The training configuration; with ``start`` the weights and labels of that pipeline go on."""
    if start:
        opened(str(start)).to_disk(folder / "start")
    config = Config().from_disk(HERE / "pipeline.cfg", interpolate=False)
    config["paths"] = {part: str(folder / f"{part}.spacy") for part in ("train", "dev")}
    config["training"]["max_steps"] = steps
    if start:
        for name in config["nlp"]["pipeline"]:
            config["components"][name] = {"source": str(folder / "start")}
        config["training"]["optimizer"]["learn_rate"]["initial_rate"] = RATE_OF_MORE
    config.to_disk(folder / "student.cfg")
    return folder / "student.cfg"


def main(
    out: Annotated[Path, typer.Option(help="folder to write the pipeline to")],
    silver: Annotated[Path | None, typer.Option(help="CoNLL file of silver trees")] = None,
    text: Annotated[Path | None, typer.Option(help="sentences, one a line")] = None,
    teacher: Annotated[str, typer.Option(help="pipeline that parses --text")] = "en_core_web_lg",
    second: Annotated[str, typer.Option(help="pipeline that parses --silver again")] = "",
    gold: Annotated[Path | None, typer.Option(help="folder of gold data that chooses")] = None,
    start: Annotated[Path | None, typer.Option(help="pipeline to train on")] = None,
    steps: Annotated[int, typer.Option(help="training steps of up to 1,000 words")] = 8000,
    work: Annotated[Path | None, typer.Option(help="keep checkpoints here")] = None,
) -> None:
    """Train the student, report its agreement with the teacher, write it to OUT."""
    if silver:
        trees = list(read_conll(silver))
    elif text:
        trees = list(parse_with(teacher, text.read_text(encoding="utf8").splitlines()))
    else:
        raise typer.BadParameter("give --silver FILE, or --text FILE with --teacher MODEL")
    if second:
        known = read_gold(gold) if gold else {}
        trees = list(choose(parse_again(second, trees), trees, known))
    train, dev, test = split(trees)
    with tempfile.TemporaryDirectory() as scratch:
        folder = work or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        rng = random.Random(20)
        plain = plain_sentences(train, PLAIN, rng)
        more = [[tree] for tree in (*plain, *recased(train, RECASED, rng))]
        write_docs([*group(train, rng), *more], folder / "train.spacy")
        write_docs(([tree] for tree in dev), folder / "dev.spacy")
        spacy_train(settings(folder, start, steps), folder / "student")
        nlp = finish(spacy.load(folder / "student" / "model-best"), tag_classes(train))
    scores = agreement(nlp, test)
    typer.echo(f"held-out agreement with the teacher: {scores}")
    nlp.meta.update(
        name="compsim_student", version=__version__, license="CC BY-SA 4.0", performance=scores
    )
    export(nlp, out)


if __name__ == "__main__":
    typer.run(main)
