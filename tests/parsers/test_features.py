"""Features of predicates and phrases: sentences of our own, and what they must say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compsim.graph import Node, RoleGraph
from compsim.parsers.roles.features.implicatives import entailed
from compsim.parsers.roles.features.operators import base_form
from compsim.parsers.roles.features.quantities import number_of, word_set
from compsim.parsers.roles.srl import SrlParser

PARSER = SrlParser()

# Sentence, lemma of the predicate, its features beside the lemma.
PREDICATES = {
    "The dog barked.": ("bark", "tense=past"),
    "She turned the light off.": ("turn_off", "tense=past"),
    "The meeting was put off by the manager.": ("put_off", "tense=past"),
    "The dog bit the man.": ("bite", "tense=past"),
    "He drove home.": ("drive", "tense=past"),
    "SHE KNEW HIM.": ("know", "tense=past"),
    "He's a doctor.": ("be", "copula=yes tense=present"),
    "You're late.": ("be", "copula=yes tense=present"),
    "I'll go.": ("go", "tense=future"),
    "They have been working.": ("work", "aspect=perfect progressive tense=present"),
    "He had eaten the cake.": ("eat", "aspect=perfect tense=past"),
    "The dog is eating the cake.": ("eat", "aspect=progressive tense=present"),
    "He may have left.": ("leave", "aspect=perfect modality=possible"),
    "You must see the doctor.": ("see", "modality=necessary"),
    "You have to go.": ("go", "modality=necessary tense=present"),
    "He needs to go.": ("go", "modality=necessary tense=present"),
    "He is going to sleep.": ("sleep", "tense=future"),
    "He used to smoke.": ("smoke", "tense=past"),
    "Did the teacher help you?": ("help", "mood=question tense=past"),
    "Close the door.": ("close", "mood=imperative"),
    "The boy did not eat the cake.": ("eat", "polarity=- tense=past"),
    "He won't come.": ("come", "polarity=- tense=future"),
    "He hardly ever drinks wine.": ("drink", "polarity=- tense=present"),
    "Unless the rain stops, we will wait.": (
        "stop",
        "connective=if mood=conditional order=first polarity=- tense=present",
    ),
    "Unless the rain stops, nobody will leave.": ("leave", "order=then polarity=- tense=future"),
    "At no time did he leave the room.": ("leave", "polarity=- tense=past"),
    "In no time he left the room.": ("leave", "tense=past"),
    "The man was too weak to lift the sack.": ("lift", "polarity=-"),
    "The man was strong enough to lift the sack.": ("lift", ""),
    "Not a single guest danced.": ("dance", "polarity=- tense=past"),
    "Not one guest danced.": ("dance", "polarity=- tense=past"),
    "I doubt that the bank closed.": ("close", "polarity=- tense=past"),
    "I do not doubt that the bank closed.": ("close", "tense=past"),
    "She was not a guest.": ("be", "copula=yes polarity=- tense=past"),
    "I can't swim.": ("swim", "modality=necessary polarity=-"),
    "She never reads the letters.": ("read", "polarity=- tense=present"),
    "She no longer works here.": ("work", "polarity=- tense=present"),
    "He hardly ate.": ("eat", "polarity=- tense=past"),
    "Nobody saw the thief.": ("see", "polarity=- tense=past"),
    "No student failed the exam.": ("fail", "polarity=- tense=past"),
    "He ate nothing.": ("eat", "polarity=- tense=past"),
    "There was no milk.": ("be", "copula=yes polarity=- tense=past"),
    "None of the students passed.": ("pass", "polarity=- tense=past"),
    "Nobody's car was stolen.": ("steal", "polarity=- tense=past"),
    "Not all birds fly.": ("fly", "tense=present"),
    "Not many people came.": ("come", "tense=past"),
    "The man failed to buy the car.": ("buy", "polarity=-"),
    "The man managed to buy the car.": ("buy", "tense=past"),
    "The man did not manage to buy the car.": ("buy", "polarity=- tense=past"),
    "The man refused to buy the car.": ("buy", "polarity=-"),
    "The man was unwilling to buy the car.": ("buy", "polarity=-"),
    "The man stopped buying cars.": ("buy", "polarity=-"),
    "The fleet ceased to exist.": ("exist", "polarity=-"),
    "She did not agree to buy the house.": ("buy", "polarity=-"),
    "She did not forget to lock the door.": ("lock", ""),
    "She forgot to lock the door.": ("lock", "polarity=-"),
    "She avoided buying milk.": ("buy", "polarity=-"),
    "He prevented the boy from leaving.": ("leave", "polarity=-"),
    "He was prevented from leaving.": ("leave", "polarity=-"),
    "He stopped the car from moving.": ("move", "polarity=-"),
    "He denied that he stole the money.": ("steal", "polarity=- tense=past"),
    "He denied stealing the money.": ("steal", "polarity=-"),
    "I don't think he left.": ("leave", "polarity=- tense=past"),
    "She was unable to leave.": ("leave", "modality=necessary polarity=- tense=past"),
    "He wasn't able to pay.": ("pay", "modality=necessary polarity=- tense=past"),
    "She was too tired to go.": ("go", "polarity=-"),
    "They made him leave.": ("leave", ""),
    "It isn't true that he left.": ("leave", "polarity=- tense=past"),
    "You need not go.": ("go", "modality=possible polarity=- tense=present"),
    "He wasn't only tired.": ("be", "copula=yes polarity=+ tense=past"),
    "Nobody didn't come.": ("come", "polarity=+ tense=past"),
    "He never failed to call.": ("call", ""),
    "Nothing prevented him from leaving.": ("leave", ""),
    "Don't forget to call.": ("forget", "mood=imperative polarity=-"),
    "He sings but does not dance.": ("dance", "connective=but polarity=- tense=present"),
    "Nobody came and ate.": ("eat", "polarity=- tense=past"),
    "He doesn't have to go.": ("go", "modality=possible polarity=- tense=present"),
    "They did not eat or drink.": ("drink", "connective=or polarity=- tense=past"),
    "He left without paying the bill.": ("pay", "connective=without polarity=-"),
    "She walked instead of driving.": ("drive", "connective=instead of polarity=-"),
    "I'll go if you don't come.": (
        "come",
        "connective=if mood=conditional order=first polarity=- tense=present",
    ),
    "Whether he comes is unclear.": (
        "come",
        "connective=whether mood=conditional tense=present",
    ),
    "He left because the food was cold.": (
        "be",
        "connective=because copula=yes order=first tense=past",
    ),
    "He slept while she worked.": ("work", "connective=while tense=past"),
    "After the storm destroyed the bridge, engineers rebuilt it.": (
        "destroy",
        "connective=after order=first tense=past",
    ),
}

# Sentence, words of the phrase, its features.
PHRASES = {
    "The cat ran out of the house.": ("out of the house", "head=house prep=out of"),
    "Everyone in front of the house left because of the rain.": (
        "because of the rain",
        "head=rain prep=because of",
    ),
    "The letter was written by the queen.": ("by the queen", "head=queen prep=by"),
    "All birds fly.": ("All birds", "head=bird quant=all"),
    "Every child slept.": ("Every child", "head=child quant=all"),
    "Most people slept.": ("Most people", "head=people quant=most"),
    "Many people slept.": ("Many people", "head=people quant=many"),
    "The farmer sold a lot of apples.": ("a lot of apples", "head=apple quant=many"),
    "A couple of dogs chased a few cats.": ("A couple of dogs", "head=dog quant=some"),
    "The dogs chased a few cats.": ("a few cats", "head=cat quant=some"),
    "The dogs chased few cats.": ("few cats", "head=cat quant=few"),
    "No student failed the exam.": ("No student", "head=student quant=no"),
    "None of the students passed.": ("None of the students", "head=student quant=no"),
    "Not all birds fly.": ("Not all birds", "head=bird quant=some"),
    "Not many people came.": ("Not many people", "head=people quant=few"),
    "The man saw the little dog.": ("the little dog", "head=dog"),
    "Two hundred people came at nine.": ("Two hundred people", "head=people number=200"),
    "At least ten people came.": ("At least ten people", "head=people limit=least number=10"),
    "No fewer than ten people came.": (
        "No fewer than ten people",
        "head=people limit=least number=10",
    ),
    "Over ten people came.": ("Over ten people", "head=people limit=least number=10"),
    "He looked under two tables.": ("under two tables", "head=table number=2 prep=under"),
    "She met fewer than ten people.": (
        "fewer than ten people",
        "head=people limit=most number=10",
    ),
    "She met not more than ten people.": (
        "not more than ten people",
        "head=people limit=most number=10",
    ),
    "Some people came at nine.": ("at nine", "head=nine number=9 prep=at"),
    "He paid half a million dollars.": ("half a million dollars", "head=dollar number=500000"),
    "The twenty-five men ate a dozen eggs.": ("The twenty-five men", "head=man number=25"),
    "The men ate a dozen eggs.": ("a dozen eggs", "head=egg number=12"),
    "A man with no coat is waiting.": ("A man with no coat", "head=man lacks=coat"),
    "A man without a coat is waiting.": ("A man without a coat", "head=man lacks=coat"),
    "A man with a coat is waiting.": ("A man with a coat", "head=man"),
    "Who stole the money?": ("Who", "head=who open=person"),
    "What book did she read?": ("What book", "head=book open=thing"),
    "Where did you put the keys?": ("Where", "head=where open=place"),
    "When did she leave?": ("When", "head=when open=time"),
    "Whose car is it?": ("Whose car", "head=car open=person"),
    "How many people came?": ("How many people", "head=people open=quantity"),
    "How long did it take?": ("How long", "head=long open=quantity"),
    "I wonder who left.": ("who", "head=who open=person"),
    "The man who left was tired.": ("who", "head=who"),
}

# Sentence, pronoun, what it stands for.
ANTECEDENTS = [
    ("US sanctions hit the port.", "US sanctions", ""),
    ("US invades Panama.", "US", "U.S."),
    ("They helped us.", "us", ""),
    ("The blue trunk is heavier than the red one.", "than the red one", "the red trunk"),
    ("She sold a grey boat and he bought a white one.", "a white one", "a white boat"),
    ("My garden is bigger than theirs.", "than theirs", "their garden"),
    ("The one who left was tired.", "The one", ""),
    ("One must eat.", "One", ""),
    ("After the storm destroyed the old bridge, engineers rebuilt it.", "it", "the old bridge"),
    ("Mary lost her keys, so she called him.", "she", "Mary"),
    ("Mary lost her keys, so she called him.", "him", ""),
    ("The girl fed the dog because it was hungry.", "it", "the dog"),
    ("The boy kicked the ball. It broke the window.", "It", "the ball"),
    ("John saw himself in the mirror.", "himself", "John"),
    ("John saw him.", "him", ""),
    ("The king met the queen, and she smiled.", "she", "the queen"),
    ("The men left when they were tired.", "they", "The men"),
    ("Tom and Anna went home because they were tired.", "they", "Tom and Anna"),
    ("The woman saw the man. He waved.", "He", "the man"),
    ("Peter bought a car and sold it.", "it", "a car"),
    ("The girls washed themselves.", "themselves", "The girls"),
    ("The dog slept. It was easy to leave.", "It", ""),
    ("The book fell. It was late.", "It", ""),
    ("The book fell. It was John who left.", "It", ""),
    ("The letter came. I read you.", "you", ""),
]

# Words that the rules look at, in any order whatever.
WORDS = sorted(
    word_set(
        "nobody not all few the dogs dog who how many two it failed to eat cake if of a lot "
        "instead without he said ? . , so and or no because hundred is going"
    )
)


def told(node: Node, *left_out: str) -> str:
    return " ".join(f"{name}={value}" for name, value in node.features if name not in left_out)


def graph(sentence: str) -> RoleGraph:
    return PARSER.parse([sentence])[0]


@pytest.mark.parametrize("sentence", PREDICATES)
def test_predicate(sentence: str) -> None:
    lemma, expected = PREDICATES[sentence]
    found = {node.feature("lemma"): told(node, "lemma") for node in graph(sentence).nodes}
    assert found.get(lemma) == expected


@pytest.mark.parametrize("sentence", PHRASES)
def test_phrase(sentence: str) -> None:
    words, expected = PHRASES[sentence]
    found = {n.label: told(n) for n in graph(sentence).nodes if not n.feature("lemma")}
    assert found.get(words) == expected


@pytest.mark.parametrize(("sentence", "pronoun", "noun"), ANTECEDENTS)
def test_antecedent(sentence: str, pronoun: str, noun: str) -> None:
    found = [n.feature("antecedent") for n in graph(sentence).nodes if n.label == pronoun]
    assert set(found or [""]) == {noun}


def test_frames_follow_the_polarity() -> None:
    frames = {f.predicate.feature("lemma"): f for f in graph("The man failed to win.").frames()}
    assert (frames["fail"].polarity, frames["win"].polarity) == (1, -1)
    assert graph("Not all birds fly.").frames()[0].polarity == 1


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("five", "5"),
        ("2.5", "2.5"),
        ("1,200", "1200"),
        ("two hundred and five", "205"),
        ("three thousand two hundred", "3200"),
        ("half a million", "500000"),
        ("a dozen", "12"),
        ("2.5 million", "2500000"),
        ("one and a half", "1.5"),
        ("five or six", ""),
        ("twenty - five", "25"),
        ("and five to", "5"),
        ("3:30", ""),
        ("nineteen ninety", "1990"),
        ("zero", "0"),
        ("", ""),
    ],
)
def test_number(words: str, number: str) -> None:
    assert number_of(words.split()) == number


@given(st.integers(0, 10**12))
def test_figures_are_their_own_number(number: int) -> None:
    assert number_of([str(number)]) == number_of([f"{number:,}"]) == str(number)


def test_signatures() -> None:
    assert entailed("fail", "to", True) is False
    assert entailed("fail", "to", False) is True
    assert entailed("manage", "to", False) is False
    assert entailed("force", "to", False) is None
    assert entailed("forget", "that", True) is None
    assert entailed("eat", "to", True) is None


def test_short_forms() -> None:
    assert [base_form(word) for word in ("'s", "\u2019ve", "wo", "go")] == [
        "be",
        "have",
        "will",
        "go",
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(WORDS),
        max_size=14,
    )
)
def test_features_are_sorted_unique_strings(words: list[str]) -> None:
    for node in graph(" ".join(words)).nodes:
        names = [name for name, _ in node.features]
        assert names == sorted(set(names))
        assert all(isinstance(value, str) and value for _, value in node.features)
        assert node.feature("lemma") or node.feature("head")


def test_nobody_denies_what_the_clause_below_says_but_not_its_complement() -> None:
    def polarities(text: str) -> dict[str, int]:
        return {frame.predicate.label: frame.polarity for frame in graph(text).frames()}

    assert polarities("There is no boy kicking a ball.")["kicking"] == -1
    assert polarities("No guest laughed or sang.") == {"laughed": -1, "sang": -1}
    assert polarities("Nobody refused to sing.") == {"refused": -1, "sing": 1}
