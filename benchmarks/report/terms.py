"""The words of an evaluation, explained for who has not read its paper.

>>> explained(["adv", "nDCG@10", "verbnet-cn partly", "unheard of"])[0][0]
'adv'
>>> [word for word, _ in explained(["adv", "nDCG@10", "verbnet-cn partly", "unheard of"])]
['adv', 'nDCG@10', 'verbnet-cn']
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final

from compsim.benchmarks.datasets.modifiers.words import CLASSES

__all__ = ["explained", "glossary"]

_SWAP: Final = "{0} phrases that both sentences have stand in other roles in each"

#: What a word means, by a pattern of the whole of it; groups of the pattern fill the text.
_TERMS: Final = {
    # Parts of data.
    "all": "every pair of the data",
    "non": "non-adversarial pairs: the words that two sentences share tell how alike they are",
    "adv": "adversarial pairs: much the same words in other roles, or other words for the same, so "
    "that the words mislead; without the pairs made by negation",
    "adv - non": "how much higher the correlation is on adversarial pairs than on the others; the "
    "further below zero, the more a method is misled by words",
    "test|dev|train": "the {0} split of the data, as its authors made it",
    r"rated .*": "pairs whose rating lies in this band of the scale from 0 to 1",
    # Kinds of pairs.
    "modifiers": "the same core of the event (verb, subject, object); other things differ",
    "single": "one part of the core differs: the verb, the subject or the object",
    "swap-2": _SWAP.format("two"),
    "swap-3": _SWAP.format("three"),
    "swap-4": _SWAP.format("four or more"),
    "no word shared": "the sentences have no content word in common",
    "paraphrase": "the sentences say the same in other words",
    "negative": "the sentences say the opposite of each other without a word of negation",
    "other": "pairs of none of the other kinds",
    "people": "the mean rating of the people who were asked, from 0 to 1",
    "subject adjective": "one sentence says more of who acts",
    "object adjective": "one sentence says more of what is acted upon",
    "passive": "one sentence is in the passive, the words are the same",
    "Time|Manner|Location|Trajectory|Instrument|Cause|Purpose|Recipient|Source|Goal|Result|Extent":
    "one sentence has a phrase in the role {0}, the other has none",
    # How methods are described.
    "method": "what gives the similarity of two sentences",
    "normalize": "how a score is brought to a scale: for role similarity what a role counts that "
    "one sentence lacks (partly: a little; matched: nothing; union: in full; fixed: the paper's "
    "divisor), for sentence vectors how their space is evened out",
    "parser": "what reads who did what to whom out of a sentence",
    "vectors": "the word vectors that phrases are compared by",
    "published": "what the literature gives for the method, for the columns in their order",
    # Methods side by side.
    "data": "where the data lies, below the folder that was looked through",
    "from": "the paper or the field that the evaluation comes from",
    "figure": "the one figure that stands for the evaluation",
    "side by side": "the first method's figure less the other's, on the same items",
    "difference": "how much higher the first method's figure is, with its 95 % interval",
    "p": "how often so large a difference comes of chance alone, two-sided",
    "over": "how many items are drawn anew for intervals and p; what depends on each other is "
    "drawn together",
    # Correlation and agreement.
    "spearman": "Spearman's rank correlation: 1 where scores and ratings order all pairs alike, 0 "
    "where they have nothing to do with each other",
    "ceiling": "what a perfect model would reach, since people do not agree in all: the square "
    "root of the ratings' reliability",
    "SD of a pair": "how far the ratings of one pair lie apart (standard deviation)",
    "split-half reliability": "how well the mean ratings of one half of the people agree with "
    "those of the other half",
    "weighted kappa": "how far two people agree beyond chance; far-off answers count more",
    # Classification and graphs.
    "precision": "the share of what was found that is right",
    "recall": "the share of what is right that was found",
    "F1": "the harmonic mean of precision and recall",
    "AMEAN": "the mean of the columns before it",
    # Triples, contrasts among them.
    "macro": "the share of triples won, each kind counting the same",
    "won": "the share of triples where the sentence that means the same scores higher",
    "tied": "the share of triples where both score the same",
    "triples": "how many triples there are: a sentence, one that means the same, one that does not",
    "contrasts": "the share of contrast triples won, each phenomenon counting the same",
    r"swap_(?:obj|att)": "captions against foils in which objects or attributes changed places; a "
    "triple is won where both captions are nearer to each other than either is to the foil",
    r"replace_(?:obj|att|rel)": "the same, with another object, attribute or relation in the foil",
    "polarity_negation|antonym|hypernym": "sentences against foils with a negation, with an "
    "antonym, with a more general word",
    "RS|RD": "sentences against foils in which roles were swapped (RS) or left out (RD)",
    # Same or not.
    "AUC": "how often a pair that says the same scores above one that does not; .5 by chance",
    "macro AUC": "the same among the pairs of each kind, each kind counting the same",
    "average precision": "the mean precision at the score of each pair that says the same; by "
    "chance, their share of all pairs",
    r"hits at \d+ %": "the share of the pairs that say the same above a threshold that at most so "
    "many of the others pass",
    # Role contrasts.
    "dative": "a retelling with the other dative: gave the dog a bone, gave a bone to the dog",
    "fronting": "a retelling with another part of the sentence first",
    "active": "a retelling of a passive: the man bit the dog",
    ".* cleft": "a retelling of the form: it was the dog that bit the man",
    # Swapped and rewritten sentences.
    "mean relation|mean structure": "the mean over files, each file counting the same",
    "weighted relation|weighted structure": "the mean over files, each counting by its pairs",
    "all pairs": "Spearman's rho over both rewritings of all files",
    r".+\brelation": "pairs whose roles changed places",
    r".+\bstructure": "pairs that say the same in another syntax",
    "untouched": "pairs whose second sentence is the first one",
    "same words": "pairs with the same words in any order",
    r".*\bwithin": "the share of sentences whose nearer rewriting is the one that people find "
    "nearer too",
    r".+\brank": "what share of the reference pairs scores lower; the lower, the better it is seen "
    "that the caption changed",
    r".+\bscore": "the mean similarity",
    # Training with made pairs.
    "before": "the model as it is, before training",
    "trained": "the model after training on rated pairs alone",
    "trained, generated pairs too": "the model after training on rated pairs and on pairs made by "
    "rule of their sentences: exchanged roles, another syntax",
    "base": "the model that training starts from",
    # How sentences are built.
    "similarity": "how alike the trees of two sentences are, in the mean over pairs; the lower, "
    "the more diverse",
    "sentences": "how many sentences were compared",
    "nodes": "how many nodes a tree has, in the mean",
    "productions": "how many different ways to build a phrase there are",
    # Ranking.
    "first stage": "what found the candidates, and how many",
    "order": "by what the candidates are ordered: as they were found, by the method alone, or by "
    "both scores together",
    r"nDCG@\d+": "how early relevant documents come among the first ten, from 0 to 1",
    "MAP": "the mean, over queries, of the precision at each relevant document",
    "MRR": "the mean of 1 / rank of what is sought; 1, or 100 percent, where it is always first",
    "MRR, ties": "the same where half of the items with an equal score count against a pair",
    r"R@\d+": "the share of the relevant documents among the first so many",
    r"Hits@\d+": "how often what is sought is among the first so many",
    "MR": "the mean rank of what is sought, 1 is best; among SentEval's tasks the movie reviews",
    "CR|SUBJ|MPQA|SST2|SST5|TREC|MRPC|SICK-E|SciCite": "how many examples of this task a linear "
    "classifier labels right by the sentence vectors, in percent",
    "MRPC F1": "the harmonic mean of precision and recall of paraphrases",
    "SICK-R|STS-B": "Pearson's r, times 100, of ratings and what a linear classifier predicts",
    "among": "how many items each one is ranked among",
    "pairs": "how many pairs count",
    "metric": "how vectors are compared: cos, their cosine; l2, the distance between them",
    "alignment": "the mean squared distance of pairs that are alike, vectors at unit length; the "
    "lower, the nearer they are",
    "uniformity": "the logarithm of the mean of exp(-2 d^2) over all pairs of items at a distance "
    "d; the lower, the more evenly the vectors are spread",
    "centred": "whether the mean vector was subtracted first",
    "ranks": "exact, or as the code of the paper's authors computes them",
    # Analogies.
    "questions": "how many questions were asked: A is to B as C is to what?",
    "answers": "exact, or counted as the code of the paper's authors counts them",
    "D": "how often the right answer is chosen",
    "all, by question": "all relations, every question counting the same",
    "all, by relation": "all relations, each counting the same",
    "semantic, by question": "relations of words that differ in meaning: capitals, currencies",
    "syntactic, by question": "relations of words that differ in form: plural, comparative",
    "3cosadd": "the answer is the candidate nearest to B - A + C",
    "3cosmul": "the answer has the highest product of similarities to B and C over that to A",
    "pairdir": "the answer lies from C in the direction in which B lies from A",
    r".*-U": "the rule with A, B and C among the candidates too",
    r".*\bshared": "a tie of k candidates counts 1/k",
    "nearest.*": "the candidate most like the sentence, without the offset of A to B",
    "not|deletion|masking|span|reordering": "how often a wrong candidate of this kind is chosen",
    "chance": "what a guess would reach",
    "offsets": "how parallel the steps from first to second sentence are (mean cosine)",
    "offsets across": "the same between pairs of unlike relations",
    "relation": "what leads from the first sentence of a pair to the second",
    # Adjectives with nouns.
    "distance": "how vectors are compared: l2, the distance between them; dot, their product, "
    "negated; else 1 less the score",
    "to its adjective|to its noun|adjective to noun": "distances: a phrase and its two words, and "
    "these two",
    "class": "the kind of adjective: what the phrase has to do with its noun",
    "1 AN|test 1( AN)?": "how often a phrase of adjective and noun lies between the two, as it "
    "must where a red dog is what is red and a dog",
    "1 AAN .*": "the same for two adjectives, the second one of that class",
    "2 .*|test 2": "how often adjectives of the row's class bring two nouns nearer to each other "
    "than those of that class do",
    "3|test 3": "how often a phrase is nearer to its adjective than to its noun, as where a fake "
    "law is no law",
    "3 synonym": "the same with a synonym of the adjective",
    # The hybrid.
    "roles": "how much the roles weigh in the hybrid's score; 0: nothing but exchanges count",
}  # fmt: skip


def explained(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return the known words among some, each once and in their order, with their definitions.

    :param words: heads of columns, labels of methods, names of kinds; what comes after a method's
        name does not matter.
    :returns: (word, explanation); words that explain themselves are left out.
    """
    from compsim.registry import methods

    known = {**CLASSES, **{info.name: info.summary for info in methods()}}
    result: dict[str, str] = {}
    for word in words:
        name = re.split(r"[ :,]", word)[0]
        for pattern, text in _TERMS.items():
            if re.fullmatch(pattern, word):
                result.setdefault(word, text.format(word))
                break
        else:
            if name in known:
                result.setdefault(name, known[name])
    return list(result.items())


def glossary(words: Iterable[str]) -> str:
    """The words that are known, explained, as a list in HTML; "" where none is known.

    :param words: as of ``explained``.
    """
    result = explained(words)
    items = "".join(f"<dt>{escape(word)}</dt><dd>{escape(text)}</dd>" for word, text in result)
    return f'<dl class="terms">{items}</dl>' if items else ""
