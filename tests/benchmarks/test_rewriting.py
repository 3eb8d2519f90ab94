"""Sentences told otherwise and with exchanged roles: what is written, and what is refused."""

from __future__ import annotations

import pytest

from compsim.benchmarks.rewriting import Clause, Rewriter, exchanges, retellings, written
from compsim.benchmarks.rewriting.inflection import verb_form
from compsim.benchmarks.rewriting.verb_group import read_group

pytest.importorskip("lemminflect")

#: Of each sentence all retellings that keep the roles, and the exchange.
TOLD = {
    "The dog bit the postman in the garden.": (
        {
            "passive": "The postman was bitten in the garden by the dog.",
            "fronting": "In the garden, the dog bit the postman.",
            "subject cleft": "It was the dog that bit the postman in the garden.",
            "object cleft": "It was the postman that the dog bit in the garden.",
            "circumstance cleft": "It was in the garden that the dog bit the postman.",
        },
        "The postman bit the dog in the garden.",
    ),
    "They didn't see us.": ({"passive": "We were not seen by them."}, "We did not see them."),
    "The nurse was not called by the drivers.": (
        {"active": "The drivers did not call the nurse."},
        "The drivers were not called by the nurse.",
    ),
    "Mary gave the old man a book.": (
        {
            "dative": "Mary gave a book to the old man.",
            "subject cleft": "It was Mary that gave the old man a book.",
        },
        "The old man gave Mary a book.",
    ),
    "She can lend the money to him.": (
        {
            "passive": "The money can be lent to him by her.",
            "dative": "She can lend him the money.",
        },
        "He can lend the money to her.",
    ),
    "My sister has recently visited two doctors.": (
        {
            "passive": "Two doctors have recently been visited by my sister.",
            "subject cleft": "It is my sister that has recently visited two doctors.",
        },
        "Two doctors have recently visited my sister.",
    ),
    "The police are watching him.": (
        {
            "passive": "He is being watched by the police.",
            "subject cleft": "It is the police that are watching him.",
        },
        "He is watching the police.",
    ),
    "The boy switched it off.": (
        {
            "passive": "It was switched off by the boy.",
            "subject cleft": "It was the boy that switched it off.",
        },
        None,
    ),
    "Yesterday, a farmer found the dogs.": (
        {
            "passive": "Yesterday, the dogs were found by a farmer.",
            "fronting": "A farmer found the dogs yesterday.",
        },
        "Yesterday, the dogs found a farmer.",
    ),
    "I will call her after she arrives.": (
        {"fronting": "After she arrives, I will call her."},
        "She will call me after she arrives.",
    ),
}


@pytest.fixture(scope="module")
def rewriter() -> Rewriter:
    return Rewriter()


def read(rewriter: Rewriter, sentence: str) -> Clause:
    (clause,) = rewriter.clauses([sentence])
    assert clause is not None
    return clause


@pytest.mark.parametrize("sentence", TOLD)
def test_sentences_are_told_otherwise(rewriter: Rewriter, sentence: str) -> None:
    results, exchanged = TOLD[sentence]
    clause = read(rewriter, sentence)
    assert {result.kind: result.text for result in retellings(clause)} == results
    swapped = [result.text for result in exchanges(clause)]
    assert swapped[:1] == ([] if exchanged is None else [exchanged])


@pytest.mark.parametrize(
    "sentence",
    [
        "Did the dog bite the man?",
        "Bite the man!",
        "The dog bit the man and the cat ran.",
        "The dog bit and chased the man.",
        'The dog "bit" the man.',
        "The dog said that the man ran.",
        "The dog wants to bite the man.",
        "The man that the dog bit.",
        "There is a dog that bites the man.",
        "What the dog bit?",
        "The dogs are hungry.",
        "",
        "?!",
    ],
)
def test_what_is_no_plain_clause_is_not_read_or_not_touched(
    rewriter: Rewriter, sentence: str
) -> None:
    (clause,) = rewriter.clauses([sentence])
    assert clause is None or not exchanges(clause)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The man loves his wife.", "passive"),  # "his wife is loved by the man": whose?
        ("The man hurt himself.", "passive"),
        ("The team has a new coach.", "passive"),
        ("The book costs two dollars.", "passive"),
        ("Nobody saw the dog.", "passive"),
        ("The dog did not see anybody.", "passive"),
        ("It surprised the man.", "passive"),
        ("The show took place.", "passive"),
        ("The nurse ran two miles.", "passive"),
        ("I saw the dog.", "passive"),
        ("He left before John came.", "fronting"),  # he would be John
        ("The dog has not slept until today.", "fronting"),
        ("She gave it to him.", "dative"),
        ("He gave the letter a look.", "dative"),
        ("They sent the letter to London.", "dative"),
        ("A dog bit the man.", "subject cleft"),
        ("He bit the man.", "subject cleft"),
        ("The dog will not bite the man.", "object cleft"),
    ],
)
def test_what_would_not_be_said_is_refused(rewriter: Rewriter, sentence: str, kind: str) -> None:
    (clause,) = rewriter.clauses([sentence])
    results = [] if clause is None else [retelling.kind for retelling in retellings(clause)]
    assert kind not in results


@pytest.mark.parametrize(
    "sentence",
    [
        "The man met the woman.",
        "The man has a dog.",
        "It bit the man.",
        "The man saw himself.",
        "The man loves his wife.",
        "The show took place.",
        "I sold my car.",
    ],
)
def test_what_cannot_be_exchanged(rewriter: Rewriter, sentence: str) -> None:
    (clause,) = rewriter.clauses([sentence])
    assert clause is None or not exchanges(clause)


def test_a_clause_is_written_as_it_was_read(rewriter: Rewriter) -> None:
    sentences = [sentence for sentence in TOLD if "n't" not in sentence]
    clauses = rewriter.clauses(sentences)
    assert [clause and written(clause) for clause in clauses] == sentences


@pytest.mark.parametrize(
    ("auxiliaries", "verb", "lemma", "tag", "expected"),
    [
        ([], "bit", "bite", "VBD", "bit"),
        (["does", "n't"], "bite", "bite", "VB", "does not bite"),
        (["wo", "n\u2019t"], "bite", "bite", "VB", "will not bite"),
        (["'s", "been"], "bitten", "bite", "VBN", "has been bitten"),
        (["'d"], "bitten", "bite", "VBN", "had bitten"),
        (["'d"], "bite", "bite", "VB", "would bite"),
        (["'s"], "biting", "bite", "VBG", "is biting"),
        (["was", "being"], "bitten", "bite", "VBN", "was being bitten"),
        (["might", "have"], "bitten", "bite", "VBN", "might have bitten"),
        (["'s"], "bitten", "bite", "VBN", None),  # is or has
        (["did"], "bite", "bite", "VB", None),  # emphatic
        (["to"], "bite", "bite", "VB", None),
        (["got"], "bitten", "bite", "VBN", None),
        (["will", "be", "being"], "bitten", "bite", "VBN", None),
        ([], "bite", "bite", "VB", None),
    ],
)
def test_verb_groups(
    auxiliaries: list[str], verb: str, lemma: str, tag: str, expected: str | None
) -> None:
    group = read_group(auxiliaries, verb, lemma, tag)
    assert (group and " ".join(group.words(plural=False))) == expected


def test_agreement() -> None:
    group = read_group([], "is", "be", "VBZ")
    assert group is not None
    assert group.words(plural=False, first=True) == ["am"]
    has = read_group(["has"], "seen", "see", "VBN")
    assert has is not None
    assert has.words(plural=False, first=True) == ["have", "seen"]


@pytest.mark.parametrize(
    ("lemma", "past", "participle"),
    [
        line.split()  # type: ignore[misc]
        for line in """\
bear bore borne|begin began begun|bite bit bitten|blow blew blown|break broke broken
bring brought brought|broadcast broadcast broadcast|build built built|buy bought bought
catch caught caught|choose chose chosen|cut cut cut|draw drew drawn|drive drove driven
eat ate eaten|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown
forget forgot forgotten|forgive forgave forgiven|give gave given|grow grew grown|hear heard heard
hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|know knew known
lead led led|leave left left|lend lent lent|lose lost lost|make made made|pay paid paid
prove proved proven|put put put|quit quit quit|read read read|ride rode ridden|say said said
see saw seen|seek sought sought|sell sold sold|send sent sent|shake shook shaken|shoot shot shot
show showed shown|sing sang sung|speak spoke spoken|spread spread spread|steal stole stolen
stop stopped stopped|strike struck struck|take took taken|teach taught taught|tear tore torn
tell told told|think thought thought|throw threw thrown|tie tied tied|visit visited visited
wear wore worn|weave wove woven|win won won|wind wound wound|withdraw withdrew withdrawn
write wrote written""".replace("\n", "|").split("|")
    ],
)
def test_forms_of_verbs(lemma: str, past: str, participle: str) -> None:
    assert verb_form(lemma, "VBD") == past
    assert verb_form(lemma, "VBN") == participle


def test_captions_have_no_full_stop_and_get_none(rewriter: Rewriter) -> None:
    sentences = ["The dog bit the man", "A woman is riding a horse ", "The dog bit the man."]
    clauses = rewriter.clauses(sentences)
    passives = [clause and retellings(clause, ["passive"])[0].text for clause in clauses]
    assert passives == [
        "The man was bitten by the dog",
        "A horse is being ridden by a woman",
        "The man was bitten by the dog.",
    ]
    assert [clause and clause.text for clause in clauses] == [text.strip() for text in sentences]
    fragments = ["a dog with two men", "Market prices", "Iran Nuclear Talks Enter Third Day", " "]
    assert rewriter.clauses(fragments) == [None] * 4


@pytest.mark.parametrize(
    ("sentence", "fronted", "turned"),
    [
        ("The team has won the championship.", "The championship, the team has won.",
         "Won the championship has the team."),
        ("The dog bit the postman in the garden.", "The postman, the dog bit in the garden.", ""),
        ("Two men were chased by the dog.", "", "Chased by the dog were two men."),
        ("She has seen the film.", "The film, she has seen.", ""),
        ("The dog has bitten him.", "", "Bitten him has the dog."),
        ("The dog has not bitten the postman.", "", ""),
        ("Yesterday, the dog has bitten the postman.", "", ""),
    ],
)  # fmt: skip
def test_marked_orders(sentence: str, fronted: str, turned: str) -> None:
    from compsim.benchmarks.rewriting.generator import MARKED

    (clause,) = Rewriter().clauses([sentence])
    assert clause is not None
    made = {one.kind: one.text for one in retellings(clause, MARKED)}
    assert made.get("object fronting", "") == fronted
    assert made.get("inversion", "") == turned
    # They are made only where they are asked for.
    assert not set(MARKED) & {one.kind for one in retellings(clause)}
