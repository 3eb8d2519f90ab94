"""The role kernel against what the memory can deliver.

``one_to_many_vs_dot``: one sentence against 200,000 documents of four roles and 300 dimensions,
over ``numpy.dot`` of the same float32 matrix with one vector, which reads the same bytes. Both use
the threads they use by default, all of the machine. ``pairwise_pairs_per_second``: pairs of encoded
sentences in one thread, no row used twice, so that every vector comes from memory.

Runs of the two sides take turns and the best of each counts: what other programs take away slows
both.

>>> from compsim.benchmarks.speed.kernel import measure
>>> sorted(measure(documents=2_000, repeats=1))[:2]
['dot_gigabytes_per_second', 'one_to_many_gigabytes_per_second']
"""

from __future__ import annotations

import numpy as np

from compsim.benchmarks.speed.rivals import best_times
from compsim.kernels.threads import thread_count
from compsim.roles import VERBNET
from compsim.rolesim import kernel
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.scheme_file import read_scheme

__all__ = ["documents_batch", "measure"]

#: Places in VERBNET.roles of the four roles of every document.
_FOUR_ROLES = (0, 1, 2, 6)


def documents_batch(documents: int, dim: int, seed: int = 0) -> RoleBatch:
    """Documents of four roles, each with a random unit vector."""
    rng = np.random.default_rng(seed)
    count = len(_FOUR_ROLES)
    vector = rng.standard_normal((documents * count, dim), dtype=np.float32)
    vector /= np.sqrt(np.einsum("ij,ij->i", vector, vector))[:, None]
    return RoleBatch.of_arrays(
        np.arange(0, documents * count + 1, count),
        np.tile(np.array(_FOUR_ROLES, dtype=np.int32), documents),
        vector,
        roles=VERBNET.roles,
    )


def measure(documents: int = 200_000, dim: int = 300, repeats: int = 9) -> dict[str, float]:
    """Time both kernels; see the module for what the figures mean."""
    kernel.warm_up()
    scheme = read_scheme("paper")
    batch = documents_batch(documents, dim)
    query = documents_batch(1, dim, seed=1)
    vector = batch.vector
    one = query.vector[0]
    out = np.empty(len(vector), dtype=np.float32)
    half = documents // 2
    first, second = batch[:half], batch[half : 2 * half]

    best = best_times(
        {
            "dot": lambda: np.dot(vector, one, out=out),
            "many": lambda: kernel.one_to_many(query, batch, scheme),
            "pairs": lambda: kernel.pairwise(first, second, scheme, threads=1),
        },
        repeats,
        # The threads of numpy's BLAS go on spinning for a while after their work is done.
        rest=0.1,
    )
    gigabytes = vector.nbytes / 1e9
    return {
        "one_to_many_vs_dot": best["dot"] / best["many"],
        "dot_gigabytes_per_second": gigabytes / best["dot"],
        "one_to_many_gigabytes_per_second": gigabytes / best["many"],
        "pairwise_pairs_per_second": half / best["pairs"],
        "threads": float(thread_count()),
    }
