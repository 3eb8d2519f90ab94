"""One event told in several ways: readings, event nouns, shared subjects, texts without a verb."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compsim.graph import Frame, Status
from compsim.parsers.roles.events import events, verb_of
from compsim.parsers.roles.srl import SrlParser


@cache
def frames(text: str) -> tuple[Frame, ...]:
    graph = parser().parse([text])[0]
    assert graph.status is Status.OK, graph.reason
    return graph.frames()


@cache
def parser() -> SrlParser:
    return SrlParser()


def told(frame: Frame) -> dict[str, str]:
    """The roles of a frame, without the preposition or article that opens a phrase."""
    opening = ("to ", "from ", "by ", "of ", "with ", "in ", "the ", "The ", "a ", "A ")
    found = {}
    for role, node in frame.roles.items():
        label = node.label
        while label.startswith(opening):
            label = label.partition(" ")[2]
        found[role] = label
    return found


def readings(text: str) -> dict[str, dict[str, str]]:
    """The readings of the frames of a text by their lemma, or else their sense."""
    found: dict[str, dict[str, str]] = {}
    for frame in frames(text):
        if frame.reading_of is not None:
            lemma = frame.predicate.feature("lemma") or verb_of(frame.predicate.sense or "")
            found.setdefault(lemma, told(frame))
    return found


def own(text: str) -> dict[str, dict[str, str]]:
    return {f.predicate.label: told(f) for f in frames(text) if f.reading_of is None}


@pytest.mark.parametrize(
    ("text", "lemma", "roles"),
    [
        ("The farmer sold a horse to the miller.", "buy", {"Agent": "miller", "Patient": "horse"}),
        ("The miller bought a horse from the farmer.", "sell", {"Agent": "farmer"}),
        ("The library lent the student a novel.", "borrow", {"Agent": "student"}),
        ("The student borrowed a novel from the library.", "lend", {"Agent": "library"}),
        ("The duke owns the castle.", "belong", {"Agent": "castle", "Patient": "duke"}),
        ("The jury awarded the singer a medal.", "get", {"Agent": "singer", "Patient": "medal"}),
        ("The widow inherited a farm from the duke.", "get", {"Agent": "widow", "Theme": "duke"}),
        ("The widow inherited a farm from the duke.", "give", {"Agent": "duke", "Theme": "widow"}),
        ("The van collided with the tram.", "collide", {"Agent": "tram", "Theme": "van"}),
        ("The van and the tram collided.", "collide", {"Agent": "van and", "Theme": "tram"}),
        ("Iris met Oskar.", "meet", {"Agent": "Oskar", "Patient": "Iris"}),
        ("She compared the wine with the beer.", "compare", {"Patient": "beer"}),
        ("The committee made a strong recommendation.", "recommend", {"Manner": "strong"}),
        ("The girl took a deep breath.", "breathe", {"Agent": "girl", "Manner": "deep"}),
        ("They had an argument about the garden.", "argue", {"Agent": "They"}),
        ("They had an agreement with the bank.", "agree", {"Agent": "They"}),
        ("The pupils paid attention to the clown.", "attend", {"Theme": "clown"}),
        ("The gate opened.", "open", {"Patient": "gate"}),
        ("The owl frightened the mouse.", "fear", {"Agent": "mouse", "Patient": "owl"}),
        ("The storm caused the boat to sink.", "sink", {"Agent": "storm", "Patient": "boat"}),
        ("The clown made the toddler giggle.", "giggle", {"Agent": "toddler", "Manner": "clown"}),
        ("Fog made the pilot abort the landing.", "abort", {"Manner": "Fog", "Agent": "pilot"}),
        ("The gate opened because of the wind.", "open", {"Patient": "gate"}),
        ("The widow got help from the monks.", "help", {"Agent": "monks", "Patient": "widow"}),
        ("I had a visit from the vicar.", "visit", {"Agent": "vicar", "Patient": "I"}),
        ("The baker got thanks from the nuns.", "thank", {"Agent": "nuns", "Patient": "baker"}),
        ("The clerk sent a parcel to the monk.", "get", {"Agent": "monk", "Theme": "clerk"}),
        ("The monk borrowed a ladder from the duke.", "lend", {"Agent": "duke"}),
        ("The guide told the nun a joke.", "hear", {"Agent": "nun", "Patient": "joke"}),
        ("The nun heard the joke from the guide.", "say", {"Agent": "guide", "Theme": "nun"}),
        ("The clinic provided the nurse with gloves.", "get", {"Agent": "nurse"}),
        ("The duke presented the actor with a cup.", "present", {"Patient": "cup"}),
        ("The widow rented the barn to the baker.", "get", {"Agent": "baker", "Theme": "widow"}),
        ("The baker rented the barn from the widow.", "give", {"Agent": "widow"}),
        ("The clown made the girl laugh.", "laugh", {"Agent": "girl", "Manner": "clown"}),
        ("The farmer sprayed the wall with paint.", "spray", {"Patient": "paint"}),
        ("The coat has a hole in it.", "be", {"Agent": "hole", "Theme": "coat"}),
        ("The barn has two doors.", "be", {"Agent": "two doors", "Theme": "barn"}),
        ("The barn lacks a roof.", "have", {"Agent": "barn", "Patient": "roof"}),
        ("A retired nurse is her landlady.", "be", {"Theme": "retired nurse"}),
        ("The winner is the German team.", "be", {"Agent": "German team", "Theme": "winner"}),
    ],
)
def test_the_same_event_told_otherwise(text: str, lemma: str, roles: dict[str, str]) -> None:
    found = readings(text)
    assert lemma in found
    assert roles.items() <= found[lemma].items()


@pytest.mark.parametrize(
    "text",
    [
        "The baker made a cake.",
        "The boy took a book.",
        "The couple have a house.",
        "The couple have a building with a tower.",
        "The girl avoided a decision.",
        "The boy kicked the ball.",
        "The team has a mascot.",
        "Her landlady is a retired nurse.",
        "Rock climbing is the best sport.",
        "The farmer sold a horse.",  # nobody is named who bought it
        "Peter is a teacher.",
        "The soup is hot.",
        "The gardener opened the gate.",
        "The woman sang with joy.",
        "The boy swam with the dolphins.",
        "The nun has a donkey.",
        "The guide told the nuns to leave.",
        "The singer received a medal.",  # nobody is named who gave it
        "The singer received praise.",
        "The singer has a drawing from the nun.",
        "The baker kissed the nun.",
        "The guide visited the widow.",
        "The sailor tied the rope.",
    ],
)
def test_no_other_reading(text: str) -> None:
    assert readings(text) == {}


def test_what_there_is_is_somewhere() -> None:
    there, plain = own("There is a bird in the cage."), own("A bird is in the cage.")
    assert there["is"] == {"Agent": "bird", "Theme": "cage"}
    assert plain["is"].keys() == there["is"].keys()


def test_a_reading_shares_the_phrases_of_its_frame() -> None:
    graph = parser().parse(["The farmer sold a horse to the miller."])[0]
    assert len(graph.nodes) == 5
    sold, bought = graph.frames()
    assert bought.reading_of == 0
    assert bought.predicate.span == sold.predicate.span
    assert bought.predicate.sense == "buy.01"
    assert set(bought.roles.values()) == set(sold.roles.values())


@pytest.mark.parametrize(
    ("text", "noun", "roles"),
    [
        ("The invasion of Carthage by Rome failed.", "invasion", {"Agent": "Rome"}),
        ("The invasion of Carthage by Rome failed.", "invasion", {"Patient": "Carthage"}),
        ("The arrival of the train was late.", "arrival", {"Agent": "train"}),
        ("The firm's acquisition of the bank failed.", "acquisition", {"Agent": "firm"}),
        ("They saw the king's attack on the duke.", "attack", {"Agent": "king"}),
        ("We saw the farmer's love for his son.", "love", {"Agent": "farmer"}),
        ("Her decision to leave surprised us.", "decision", {"Agent": "Her", "Theme": "leave"}),
        ("The eviction of the widow made news.", "eviction", {"Patient": "widow"}),
        ("The team's victory over Chile made news.", "victory", {"Agent": "team"}),
        ("Her election made news.", "election", {"Patient": "Her"}),
    ],
)
def test_event_nouns(text: str, noun: str, roles: dict[str, str]) -> None:
    assert roles.items() <= own(text)[noun].items()


@pytest.mark.parametrize(
    "text",
    [
        "The teacher's book is red.",
        "The door of the house is red.",
        "The end of the road is near.",
        "The case of the student is clear.",
        "An increase of 15 percent is small.",
        "The girl's drink is cold.",
        "The party of the boss is big.",
    ],
)
def test_things_are_no_events(text: str) -> None:
    assert list(own(text)) == ["is"]


def test_a_phrase_belongs_to_the_noun_that_it_hangs_on() -> None:
    saw, attack = frames("They saw the king's attack on the duke.")
    assert saw.roles["Patient"].label == "the king's attack on the duke"
    assert set(saw.roles) == {"Agent", "Patient"}
    assert attack.roles["Patient"].label == "on the duke"


def test_how_an_event_is() -> None:
    found = own("The nurse's treatment of the sailor was gentle.")
    assert found == {
        "treatment": {"Agent": "nurse", "Patient": "sailor", "Manner": "gentle"},
    }
    assert "was" in own("The nurse's treatment of the sailor was not gentle.")


@pytest.mark.parametrize(
    ("text", "verb", "roles"),
    [
        ("The woman asked the boy to leave.", "leave", {"Agent": "boy"}),
        ("The girl tried to open the box.", "open", {"Agent": "girl"}),
        ("A man wearing a hat smiled.", "wearing", {"Agent": "man"}),
        ("The letter written by the duke disappeared.", "written", {"Patient": "letter"}),
        ("The duke's plan to sell the castle failed.", "sell", {"Agent": "duke"}),
        ("It was Mary who broke the window.", "broke", {"Agent": "Mary"}),
        ("What the girl ate was a cake.", "ate", {"Agent": "girl", "Patient": "cake"}),
        ("A cake is what the girl ate.", "ate", {"Agent": "girl", "Patient": "cake"}),
        ("The one who broke the cup was the baker.", "broke", {"Agent": "baker"}),
        ("The one that the baker broke was the cup.", "broke", {"Patient": "cup"}),
        ("Mary was the one who broke the window.", "broke", {"Agent": "Mary"}),
        ("The guests seem to enjoy the soup.", "enjoy", {"Agent": "guests"}),
        ("There is a boy playing the guitar.", "playing", {"Agent": "boy"}),
    ],
)
def test_what_is_understood(text: str, verb: str, roles: dict[str, str]) -> None:
    assert roles.items() <= own(text)[verb].items()


def test_verbs_that_only_introduce_an_event_are_dropped() -> None:
    assert list(own("It was Mary who broke the window.")) == ["broke"]
    assert list(own("The guests seem to enjoy the soup.")) == ["enjoy"]
    assert "seem" in own("The guests do not seem to enjoy the soup.")
    assert "is" in own("It is a car that runs on gas.")
    assert list(own("The person who called was Mary.")) == ["called"]
    assert "was" in own("The person who called was a thief.")
    assert "was" in own("The nurse who called was Mary.")


def test_who_feels_it() -> None:
    found = own("The guests were amazed that the cook left.")
    assert found["amazed"] == {"Patient": "guests", "Agent": "that the cook left"}
    assert frames("The guests were amazed that the cook left.")[1].parent == 0
    assert "were" in own("The guests were tired.")
    assert "were" in own("The guests were not amazed that the cook left.")


def test_who_says_it() -> None:
    found = own("According to the minister, the thief escaped.")
    assert found["According"]["Agent"] == "minister"
    assert "thief escaped" in found["According"]["Theme"]
    assert "Manner" not in found["escaped"]
    assert "According" not in own("The clerk sorted the letters according to size.")


@pytest.mark.parametrize(
    ("text", "verb", "roles"),
    [
        ("It was on Friday that the vicar resigned.", "resigned", {"Time": "on Friday"}),
        ("It was at noon that the vicar resigned.", "resigned", {"Time": "at noon"}),
        ("It was in Norway that he sold the mill.", "sold", {"Location": "in Norway"}),
    ],
)
def test_a_phrase_that_a_sentence_opens_with_is_in_its_clause(
    text: str, verb: str, roles: dict[str, str]
) -> None:
    (frame,) = (frame for frame in frames(text) if frame.reading_of is None)
    assert frame.predicate.label == verb
    assert roles.items() <= {role: node.label for role, node in frame.roles.items()}.items()


def test_what_lacks_something_has_it_not() -> None:
    def polarities(text: str) -> list[int]:
        return [frame.polarity for frame in frames(text)]

    assert polarities("The barn lacks a roof.") == [1, -1, -1]
    assert polarities("The barn does not lack a roof.") == [-1, 1, 1]


def test_nobody_hears_what_is_said_according_to_somebody() -> None:
    found = readings("According to the sheriff, the widow left.")
    assert "hear" not in found


def test_the_noun_of_a_relative_clause_stands_for_what_is_there() -> None:
    found = readings("A clinic that was provided with gloves closed.")
    assert found["get"] == {"Agent": "clinic", "R-Patient": "that", "Patient": "gloves"}


def test_who_is_named_with_by_acts_on_what_is_named_with_of() -> None:
    found = own("The appointment of the judge by the king was in May.")
    assert found["appointment"] == {"Patient": "judge", "Agent": "king"}
    found = own("The clerk mentioned the arrest of the baker by the sheriff.")
    assert found["arrest"] == {"Patient": "baker", "Agent": "sheriff"}
    assert found["mentioned"].keys() == {"Agent", "Patient"}


@pytest.mark.parametrize("when", ["by Friday", "by 1950", "by hand"])
def test_nothing_is_done_by_a_day_or_by_hand(when: str) -> None:
    found = own(f"The clerk mentioned the sale of the mill {when}.")
    assert "Agent" not in found["sale"]


def test_a_copula_says_so() -> None:
    assert frames("The soup is hot.")[0].predicate.feature("copula") == "yes"
    assert frames("The boy is running.")[0].predicate.feature("copula") == ""


@pytest.mark.parametrize(
    ("text", "head", "roles"),
    [
        ("Red apples on a table", "apples", {"Manner": "Red", "Location": "on a table"}),
        ("Yes.", "Yes", {}),
        ("Thanks!", "Thanks", {}),
        ("Destruction of the temple", "Destruction", {"Patient": "of the temple"}),
    ],
)
def test_texts_without_a_verb(text: str, head: str, roles: dict[str, str]) -> None:
    frame = frames(text)[0]
    assert frame.predicate.label == head
    assert frame.predicate.feature("nominal") == "yes"
    assert roles.items() <= {role: node.label for role, node in frame.roles.items()}.items()


def test_what_something_opens_because_of_opens_it() -> None:
    gate = {"Agent": "because of the wind", "Patient": "gate", "Verb": "opened"}
    found = [f for f in frames("The gate opened because of the wind.") if f.reading_of is not None]
    assert gate in [told(frame) | {"Verb": frame.predicate.label} for frame in found]


def test_a_preposition_tells_the_side() -> None:
    senses = [
        frames(f"The widow rented the barn {end} the baker.")[0].predicate.sense
        for end in ("to", "from")
    ]
    assert senses == ["rent.02", "rent.01"]


def test_converses_go_both_ways() -> None:
    pairs = events().converses
    for name in ("buy.01", "lend.01", "teach.01", "own.01", "export.01", "precede.01"):
        other, labels = pairs[name][0]
        back, reverse = pairs[other][0]
        assert back == name
        assert all(reverse.get(ours, theirs) == theirs for theirs, ours in labels.items())


@settings(max_examples=40)
@given(
    st.lists(
        st.sampled_from(
            [
                "the",
                "a",
                "man",
                "woman",
                "gave",
                "sold",
                "made",
                "decision",
                "to",
                "from",
                "it",
                "is",
                "was",
                "there",
                "that",
                "who",
                "of",
                "by",
                "destruction",
                "city",
                ",",
                ".",
                "according",
                "seems",
                "melted",
                "ice",
                "walk",
                "took",
                "and",
                "not",
            ]
        ),
        max_size=14,
    )
)
def test_any_words_give_sound_readings(words: list[str]) -> None:
    graph = parser().parse([" ".join(words)])[0]
    found = graph.frames()
    for place, frame in enumerate(found):
        if frame.reading_of is not None:
            base = found[frame.reading_of]
            assert frame.reading_of < place
            assert base.reading_of is None
            assert base.predicate.span == frame.predicate.span


def test_a_verb_that_looks_like_an_adjective() -> None:
    found = own("The invasion of the island by pirates shocked everyone.")
    assert found["shocked"]["Patient"] == "everyone"
    assert found["invasion"] == {"Agent": "pirates", "Patient": "island"}
