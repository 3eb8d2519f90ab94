"""Silver trees of two teachers, chosen by gold annotation where there is some.

Two parsers trained apart rarely make the same mistake: where they agree, a tree is sure, and where
they differ much, both are doubtful and the sentence is left out. Sentences of EWT and of the
PropBank frames come with gold annotation, which picks the better of the two trees: EWT by its gold
heads (between content words, since schemes differ on the rest) and tags, PropBank's examples by the
argument spans that are constituents of the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compsim.parsers.files.conll import Tree, read_conll
from compsim.weights.propbank import Proposition, read_examples

__all__ = ["Gold", "agreement", "attachment", "choose", "parse_again", "read_gold"]

#: Labels of Universal Dependencies whose dependents hang on the same content word in ClearNLP.
CONTENT = frozenset((
    "nsubj", "nsubj:pass", "obj", "iobj", "obl", "nmod", "nmod:poss", "amod", "nummod", "advmod",
    "det", "acl", "acl:relcl", "advcl", "ccomp", "xcomp", "csubj", "appos", "compound:prt", "aux",
    "aux:pass", "obl:tmod", "obl:npmod",
))  # fmt: skip
#: Share of tokens on which the teachers must agree, and of gold edges that a tree must have.
AGREED = 0.75
RIGHT = 0.7
#: EWT's tag for the parts of a word that was torn apart, which the teachers do not know.
ODD_TAG = "GW"


@dataclass(frozen=True)
class Gold:
    """Gold sentence: its tokens, a UD tree, or propositions with argument spans."""

    words: list[str]
    tree: Tree | None = None
    propositions: tuple[Proposition, ...] = ()


def parse_again(teacher: str, trees: Sequence[Tree]) -> Iterator[Tree]:
    """The same tokens, parsed by the spaCy pipeline ``teacher``; space keeps the tag it had."""
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load(teacher, disable=["ner", "senter"])
    docs = (Doc(nlp.vocab, words=tree.words, spaces=tree.spaces) for tree in trees)
    for tree, doc in zip(trees, nlp.pipe(docs, batch_size=512), strict=True):
        tags = [tag if t.is_space else t.tag_ for t, tag in zip(doc, tree.tags, strict=True)]
        yield replace(
            tree,
            tags=tags,
            pos=[token.pos_ for token in doc],
            lemmas=[token.lemma_ for token in doc],
            heads=[token.head.i for token in doc],
            deps=[token.dep_ for token in doc],
        )


def agreement(one: Tree, other: Tree) -> float:
    """Share of tokens with the same head in both trees."""
    same = sum(a == b for a, b in zip(one.heads, other.heads, strict=True))
    return same / len(one.heads)


def choose(
    first: Iterable[Tree], second: Iterable[Tree], gold: Mapping[str, Gold]
) -> Iterator[Tree]:
    """One tree for each sentence that both teachers parsed, the first teacher's in doubt.

    Both have the same sentences and tokens in the same order, one root each; ``gold`` is that of
    :func:`read_gold`. Sentences that are too doubtful are left out.
    """
    for one, other in zip(first, second, strict=True):
        if _roots(one) > 1 or _roots(other) > 1:
            continue
        known = gold.get("".join(one.words))
        if known is not None and known.words == one.words:
            best, share = max(
                ((tree, _rightness(tree, known)) for tree in (one, other)),
                key=lambda pair: pair[1],
            )
            if share >= RIGHT and not (known.tree and ODD_TAG in known.tree.tags):
                yield replace(best, tags=known.tree.tags) if known.tree else best
        elif agreement(one, other) >= AGREED:
            yield one


def _roots(tree: Tree) -> int:
    return sum(head == i for i, head in enumerate(tree.heads))


def _rightness(tree: Tree, gold: Gold) -> float:
    if gold.tree is not None:
        right, total = attachment(tree, gold.tree)
        return right / total if total else 1.0
    fits = [_fits(tree, proposition) for proposition in gold.propositions]
    return sum(fits) / len(fits)


def attachment(tree: Tree, ud: Tree) -> tuple[int, int]:
    """Return how many of a gold UD tree's content edges a ClearNLP tree has, and of how many."""
    kids: list[list[int]] = [[] for _ in tree.heads]
    for i, head in enumerate(tree.heads):
        if head != i:
            kids[head].append(i)

    def content(i: int) -> set[int]:
        """The words that may stand for token ``i`` as a head, what its copula predicates too."""
        result = {i}
        if tree.lemmas[i] == "be":
            result |= {k for k in kids[i] if tree.deps[k] in ("attr", "acomp", "prep", "advmod")}
            result |= {k for p in kids[i] if tree.deps[p] == "prep" for k in kids[p]}
        return result

    right = total = 0
    for i, (head, label) in enumerate(zip(ud.heads, ud.deps, strict=True)):
        if label not in CONTENT or head == i:
            continue
        above = tree.heads[i]
        while above != tree.heads[above] and tree.deps[above] in ("prep", "agent", "dative"):
            if tree.tags[above] not in ("IN", "TO"):
                break
            above = tree.heads[above]
        total += 1
        right += head in content(above)
    return right, total


def _fits(tree: Tree, proposition: Proposition) -> float:
    """Share of the argument spans that one head holds together."""
    spans = proposition.arguments
    whole = 0
    for _, start, end in spans:
        inside = range(start, end + 1)
        heads = [
            i
            for i in inside
            if (tree.heads[i] == i or tree.heads[i] not in inside) and tree.deps[i] != "punct"
        ]
        whole += len(heads) <= 1
    return whole / len(spans) if spans else 1.0


def read_gold(data: Path) -> dict[str, Gold]:
    """Gold annotation by text without spaces: EWT train and the examples of PropBank."""
    gold: dict[str, Gold] = {}
    for words, propositions in read_examples(data / "propbank" / "frame-examples.jsonl.gz"):
        gold["".join(words)] = Gold(words, None, tuple(propositions))
    for tree in read_conll(data / "ewt-propbank" / "train.conll.gz"):
        gold["".join(tree.words)] = Gold(tree.words, tree)
    return gold
