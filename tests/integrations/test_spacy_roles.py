"""Semantic roles as attributes of spaCy's documents and spans."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import pytest
import spacy
from spacy import displacy

import compsim.integrations.spacy as integration
from compsim import InputError, UnknownNameError
from compsim.integrations.spacy import displacy_spans

TEXT = "Ada bought a house. Bob did not sell the old house in Rome."
OPTIONS = {"method": "mean-cn", "options": {"vectors": "builtin"}}


@pytest.fixture(scope="module")
def nlp() -> Any:
    made = spacy.blank("en")
    made.add_pipe("compsim", config=OPTIONS)  # which reads no graphs itself
    return made


def test_frames_have_the_spans_of_the_document(nlp: Any) -> None:
    doc = nlp(TEXT)
    bought, sell = doc._.frames
    assert (bought.predicate.text, bought.sense, bought.negated) == ("bought", "buy.01", False)
    assert {name: span.text for name, span in bought.roles.items()}["Agent"] == "Ada"
    assert (sell.predicate.start, sell.negated) == (TEXT.split().index("sell") + 1, True)
    assert {span.text for span in sell.roles.values()} == {"Bob", "the old house", "in Rome"}
    assert all(span.doc is doc for frame in (bought, sell) for span in frame.roles.values())
    assert doc[: len(doc)]._.roles == []
    again = nlp(TEXT)
    assert again._.frames[1].predicate.doc is again


def test_a_span_knows_its_roles(nlp: Any) -> None:
    doc = nlp(TEXT)
    assert [(role, one.text) for role, one in doc[0:1]._.roles] == [("Agent", "bought")]
    whole, without = doc[9:12], doc[10:12]
    assert whole.text == "the old house"
    ((role, predicate),) = without._.roles  # as an entity may have it
    assert (role, predicate.text) == (whole._.roles[0][0], "sell")
    assert doc[11:12]._.roles == []  # a part of it


def test_frames_follow_the_tokens_and_sentences_of_a_document(nlp: Any) -> None:
    doc = nlp(TEXT)
    assert [one.text for _, one in doc[9:12]._.roles] == ["sell"]
    copied = doc.copy()
    assert copied._.frames[0].predicate.doc is copied
    assert [one.doc is copied for _, one in copied[9:12]._.roles] == [True]
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[9:12])
    assert [one.text for _, one in doc[9:10]._.roles] == ["sell"]
    assert doc[9:10].text == "the old house"
    assert [frame.roles["Agent"].text for frame in doc._.frames] == ["Ada", "Bob"]
    copied[2].is_sent_start = True  # so that nobody buys anything in the first one
    (bought,) = (frame for frame in copied._.frames if frame.predicate.text == "bought")
    assert all(span.end <= 2 for span in bought.roles.values())


def test_roles_of_many_spans_read_a_document_once(
    nlp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = nlp.get_pipe("compsim")
    doc = nlp("Ada bought a boat. " * 30)
    asked: list[Any] = []
    aligned = integration._by_tokens
    monkeypatch.setattr(
        integration, "_by_tokens", lambda *given: asked.append(given) or aligned(*given)
    )
    spans = [doc[start : start + 1] for start in range(0, len(doc), 5)]
    results = [span._.roles for span in spans]
    assert [[(role, one.start) for role, one in each] for each in results] == [
        [("Agent", span.start + 1)] for span in spans
    ]
    assert len(asked) == len(doc._.frames) == 30
    assert len(component._frames) <= integration._KEPT


def test_a_pipeline_of_another_language_is_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"reads English only, and this pipeline is for 'de'"):
        spacy.blank("de").add_pipe("compsim", config=OPTIONS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spacy.blank("en").add_pipe("compsim", config=OPTIONS)


def test_sentences_are_those_of_the_pipeline() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("compsim", config=OPTIONS)
    words = ["Ada", "slept", "Bob", "slept"]
    doc = nlp(spacy.tokens.Doc(nlp.vocab, words, sent_starts=[True, False, True, False]))
    results = [{name: span.text for name, span in frame.roles.items()} for frame in doc._.frames]
    assert results == [{"Agent": "Ada"}, {"Agent": "Bob"}]


def test_nothing_to_read(nlp: Any) -> None:
    for text in ("", " ", "..."):
        assert nlp(text)._.frames == []
    with pytest.raises(ValueError, match="no role graph"):
        spacy.blank("en")("Cats sleep.")._.frames  # noqa: B018


def test_displacy_draws_them(nlp: Any) -> None:
    drawn = displacy.render(displacy_spans(nlp(TEXT)), style="span", manual=True, jupyter=False)
    assert "Agent (bought)" in drawn
    assert "predicate (not sell)" in drawn


@pytest.mark.filterwarnings("ignore:.*W109")  # hooks are not saved, in spaCy's own words
def test_documents_that_were_saved(nlp: Any) -> None:
    stored = spacy.tokens.DocBin(docs=[nlp(TEXT)])
    (again,) = stored.get_docs(nlp.vocab)
    assert [frame.predicate.text for frame in again._.frames] == ["bought", "sell"]
    assert [role for role, _ in again[0:1]._.roles] == ["Agent"]
    assert nlp.get_pipe("compsim")(again).similarity(nlp(TEXT)) == pytest.approx(1)
    (strange,) = stored.get_docs(spacy.blank("en").vocab)
    with pytest.raises(InputError, match=r'no role graph.*get_pipe\("compsim"\)\(doc\)'):
        strange._.frames  # noqa: B018
    assert len(nlp.get_pipe("compsim")(strange)._.frames) == 2


def test_more_than_one_component_may_have_saved_a_document() -> None:
    nlp = spacy.blank("en")
    for name in ("one", "other"):
        nlp.add_pipe("compsim", name=name, config=OPTIONS)
    with pytest.raises(InputError, match="no role graph"):
        nlp.make_doc(TEXT)._.frames  # noqa: B018


def test_names_that_are_not_known_are_refused_at_once() -> None:
    for config, error, said in (
        ({"method": "hybird"}, UnknownNameError, "did you mean 'hybrid'"),
        ({"options": {"vector": "builtin"}}, InputError, "no option 'vector': did you mean"),
        ({"method": "openai", "options": {"hue": 1}}, InputError, "no option 'hue'"),
    ):
        with pytest.raises(error, match=said):
            spacy.blank("en").add_pipe("compsim", config=config)


@pytest.mark.filterwarnings("ignore:.*built-in word vectors")
def test_the_component_goes_to_other_processes(nlp: Any) -> None:
    nlp(TEXT)._.frames  # noqa: B018  # which opens the labeller
    component = pickle.loads(pickle.dumps(nlp.get_pipe("compsim")))
    doc = component(spacy.blank("en")(TEXT))
    assert [frame.predicate.text for frame in doc._.frames] == ["bought", "sell"]
