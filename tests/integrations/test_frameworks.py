"""Each framework's own objects go in and come out, best first, and none is changed."""

from __future__ import annotations

import asyncio
import copy
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compsim import InputError, MissingExtraError, Reranker
from compsim.missing import missing
from compsim.retrieval import Calibration

QUERY = "Who bit the man?"
TEXTS = ["The man bit the dog.", "It rained. The dog bit the man.", "Prices fell."]
OPTIONS: dict[str, Any] = {"vectors": "builtin"}
ORDER = [one["corpus_id"] for one in Reranker("verbnet-cn", **OPTIONS).rank(QUERY, TEXTS)]
SCORES = Reranker("verbnet-cn", **OPTIONS).scores(QUERY, TEXTS)


def test_the_right_one_is_first() -> None:
    assert ORDER[0] == 1


def test_rerankers() -> None:
    package = pytest.importorskip("rerankers", reason="rerankers is not installed")
    from compsim.integrations.rerankers import CompsimRanker

    ranker = package.Reranker("verbnet-cn", model_type="CompsimRanker", verbose=0, **OPTIONS)
    assert isinstance(ranker, CompsimRanker)
    ranking = ranker.rank(QUERY, TEXTS, doc_ids=["a", "b", "c"])
    assert [one.document.doc_id for one in ranking] == ["abc"[i] for i in ORDER]
    assert [one.rank for one in ranking] == [1, 2, 3]
    assert ranking.top_k(1)[0].text == TEXTS[1]
    assert ranking.get_score_by_docid("b") == pytest.approx(SCORES[1], abs=1e-6)
    assert ranker.score(QUERY, TEXTS[1]) == pytest.approx(SCORES[1], abs=1e-6)
    given = [package.Document(text, doc_id=i) for i, text in enumerate(TEXTS)]
    assert [one.document for one in ranker.rank(QUERY, given)] == [given[i] for i in ORDER]
    assert ranker.rank(QUERY, []).results == []


def test_langchain() -> None:
    documents = pytest.importorskip(
        "langchain_core.documents", reason="langchain-core is not installed"
    )
    from compsim.integrations.langchain import CompsimCompressor, CompsimCrossEncoder

    reranker = Reranker("verbnet-cn", **OPTIONS)
    given = [documents.Document(page_content=text, metadata={"n": i}, id=str(i))
             for i, text in enumerate(TEXTS)]  # fmt: skip
    before = copy.deepcopy(given)
    result = CompsimCompressor(method=reranker, top_n=2).compress_documents(given, QUERY)
    assert [one.metadata["n"] for one in result] == ORDER[:2]
    assert [one.id for one in result] == [str(i) for i in ORDER[:2]]
    assert result[0].metadata["relevance_score"] == pytest.approx(SCORES[1], abs=1e-6)
    assert given == before
    assert CompsimCompressor(method=reranker).compress_documents([], QUERY) == []
    named = CompsimCompressor(method="verbnet-cn", top_n=2, **OPTIONS)
    assert named.compress_documents(given, QUERY) == result
    strict = CompsimCompressor(method=reranker, score_threshold=SCORES[1])
    assert [one.metadata["n"] for one in strict.compress_documents(given, QUERY)] == [1]
    sure = CompsimCompressor(method="verbnet-cn", calibration=Calibration(6.0, -3.0), **OPTIONS)
    again = CompsimCompressor.model_validate_json(sure.model_dump_json())
    result = again.compress_documents(given, QUERY)
    assert result == sure.compress_documents(given, QUERY)
    assert 0 < result[-1].metadata["relevance_score"] < 0.5
    moved = sure.model_copy(update={"method": "mean-cn", "options": OPTIONS})
    expected = Reranker("mean-cn", **OPTIONS).rank(QUERY, TEXTS)[0]["score"]
    assert expected != pytest.approx(SCORES[1], abs=1e-3)
    (best,) = moved.compress_documents(given[1:2], QUERY)
    assert best.metadata["relevance_score"] == pytest.approx(expected, abs=1e-6)
    assert sure.compress_documents(given, QUERY) == result
    sure.method, sure.options = "mean-cn", dict(OPTIONS)
    assert sure.compress_documents(given[1:2], QUERY) == [best]
    sure.options["calibration"] = (6.0, -3.0)
    assert sure.compress_documents(given[1:2], QUERY) != [best]
    scores = CompsimCrossEncoder(reranker).score([(QUERY, text) for text in TEXTS])
    assert all(type(score) is float for score in scores)
    np.testing.assert_allclose(scores, SCORES, atol=1e-6)
    assert CompsimCrossEncoder(reranker).score([]) == []
    assert CompsimCrossEncoder("verbnet-cn", **OPTIONS).score([(QUERY, TEXTS[0])]) == scores[:1]


def test_llama_index() -> None:
    schema = pytest.importorskip(
        "llama_index.core.schema", reason="llama-index-core is not installed"
    )
    from compsim.integrations.llama_index import CompsimRerank

    nodes = [
        schema.NodeWithScore(node=schema.TextNode(text=text, id_=str(i)), score=score)
        for i, (text, score) in enumerate(zip(TEXTS, [0.0, 0.5, None], strict=True))
    ]
    before = [node.model_copy(deep=True) for node in nodes]
    ranker = CompsimRerank(method="verbnet-cn", top_n=2, options=OPTIONS)
    result = ranker.postprocess_nodes(nodes, query_str=QUERY)
    assert [one.node.node_id for one in result] == [str(i) for i in ORDER[:2]]
    assert result[0].score == pytest.approx(SCORES[1], abs=1e-6)
    assert result[0].node.metadata["retrieval_score"] == 0.5
    assert [node.node.metadata for node in nodes] == [node.node.metadata for node in before]
    assert [node.score for node in nodes] == [0.0, 0.5, None]
    blended = CompsimRerank(method="verbnet-cn", blend=True, options={**OPTIONS, "weight": 0.0})
    result = blended.postprocess_nodes(nodes, query_str=QUERY)
    assert [(one.node.node_id, one.score) for one in result] == [("1", 1), ("0", 0), ("2", 0)]
    assert ranker.postprocess_nodes([], query_str=QUERY) == []
    named = CompsimRerank(method="verbnet-cn", score_threshold=SCORES[1], **OPTIONS)
    assert [one.node.node_id for one in named.postprocess_nodes(nodes, query_str=QUERY)] == ["1"]
    assert CompsimRerank.from_json(named.to_json()).options == OPTIONS
    sure = CompsimRerank(method="verbnet-cn", calibration=Calibration(6.0, -3.0), **OPTIONS)
    again = CompsimRerank.from_json(sure.to_json())
    result = [one.postprocess_nodes(nodes, query_str=QUERY)[0].score for one in (sure, again)]
    assert result[0] == result[1] != SCORES[1]
    assert ranker.class_name() == "CompsimRerank"
    assert CompsimRerank.from_dict(ranker.to_dict()).options == OPTIONS
    with pytest.raises(ValueError, match="no query"):
        ranker.postprocess_nodes(nodes)


def test_haystack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from compsim.integrations.haystack import CompsimRanker

    documents = [haystack.Document(content=text, meta={"n": i}) for i, text in enumerate(TEXTS)]
    before = copy.deepcopy(documents)
    pipeline = haystack.Pipeline()
    pipeline.add_component("ranker", CompsimRanker("verbnet-cn", top_k=2, options=OPTIONS))
    ours = [CompsimRanker.__module__]  # Haystack makes nothing of modules that it was not told of
    again = haystack.Pipeline.loads(pipeline.dumps(), allowed_modules=ours)
    for one in (pipeline, again):
        asked = {"ranker": {"query": QUERY, "documents": documents}}
        process = one.run(asked)["ranker"]["documents"]
        assert [document.meta["n"] for document in process] == ORDER[:2]
        assert process[0].score == pytest.approx(SCORES[1], abs=1e-6)
    assert documents == before
    ranker = CompsimRanker("verbnet-cn", blend=True, options={**OPTIONS, "weight": 0.0})
    scored = [haystack.Document(content=text, score=score) for text, score in
              zip(TEXTS, [0.0, 1.0, 2.0], strict=True)]  # fmt: skip
    assert [one.content for one in ranker.run(QUERY, scored, top_k=1)["documents"]] == TEXTS[2:]
    assert ranker.run(QUERY, [])["documents"] == []
    named = CompsimRanker("verbnet-cn", score_threshold=SCORES[1], **OPTIONS)
    assert [one.meta["n"] for one in named.run(QUERY, documents)["documents"]] == [1]
    assert named.run(QUERY, documents, score_threshold=2)["documents"] == []
    for calibration in (Calibration(6.0, -3.0), (6, -3)):
        pipeline = haystack.Pipeline()
        sure = CompsimRanker("verbnet-cn", calibration=calibration, **OPTIONS)
        pipeline.add_component("ranker", sure)
        again = haystack.Pipeline.loads(pipeline.dumps(), allowed_modules=ours)
        expected = sure.run(QUERY, documents)["documents"]
        assert again.run(asked)["ranker"]["documents"] == expected
        assert 0 < expected[-1].score < 0.5


def test_haystack_runs_without_blocking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from compsim.integrations.haystack import CompsimRanker

    documents = [haystack.Document(content=text, meta={"n": i}) for i, text in enumerate(TEXTS)]
    pipeline = haystack.Pipeline()
    ranker = CompsimRanker("verbnet-cn", **OPTIONS)
    pipeline.add_component("ranker", ranker)

    async def run() -> Any:
        await ranker.warm_up_async()
        result = await pipeline.run_async({"ranker": {"query": QUERY, "documents": documents}})
        await ranker.close_async()
        return result["ranker"]["documents"]

    assert [one.meta["n"] for one in asyncio.run(run())] == ORDER
    assert ranker.run(QUERY, documents)["documents"][0].meta["n"] == ORDER[0]  # opens it again
    ranker.close()


def test_lancedb(tmp_path: Path) -> None:
    lancedb = pytest.importorskip("lancedb", reason="lancedb is not installed")
    from compsim.integrations.lancedb import CompsimReranker

    rows = [{"text": text, "n": i, "vector": [float(i), 1.0]} for i, text in enumerate(TEXTS)]
    table = lancedb.connect(tmp_path).create_table("texts", rows)
    table.create_fts_index("text")
    reranker = CompsimReranker("verbnet-cn", **OPTIONS)
    near = table.search([0.0, 1.0]).rerank(reranker, query_string=QUERY).to_list()
    assert [row["n"] for row in near] == ORDER
    assert [row["_relevance_score"] for row in near] == pytest.approx(SCORES[ORDER], abs=1e-6)
    worded = table.search("dog", query_type="fts").rerank(reranker).to_arrow()
    assert worded.schema.field("_relevance_score").type == "float"
    assert "_score" not in worded.column_names
    search = table.search(query_type="hybrid").vector([0.0, 1.0]).text(QUERY)
    assert [row["n"] for row in search.rerank(reranker).to_list()] == ORDER
    every = CompsimReranker("verbnet-cn", return_score="all", score_threshold=SCORES[1], **OPTIONS)
    search = table.search(query_type="hybrid").vector([0.0, 1.0]).text(QUERY)
    (best,) = search.rerank(every).to_list()
    assert {"_distance", "_score", "_relevance_score"} <= best.keys()
    scored = [{**row, "_relevance_score": 9.0} for row in rows]
    again = lancedb.connect(tmp_path).create_table("scored", scored)
    result = again.search([0.0, 1.0]).rerank(reranker, query_string=QUERY).to_arrow()
    assert result.column_names.count("_relevance_score") == 1
    assert result["_relevance_score"].to_pylist() == pytest.approx(SCORES[ORDER], abs=1e-6)
    nothing = table.search("zebra", query_type="fts").rerank(reranker).to_arrow()
    assert len(nothing) == 0
    for search, column in (
        (table.search([0.0, 1.0]), "nosuch"),
        (table.search([0.0, 1.0]).select(["n"]), "text"),
    ):
        wrong = CompsimReranker("verbnet-cn", column=column, **OPTIONS)
        with pytest.raises(InputError, match=f"no column '{column}', only .*by column="):
            search.rerank(wrong, query_string=QUERY).to_list()


def test_sentence_transformers() -> None:
    evaluation = pytest.importorskip(
        "sentence_transformers.cross_encoder.evaluation",
        reason="sentence-transformers is not installed",
    )
    from compsim.integrations.sentence_transformers import CompsimCrossEncoder

    model = CompsimCrossEncoder("verbnet-cn", **OPTIONS)
    pairs = [(QUERY, text) for text in TEXTS]
    ratings = [0.5, 1.0, 0.0]
    evaluator = evaluation.CrossEncoderCorrelationEvaluator(pairs, ratings, write_csv=False)
    result = evaluator(model)
    assert result["spearman"] > 0.4
    assert model.model_card_data.metrics[0]["spearman"] == result["spearman"]
    samples = [{"query": QUERY, "positive": [TEXTS[1]], "negative": [TEXTS[0], TEXTS[2]]}]
    ranked = evaluation.CrossEncoderRerankingEvaluator(samples, write_csv=False)(model)
    assert ranked["mrr@10"] == 1.0
    older = model.predict(sentences=pairs, convert_to_numpy=False)
    assert isinstance(older, list)
    np.testing.assert_allclose(older, SCORES, atol=1e-6)
    assert np.ndim(model.predict(pairs[0])) == 0
    with pytest.raises(ValueError, match="no pairs"):
        model.predict()
    strict = CompsimCrossEncoder("verbnet-cn", score_threshold=SCORES[1], **OPTIONS)
    assert [one["corpus_id"] for one in strict.rank(QUERY, TEXTS)] == [1]
    assert len(strict.rank(QUERY, TEXTS, score_threshold=-9)) == 3
    assert len(strict.predict(pairs)) == 3
    made = CompsimCrossEncoder(Reranker("verbnet-cn", combine=2, **OPTIONS))
    assert (made.combine, made.method.info.name) == (2, "verbnet-cn")
    assert made.rank(QUERY, TEXTS) == Reranker("verbnet-cn", combine=2, **OPTIONS).rank(
        QUERY, TEXTS
    )


def test_calls_are_those_of_a_cross_encoder() -> None:
    package = pytest.importorskip(
        "sentence_transformers", reason="sentence-transformers is not installed"
    )
    import torch

    from compsim.integrations.sentence_transformers import CompsimCrossEncoder

    def names(call: Any) -> list[str]:
        return [name for name in inspect.signature(call).parameters if name != "kwargs"]

    theirs = package.CrossEncoder
    assert names(Reranker.predict) == names(theirs.predict)
    for ours in (Reranker.rank, CompsimCrossEncoder.rank):
        assert names(ours)[: len(names(theirs.rank))] == names(theirs.rank)
    pairs = [(QUERY, text) for text in TEXTS]
    for model in (Reranker("verbnet-cn", **OPTIONS), CompsimCrossEncoder("verbnet-cn", **OPTIONS)):
        tensor = model.predict(pairs, None, None, 8, False, convert_to_tensor=True, device="cpu")
        assert tensor.dtype == torch.float32
        np.testing.assert_allclose(tensor, SCORES, atol=1e-6)
        result = model.predict(pairs, activation_fn=torch.nn.Sigmoid(), apply_softmax=True)
        np.testing.assert_allclose(result, 1 / (1 + np.exp(-SCORES)), atol=1e-6)
        listed = model.predict(pairs, convert_to_numpy=False)
        assert isinstance(listed, list)
        assert {type(score) for score in listed} == {type(model.predict(pairs[0]))} == {float}
        assert model.predict(pairs[0], convert_to_tensor=True).shape == ()
        ranked = model.rank(QUERY, TEXTS, 2, True, None, None, 8, False, torch.nn.Sigmoid(), "cpu")
        assert [one["corpus_id"] for one in ranked] == ORDER[:2]
        assert type(ranked[0]["score"]) is float
        assert ranked[0]["score"] == pytest.approx(1 / (1 + np.exp(-SCORES[1])), abs=1e-6)
        older = {"apply_softmax": True, "convert_to_numpy": False, "convert_to_tensor": True}
        plain = model.rank(QUERY, TEXTS, batch_size=8, show_progress_bar=False, **older)
        assert plain == Reranker("verbnet-cn", **OPTIONS).rank(QUERY, TEXTS)
        assert all(type(one["score"]) is float for one in plain)
        for wrong in ({"top_k": 0}, {"score_threshold": "0.5"}, {"score_threshold": float("nan")}):
            with pytest.raises(InputError, match=next(iter(wrong))):
                model.rank(QUERY, TEXTS, activation_fn=torch.nn.Sigmoid(), **wrong)
    # What an activation makes equal stays in the order of the scores.
    flat = model.rank(QUERY, TEXTS, activation_fn=torch.ones_like)
    assert [(one["corpus_id"], one["score"]) for one in flat] == [(i, 1.0) for i in ORDER]


def test_beir() -> None:
    reranking = pytest.importorskip("beir.reranking", reason="beir is not installed")
    from compsim.integrations.sentence_transformers import CompsimCrossEncoder

    corpus = {str(i): {"title": "", "text": text} for i, text in enumerate(TEXTS)}
    results = {"q": dict.fromkeys(corpus, 1.0)}
    rerank = reranking.Rerank(CompsimCrossEncoder("verbnet-cn", **OPTIONS))
    result = rerank.rerank(corpus, {"q": QUERY}, results, top_k=3)["q"]
    assert [result[str(i)] for i in range(3)] == pytest.approx(SCORES.tolist(), abs=1e-6)


def test_pyterrier() -> None:
    pt = pytest.importorskip("pyterrier", reason="pyterrier is not installed")
    import pandas as pd

    from compsim.integrations.pyterrier import CompsimRanker

    frame = pd.DataFrame(
        [(qid, query, str(i), text, float(-i), i)
         for qid, query in (("a", QUERY), ("b", "Prices fell."))
         for i, text in enumerate(TEXTS)],
        columns=["qid", "query", "docno", "body", "score", "rank"],
        index=range(10, 16),
    )  # fmt: skip
    before = frame.copy()
    reranker = Reranker("verbnet-cn", weight=0.0, **OPTIONS)
    topics = frame[["qid", "query"]].drop_duplicates()
    result = (pt.Transformer.from_df(frame) >> CompsimRanker(reranker, text="body"))(topics)
    best = result.sort_values(["qid", "rank"])
    assert best[best.qid == "a"].docno.tolist() == [str(i) for i in ORDER]
    assert best[best.qid == "b"].docno.tolist()[0] == "2"
    assert best[best.qid == "a"].score.iloc[0] == pytest.approx(SCORES[1], abs=1e-6)
    strict = CompsimRanker("verbnet-cn", text="body", score_threshold=SCORES[1], **OPTIONS)(frame)
    assert strict[strict.qid == "a"].docno.tolist() == ["1"]
    blended = CompsimRanker(reranker, text="body", blend=True)(frame)
    assert blended.sort_values(["qid", "rank"]).docno.tolist() == ["0", "1", "2"] * 2
    assert len(CompsimRanker(reranker, text="body")(frame[:0])) == 0
    with pytest.raises(InputError, match="score_threshold"):
        CompsimRanker(reranker, text="body", score_threshold=float("nan"))
    pd.testing.assert_frame_equal(frame, before)


def test_scikit_learn() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.base import clone
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline

    from compsim.integrations.scikit_learn import SimilarityTransformer

    sentences = ["The dog bit the man.", "The man bit the dog.", "Prices fell.", "Prices rose."]
    made = SimilarityTransformer("verbnet-cn", distance=True, options=OPTIONS)
    nearest = KNeighborsClassifier(1, metric="precomputed")
    model = make_pipeline(clone(made), nearest).fit(sentences, [0, 1, 2, 2])
    assert model.predict(["The man was bitten by the dog.", "The prices fell."]).tolist() == [0, 2]
    kernel = SimilarityTransformer("verbnet-cn", options=OPTIONS).fit_transform(sentences)
    assert kernel.shape == (4, 4)
    np.testing.assert_allclose(np.diag(kernel), 1, atol=1e-5)
    assert made.fit(sentences).get_feature_names_out().tolist() == sentences
    assert made.transform(sentences).min() == pytest.approx(0, abs=1e-5)


@pytest.mark.filterwarnings("ignore:.*W109")  # hooks are not saved, in spaCy's own words
def test_spacy() -> None:
    import spacy

    import compsim.integrations.spacy  # an installed compsim is found without  # noqa: F401

    nlp = spacy.blank("en")
    nlp.add_pipe("compsim", config={"method": "verbnet-cn", "options": OPTIONS})
    first, second, third = nlp.pipe(["The dog bit the man.", "The man bit the dog.", ""])
    method = Reranker("verbnet-cn", **OPTIONS).method
    (expected,) = method.similarity_pairwise([first.text], [second.text])
    assert first.similarity(second) == pytest.approx(expected)
    assert first[:].similarity(second[:]) == pytest.approx(expected)
    (frame,) = first._.role_graph.frames()
    assert frame.predicate.label == "bit"
    assert third._.role_graph.frames() == ()
    assert spacy.tokens.Doc(nlp.vocab).from_bytes(first.to_bytes()).text == first.text
    with pytest.raises(ValueError, match="no role graph"):
        spacy.blank("en")("Cats sleep.")._.role_graph  # noqa: B018
    other = spacy.blank("en")
    other.add_pipe("compsim", config={"method": "mean-cn", "options": OPTIONS})
    with pytest.raises(ValueError, match="reads no role graphs"):
        other("Cats sleep.")._.role_graph  # noqa: B018


#: What a file may not have done: run code, read a file, ask a service.
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("callable", {"function": "of_nobody:f"}),
    ("openai", {"url": "http://127.0.0.1:9/v1"}),
    ("verbnet-cn", {**OPTIONS, "parser": "llm:http://127.0.0.1:9/v1"}),
    ("mean-cn", {"vectors": "/nowhere/vectors.txt"}),
]


@pytest.mark.filterwarnings("ignore:.*W109")
@pytest.mark.parametrize(("method", "options"), ASKED)
def test_a_pipeline_of_spacy_that_was_saved_decides_no_code(
    method: str, options: dict[str, Any], tmp_path: Path
) -> None:
    import spacy

    import compsim
    import compsim.integrations.spacy  # an installed compsim is found without

    made = spacy.blank("en")
    made.add_pipe("compsim", name="roles", config={"method": "mean-cn", "options": OPTIONS})
    made.to_disk(tmp_path / "made")
    config = made.config
    config["components"]["roles"] |= {"method": method, "options": options}
    config.to_disk(tmp_path / "made" / "config.cfg")
    nlp = spacy.load(tmp_path / "made")
    first, second = nlp("Cats sleep."), nlp("A cat sleeps.")
    with pytest.raises(InputError, match=r"may not decide.*get_pipe\('roles'\)\.method = "):
        first.similarity(second)
    nlp.get_pipe("roles").method = compsim.load("mean-cn", **OPTIONS)
    assert first.similarity(second) > 0.9


@pytest.mark.parametrize(("method", "options"), ASKED)
def test_a_pipeline_of_haystack_that_was_saved_decides_no_code(
    method: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from compsim.integrations.haystack import CompsimRanker

    pipeline = haystack.Pipeline()
    pipeline.add_component("ranker", CompsimRanker(method, options=options))
    with pytest.raises(Exception, match="may not decide"):
        haystack.Pipeline.loads(pipeline.dumps(), allowed_modules=[CompsimRanker.__module__])
    with pytest.raises(InputError, match=r"the pipeline names .*make the CompsimRanker in Python"):
        CompsimRanker.from_dict(CompsimRanker(method, options=options).to_dict())


@pytest.mark.parametrize(("method", "options"), ASKED)
def test_a_postprocessor_of_llama_index_that_was_saved_decides_no_code(
    method: str, options: dict[str, Any]
) -> None:
    pytest.importorskip("llama_index.core.schema", reason="llama-index-core is not installed")
    from compsim.integrations.llama_index import CompsimRerank

    saved = CompsimRerank(method=method, options=options)
    for load in (
        lambda **given: CompsimRerank.from_dict(saved.to_dict(), **given),
        lambda **given: CompsimRerank.from_json(saved.to_json(), **given),
    ):
        with pytest.raises(InputError, match="may not decide"):
            load()
        assert load(method=method, options=options).options == options


def test_arguments_are_the_same_everywhere() -> None:
    from compsim.integrations.options import check_name, check_options, open_reranker

    reranker = Reranker("verbnet-cn", **OPTIONS)
    assert open_reranker(reranker, {}) is reranker
    assert open_reranker(reranker.method, {"combine": 2}).combine == 2
    check_options("verbnet-cn", {**OPTIONS, "combine": 2})
    for method, options, said in (
        ("verbnet-cn", {"hue": 1}, "no option .hue"),
        (reranker.method, OPTIONS, "made already: leave out vectors"),
        (reranker, OPTIONS, "made already: leave out vectors"),
    ):
        with pytest.raises(InputError, match=said):
            check_options(method, options)
    with pytest.raises(InputError, match="cannot be saved"):
        check_name(reranker)


@pytest.mark.parametrize(
    ("adapter", "limits"),
    [
        ("rerankers.CompsimRanker", ("score_threshold",)),
        ("lancedb.CompsimReranker", ("score_threshold",)),
        ("langchain.CompsimCompressor", ("score_threshold", "top_n")),
        ("langchain.CompsimCrossEncoder", ()),
        ("llama_index.CompsimRerank", ("score_threshold", "top_n")),
        ("haystack.CompsimRanker", ("score_threshold", "top_k")),
        ("pyterrier.CompsimRanker", ("score_threshold",)),
        ("sentence_transformers.CompsimCrossEncoder", ("score_threshold",)),
    ],
)
def test_all_adapters_take_the_same_arguments(
    adapter: str, limits: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    module, _, name = adapter.partition(".")
    try:
        result = importlib.import_module(f"compsim.integrations.{module}")
    except MissingExtraError as error:
        pytest.skip(str(error))
    kind = getattr(result, name)
    method = "model_name_or_path" if module == "rerankers" else "method"
    reranker = Reranker("verbnet-cn", **OPTIONS)
    valid = {"score_threshold": 0.5, "top_k": 2, "top_n": 2}
    for given in ({method: reranker}, {method: "verbnet-cn", "options": OPTIONS, "combine": 2}):
        kind(**given, **{limit: valid[limit] for limit in limits})
    with pytest.raises(ValueError, match=r"no option .hue"):
        kind(**{method: "verbnet-cn", "options": {"hue": 1}})
    with pytest.raises(ValueError, match="made already: leave out combine"):
        kind(**{method: reranker, "options": {"combine": 2}})
    for limit in limits:
        for wrong in (float("nan"),) if limit == "score_threshold" else (0, -1):
            with pytest.raises(ValueError, match=rf"{limit}={wrong}"):
                kind(**{method: reranker, limit: wrong})


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("lancedb", "lancedb", "lancedb"),
        ("mcp", "mcp", "mcp"),
        ("rerankers", "rerankers", "rerankers"),
        ("langchain", "langchain_core", "langchain"),
        ("llama_index", "llama_index", "llama-index"),
        ("haystack", "haystack", "haystack"),
        ("pyterrier", "pyterrier", "pyterrier"),
        ("scikit_learn", "sklearn", "scikit-learn"),
    ],
)
def test_a_missing_package_names_the_extra(module: str, package: str, extra: str) -> None:
    code = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "from compsim import MissingExtraError\n"
        "try:\n"
        f"    import compsim.integrations.{module}\n"
        "except MissingExtraError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f".[{extra}]" in done.stdout, done.stderr


def test_what_is_said() -> None:
    error = missing("haystack-ai", "haystack", ImportError("no", name="haystack"))
    assert isinstance(error, MissingExtraError)
    assert error.name == "haystack"
