"""compsim in scikit-learn: likenesses to reference sentences as features.

>>> model = make_pipeline(  # doctest: +SKIP
...     SimilarityTransformer("hybrid"), SVC(kernel="precomputed")
... )
>>> model.fit(sentences, labels).predict(others)  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from compsim.defaults import DEFAULT_METHOD
from compsim.missing import missing
from compsim.registry import load
from compsim.sentences import check_sentences

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise missing("scikit-learn", "scikit-learn", error) from error

__all__ = ["SimilarityTransformer"]


class SimilarityTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # not typed
    """Turns sentences into their scores with the sentences that it was fitted on.

    ``fit`` encodes n sentences; ``transform`` of m gives float32 (m, n): a precomputed kernel, or,
    subtracted from 1 with ``distance=True``, precomputed distances for neighbours and clusters.
    ``options`` go to the method.
    """

    def __init__(
        self,
        method: str = DEFAULT_METHOD,
        *,
        distance: bool = False,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.distance = distance
        self.options = options

    def fit(self, X: Iterable[str], y: Any = None) -> Self:  # noqa: N803
        """Encode the sentences that others are compared with."""
        self.method_ = load(self.method, **(self.options or {}))
        self.sentences_ = np.array(check_sentences(X), dtype=object)
        self.encoded_ = self.method_.encode(self.sentences_)
        return self

    def transform(self, X: Iterable[str]) -> npt.NDArray[np.float32]:  # noqa: N803
        """Scores of sentences with those of ``fit``, float32 (m, n)."""
        check_is_fitted(self, "encoded_")
        scores = self.method_.similarity(list(X), self.encoded_)
        return 1 - scores if self.distance else scores

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """The sentences of ``fit``."""
        check_is_fitted(self, "encoded_")
        return self.sentences_
