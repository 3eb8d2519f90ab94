"""Made-up sentences of several frames, and the batches that they make."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from compsim.kernels.cosine import unit_rows
from compsim.kernels.ragged import Ragged
from compsim.roles import EVERYDAY
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.features import SIZE
from compsim.rolesim.scheme_file import read_scheme

__all__ = ["DIM", "SCHEME", "batch_of", "sentence"]

DIM = 4
SCHEME = read_scheme("everyday")
phrase = st.tuples(
    st.lists(st.integers(-3, 3).map(float), min_size=DIM, max_size=DIM),
    st.sampled_from([0.25, 1.0, 2.0]),  # amount
    st.sampled_from([0.0, 0.4, -0.4]),  # feature
    st.booleans(),  # open
)
frame = st.tuples(
    st.dictionaries(st.integers(0, len(EVERYDAY.roles) - 1), phrase, min_size=1, max_size=5),
    st.sampled_from([-1, 1]),
    st.integers(0, 2),
)
sentence = st.lists(frame, min_size=1, max_size=5)


def batch_of(sentences: list[list[tuple]], readings: bool = False) -> RoleBatch:  # type: ignore[type-arg]
    """The sentences as a batch; with ``readings`` the last of several frames retells the first.

    A phrase is its words' vector, what it says, its place on one axis of features, and whether it
    asks. The last phrase of a frame, not its predicate, holds the clause before it.
    """
    frames = [frame for listed in sentences for frame in listed]
    phrases = [(role, *told) for found, _, _ in frames for role, told in sorted(found.items())]
    words = np.array([vector for _, vector, *_ in phrases], dtype=np.float32).reshape(-1, DIM)
    features = np.zeros((len(phrases), SIZE), dtype=np.float32)
    features[:, 0] = [feature for *_, feature, _ in phrases]
    reading = [
        0 if readings and i and i == len(listed) - 1 else -1
        for listed in sentences
        for i in range(len(listed))
    ]
    clause = [
        i - 1 if 0 < role == max(found) and not (readings and i == len(listed) - 1) else -1
        for listed in sentences
        for i, (found, *_) in enumerate(listed)
        for role in sorted(found)
    ]
    columns = {
        "clause": np.array(clause, dtype=np.int32),
        "role": np.array([role for role, *_ in phrases], dtype=np.int32),
        "vector": np.hstack([unit_rows(words), features]),
        "amount": np.array([amount for _, _, amount, _, _ in phrases], dtype=np.float32),
        "offset": (features * features).sum(axis=1) / 2,
        "open": np.array([asks for *_, asks in phrases], dtype=np.bool_),
    }
    part = Ragged(
        np.cumsum([0, *map(len, sentences)]),
        {
            "parent": np.full(len(frames), -1, dtype=np.int32),
            "polarity": np.array([polarity for _, polarity, _ in frames], dtype=np.int8),
            "depth": np.array([depth for *_, depth in frames], dtype=np.int32),
            "reading": np.array(reading, dtype=np.int32),
            "phrase": Ragged(np.cumsum([0, *(len(found) for found, _, _ in frames)]), columns),
        },
    )
    status = np.zeros(len(sentences), dtype=np.int8)
    return RoleBatch({"frame": part}, status=status, names={"role": EVERYDAY.roles})
