"""Caches of LangChain and Haystack that the guard decides for, in these packages' own pipelines."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from compsim import Guard, InputError

OPTIONS = {"whole": "mean-cn", "vectors": "builtin"}
ASKED = "The nurse gave the patient the tablets."
PASSIVE = "The patient was given the tablets by the nurse."
OTHER = "The patient gave the nurse the tablets."


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard(**OPTIONS)


def test_langchain_serves_an_answer_to_a_prompt_that_says_the_same(guard: Guard) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from langchain_core.language_models.fake import FakeListLLM

    from compsim.integrations.langchain_cache import CompsimCache

    cache = CompsimCache(guard)
    model = FakeListLLM(responses=["one", "two", "three"], cache=cache)
    assert [model.invoke(text) for text in (ASKED, PASSIVE, OTHER, OTHER, PASSIVE)] == [
        "one", "one", "two", "two", "one",
    ]  # fmt: skip
    assert asyncio.run(model.ainvoke(f"  {ASKED.lower()} ")) == "one"
    other = FakeListLLM(responses=["of another model"], cache=cache, stop=["x"])
    assert other.invoke(ASKED) == "of another model"
    cache.clear()
    assert model.invoke(PASSIVE) == "three"


def test_langchain_keeps_chats_apart_by_what_was_said_before(guard: Guard) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from langchain_core.language_models.fake_chat_models import FakeListChatModel
    from langchain_core.messages import HumanMessage, SystemMessage

    from compsim.integrations.langchain_cache import CompsimCache

    model = FakeListChatModel(responses=["one", "two", "three"], cache=CompsimCache(guard))
    brief = SystemMessage("Be brief.")
    chats = [[HumanMessage(ASKED)], [HumanMessage(PASSIVE, id="7")], [brief, HumanMessage(ASKED)]]
    assert [model.invoke(chat).content for chat in chats] == ["one", "one", "two"]
    pictures = HumanMessage([{"type": "text", "text": ASKED}])
    assert [model.invoke([pictures]).content for _ in range(2)] == ["three", "three"]


def test_langchain_drops_the_oldest_answers(guard: Guard) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from compsim.integrations.langchain_cache import CompsimCache

    cache = CompsimCache(guard, maxsize=2)
    for i, text in enumerate((ASKED, OTHER, ASKED, "It rained in London.")):
        cache.update(text, "model", [i])
    assert cache.lookup(ASKED, "model") is None
    assert cache.lookup(OTHER, "model") == [1]
    assert cache.lookup("it rained in London", "model") == [3]
    cache.update(ASKED, "another", [4])
    assert cache.lookup(OTHER, "model") is None
    cache.update("?!", "another", [5])
    assert cache.lookup("", "another") is None
    assert cache.lookup("It rained in London.", "model") is None
    with pytest.raises(InputError, match="maxsize=0"):
        CompsimCache(guard, maxsize=0)


def test_haystack_lets_hits_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from compsim.integrations.haystack_cache import CompsimCacheFilter

    store = InMemoryDocumentStore()
    store.write_documents(
        [haystack.Document(content=text, meta={"answer": text[::-1]}) for text in (ASKED, OTHER)]
    )
    pipeline = haystack.Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=5))
    pipeline.add_component("same", CompsimCacheFilter(**OPTIONS))
    pipeline.connect("retriever.documents", "same.documents")

    def asked(query: str) -> dict[str, Any]:
        process: dict[str, Any] = pipeline.run(
            {"retriever": {"query": query}, "same": {"query": query}}
        )
        return process["same"]

    (hit,) = asked(PASSIVE)["hits"]
    assert hit.meta["answer"] == ASKED[::-1]
    assert 0.5 < hit.score <= 1
    assert asked(PASSIVE)["misses"] == []
    denied = PASSIVE.replace("was", "was not")
    assert asked(denied) == {"hits": [], "misses": [denied]}


def test_haystack_saves_the_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from compsim.integrations.haystack_cache import CompsimCacheFilter

    one = CompsimCacheFilter(max_false=0.02, options=OPTIONS)
    again = CompsimCacheFilter.from_dict(one.to_dict())
    assert (again.method, again.max_false, again.options) == ("hybrid", 0.02, OPTIONS)
    documents = [haystack.Document(content=PASSIVE), haystack.Document(content=None)]

    async def run() -> Any:
        await again.warm_up_async()
        return await again.run_async(ASKED, documents)

    assert [document.content for document in asyncio.run(run())["hits"]] == [PASSIVE]
    with pytest.raises(InputError, match="in Python"):
        CompsimCacheFilter.from_dict(CompsimCacheFilter(method="sbert", model="/a").to_dict())


def test_prompts_are_joined_a_few_times_each(guard: Guard) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from compsim.integrations.langchain_cache import _Prompts

    class Batch(list[int]):
        copied = 0

        def __getitem__(self, index: Any) -> Any:
            return Batch(super().__getitem__(index))

        @classmethod
        def concat(cls, parts: list[Batch]) -> Batch:
            cls.copied += sum(map(len, parts))
            return cls(x for part in parts for x in part)

    count = 1000
    prompts = _Prompts()
    for i in range(count):
        prompts.add(str(i), [i], Batch([i]))
    assert [int(text) for text in prompts.answers] == [x for part in prompts.parts for x in part]
    # Each is copied once for each doubling: joining all at each step would take count ** 2 / 2.
    assert Batch.copied <= count * count.bit_length()
    for i in range(count):
        prompts.add(str(count + i), [i], Batch([count + i]))
        prompts.drop()
        assert len(prompts.parts) <= 2 * count.bit_length()
    assert [int(text) for text in prompts.answers] == [x for part in prompts.parts for x in part]
    assert Batch.copied <= 5 * count * count.bit_length()
    for _ in range(count):
        prompts.drop()
    assert not prompts.answers
    assert not prompts.parts
