"""Recipe of the forms that are passives by themselves (``weights/roles/passives.txt``).

::

    python -m compsim.weights.build_passives --data FOLDER --out weights/roles/passives.txt

``FOLDER`` holds ``text/sentences.tsv.gz``, which the shipped pipeline parses. Each past form, with
its particle and the *to* of an infinitive, is counted as a passive (beside a form of *be*, or after
the noun that it says something of), and its verb as one that is active and has no object. A form
that is a passive so many times as often is listed, and so is one that is never a past tense:
*arrested*, *called up*, *forced to*, *seen*. Takes two minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import spacy
import typer

from compsim.parsers.pipeline.bulk import BulkSyntax
from compsim.parsers.pipeline.language import LanguageSource
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.bare_passives import bare, pattern
from compsim.storage.places import weights_folder
from compsim.weights.build_names import read_sentences

__all__ = ["passives"]

#: How many times as often as an active verb without an object a form has to be a passive.
TIMES: Final = 2.5
#: A form that is a past tense in so small a share of its uses was mistaken for one.
MISTAKEN: Final = 0.05
_PAST: Final = ("VBD", "VBN")
_FINITE: Final = (*_PAST, "VBZ", "VBP")


def passives(trees: Iterable[Tree]) -> list[str]:
    """The patterns that are mostly passives, sorted."""
    passive, active, tags = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    verbs: dict[str, str] = {}
    for tree in trees:
        for verb, tag in enumerate(tree.tags):
            if tree.pos[verb] != "VERB":
                continue
            form, dep = pattern(tree, verb), tree.deps[verb]
            lemma = " ".join([tree.lemmas[verb], *form.split()[1:]])
            beside = {tree.deps[kid] for kid in tree.kids(verb)}
            tags[form, tag] += 1
            if tag in _PAST and ("auxpass" in beside or (dep, tag) == ("acl", "VBN")):
                passive[form] += 1
                verbs[form] = lemma
            elif tag in _FINITE and "nsubj" in beside and dep != "relcl" and bare(tree, verb):
                active[lemma] += 1
    return sorted(
        form
        for form, count in passive.items()
        if count >= TIMES * active[verbs[form]] or tags[form, "VBD"] <= MISTAKEN * tags[form, "VBN"]
    )


def main(
    data: Annotated[Path, typer.Option(help="Folder of the sources.")],
    out: Annotated[Path, typer.Option(help="File to write.")],
) -> None:
    """Write the list."""
    syntax = BulkSyntax(LanguageSource(lambda: spacy.load(weights_folder() / "pipeline")))
    found = passives(syntax.trees(list(read_sentences(data / "text" / "sentences.tsv.gz"))))
    out.write_text("\n".join(found) + "\n", encoding="utf8")


if __name__ == "__main__":
    typer.run(main)
