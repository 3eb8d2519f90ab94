from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import kernels as naive

from compsim.errors import DataError, InputError
from compsim.graph import RoleGraph, Status
from compsim.kernels.cosine import unit_rows
from compsim.kernels.threads import thread_count
from compsim.roles import VERBNET, Inventory
from compsim.rolesim import kernel
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.scheme import NORMALIZE, Scheme
from compsim.rolesim.scheme_file import read_scheme

DIM = 3
numbers = st.integers(-3, 3).map(float)
phrase_vectors = st.lists(numbers, min_size=DIM, max_size=DIM)  # zero vectors are among them
stars = st.dictionaries(st.sampled_from(VERBNET.roles), phrase_vectors, max_size=len(VERBNET.roles))


def make_batch(
    rows: list[naive.Star], roles: tuple[str, ...] = VERBNET.roles, dim: int = DIM
) -> RoleBatch:
    ordered = [sorted((roles.index(role), vector) for role, vector in row.items()) for row in rows]
    vectors = [vector for row in ordered for _, vector in row]
    return RoleBatch.of_arrays(
        np.cumsum([0, *(len(row) for row in ordered)]),
        np.array([role for row in ordered for role, _ in row], dtype=np.int32),
        unit_rows(np.array(vectors, dtype=np.float32).reshape(-1, dim)),
        roles=roles,
    )


def naive_score(a: naive.Star, b: naive.Star, scheme: Scheme) -> float:
    weights = dict(zip(scheme.roles, scheme.weights, strict=True))
    return naive.score(
        a,
        b,
        weights,
        list(scheme.inventory.align),
        scheme.normalize,
        scheme.divisor,
    )


@st.composite
def schemes(draw: st.DrawFn) -> Scheme:
    role = st.sampled_from(VERBNET.roles)
    pairs = st.tuples(role, role).filter(lambda pair: pair[0] != pair[1])
    align = draw(st.lists(pairs, max_size=8, unique_by=frozenset))
    weight = st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])
    weights = draw(st.tuples(*[weight for _ in VERBNET.roles]))
    divisor = draw(st.sampled_from([1.0, 11.0]))
    inventory = Inventory("drawn", VERBNET.roles, tuple(align))
    return Scheme(inventory, weights, draw(st.sampled_from(NORMALIZE)), divisor)


@given(st.lists(st.tuples(stars, stars), max_size=6), schemes())
def test_pairwise_and_matrix_are_the_naive_score(
    pairs: list[tuple[naive.Star, naive.Star]], scheme: Scheme
) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    a, b = make_batch(first), make_batch(second)
    expected = [naive_score(x, y, scheme) for x, y in pairs]
    np.testing.assert_allclose(kernel.pairwise(a, b, scheme), expected, atol=1e-6)
    table = [[naive_score(x, y, scheme) for y in second] for x in first]
    got = kernel.matrix(a, b, scheme)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, np.reshape(table, (len(pairs), len(pairs))), atol=1e-6)


@given(stars, stars, schemes())
def test_the_pure_python_match_agrees_with_the_kernel(
    x: naive.Star, y: naive.Star, scheme: Scheme
) -> None:
    a, b = make_batch([x]), make_batch([y])
    result = scheme.compare(a.frame(0), b.frame(0))
    got = kernel.pairwise(a, b, scheme)[0]
    assert got == pytest.approx(sum(result.contributions), abs=1e-6)
    assert got == pytest.approx(naive_score(x, y, scheme), abs=1e-6)
    names = [
        (scheme.roles[a.frame(0).role[i]], scheme.roles[b.frame(0).role[j]])
        for i, j in result.pairs
    ]
    assert [match[1:] for match in scheme.matches(x, y)] == names
    assert len(names) + len(result.first) == len(x)
    assert len(names) + len(result.second) == len(y)


@given(st.lists(stars, min_size=1, max_size=5), st.lists(stars, min_size=1, max_size=5), schemes())
@settings(max_examples=100)
def test_symmetry_range_and_shapes(
    first: list[naive.Star], second: list[naive.Star], scheme: Scheme
) -> None:
    a, b = make_batch(first), make_batch(second)
    forth = kernel.matrix(a, b, scheme)
    assert forth.shape == (len(a), len(b))
    np.testing.assert_allclose(forth, kernel.matrix(b, a, scheme).T, atol=1e-7)
    if scheme.normalize != "fixed":
        assert (np.abs(forth) <= 1 + 1e-6).all()
    for i in range(len(a)):
        np.testing.assert_allclose(kernel.one_to_many(a[i], b, scheme), forth[i], atol=1e-7)


def test_dice_over_an_open_role_set_is_amr_cn() -> None:
    paths = tuple(f"path{i}" for i in range(100))
    scheme = Scheme(Inventory("paths", paths), (1.0,) * 100, normalize="dice")
    a = make_batch([{"path3": [1, 0], "path99": [0, 1]}], paths, dim=2)
    b = make_batch([{"path3": [1, 0], "path4": [1, 0], "path99": [1, 0]}], paths, dim=2)
    assert kernel.pairwise(a, b, scheme)[0] == pytest.approx(2 * (1 + 0) / (2 + 3))


def test_an_aligned_pair_counts_with_the_weight_of_its_first_role() -> None:
    scheme = read_scheme("paper", "fixed")
    theme, manner = make_batch([{"Theme": [1, 0, 0]}]), make_batch([{"Manner": [1, 0, 0]}])
    for a, b in [(theme, manner), (manner, theme)]:
        assert kernel.pairwise(a, b, scheme)[0] == pytest.approx(2 / 11)
        assert kernel.pairwise(a, b, read_scheme("paper", "union"))[0] == pytest.approx(1)


def test_nothing_in_common_scores_0() -> None:
    a, b = make_batch([{"Time": [1, 0, 0]}, {}]), make_batch([{"Agent": [1, 0, 0]}, {}])
    for normalize in NORMALIZE:
        assert kernel.pairwise(a, b, read_scheme("paper", normalize)).tolist() == [0, 0]


def test_thread_counts_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_PAIRS_PER_THREAD", 8)
    rng = np.random.default_rng(0)
    rows = [
        {role: rng.normal(size=DIM).tolist() for role in rng.choice(VERBNET.roles, 4)}
        for _ in "x" * 99
    ]
    batch, scheme = make_batch(rows), read_scheme("paper")
    one = kernel.matrix(batch, batch, scheme, threads=1)
    for threads in (2, 3, 50):
        assert (kernel.matrix(batch, batch, scheme, threads=threads) == one).all()
    pairs = kernel.pairwise(batch, batch[::-1], scheme, threads=1)
    assert (kernel.pairwise(batch, batch[::-1], scheme, threads=3) == pairs).all()

    # Calls from several threads at once do not disturb each other.
    results: list[Any] = []
    workers = [
        threading.Thread(target=lambda: results.append(kernel.matrix(batch, batch, scheme, 2)))
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(results) == 4
    assert all((result == one).all() for result in results)


def test_thread_count_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPSIM_THREADS", "3")
    assert thread_count() == 3
    for wrong in ("0", "-1", "many"):
        monkeypatch.setenv("COMPSIM_THREADS", wrong)
        with pytest.raises(InputError, match="COMPSIM_THREADS"):
            thread_count()
    monkeypatch.delenv("COMPSIM_THREADS")
    assert thread_count() >= 1
    with pytest.raises(InputError, match="threads=0"):
        kernel.pairwise(make_batch([]), make_batch([]), read_scheme("paper"), threads=0)


def test_batches_that_do_not_belong_together() -> None:
    scheme = read_scheme("paper")
    a = make_batch([{"Verb": [1, 0, 0]}])
    with pytest.raises(InputError, match="1 and 0"):
        kernel.pairwise(a, a[:0], scheme)
    with pytest.raises(InputError, match="dimensions"):
        kernel.matrix(a, make_batch([{"Verb": [1, 0]}], dim=2), scheme)
    with pytest.raises(InputError, match="roles"):
        kernel.matrix(a, make_batch([{"x": [1, 0, 0]}], roles=("x",)), scheme)
    with pytest.raises(InputError, match="give one"):
        kernel.one_to_many(a[:0], a, scheme)
    other = make_batch([{"Verb": [1, 0, 0]}])
    other.space = "numberbatch:1234"
    with pytest.raises(InputError, match="numberbatch:1234"):
        kernel.matrix(a, other, scheme)


def test_warm_up_leaves_nothing_to_compile() -> None:
    kernel.warm_up()
    compiled = getattr(kernel._pairwise, "signatures", None)
    if compiled is None:
        pytest.skip("numba is switched off by NUMBA_DISABLE_JIT")
    matrix_compiled = list(kernel._matrix.signatures)
    kernel.pairwise(make_batch([{"Verb": [1, 0, 0]}]), make_batch([{}]), read_scheme("paper"))
    kernel.matrix(make_batch([{"Verb": [1, 0, 0]}]), make_batch([{}]), read_scheme("paper"))
    assert kernel._pairwise.signatures == compiled
    assert kernel._matrix.signatures == matrix_compiled


# --- the batch -----------------------------------------------------------------------------------


def test_unit_rows() -> None:
    rows = unit_rows(np.array([[3, 4], [0, 0], [1e30, 0]], dtype=np.float32))
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0, 0], [1, 0]], rtol=1e-6)
    with pytest.raises(InputError, match="NaN"):
        unit_rows(np.array([[np.nan, 0]], dtype=np.float32))


@pytest.mark.parametrize(
    ("indptr", "role", "size"),
    [
        ([0, 2], [0, 1], 1),
        ([0, 3], [0, 1], 2),
        ([1, 2], [0, 1], 2),
        ([0, 2, 1, 2], [0, 1], 2),
        ([0, 2], [1, 0], 2),
        ([0, 2], [1, 1], 2),
        ([0, 2], [0, 8], 2),
        ([0, 2], [-1, 0], 2),
        ([], [], 0),
    ],
)
def test_arrays_that_do_not_fit_are_refused(indptr: list[int], role: list[int], size: int) -> None:
    with pytest.raises(InputError):
        RoleBatch.of_arrays(
            np.array(indptr), np.array(role), np.ones((size, DIM)), roles=VERBNET.roles
        )


def test_roles_may_fall_between_rows_even_around_empty_ones() -> None:
    batch = make_batch([{}, {"Agent": [1, 0, 0]}, {}, {"Verb": [1, 0, 0]}, {}])
    assert np.diff(batch.indptr).tolist() == [0, 1, 0, 1, 0]


def content(batch: RoleBatch) -> list[dict[str, list[float]]]:
    return [{r: v.tolist() for r, v in batch.star(i).items()} for i in range(len(batch))]


@given(st.lists(stars, max_size=6), st.data())
@settings(max_examples=100)
def test_slicing_is_that_of_a_list(rows: list[naive.Star], data: st.DataObject) -> None:
    batch = make_batch(rows)
    whole = content(batch)
    part = data.draw(st.slices(len(rows)))
    assert content(batch[part]) == whole[part]
    if rows:
        places = data.draw(st.lists(st.integers(-len(rows), len(rows) - 1), max_size=8))
        assert content(batch[places]) == [whole[i] for i in places]
        mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
        assert content(batch[mask]) == [x for x, keep in zip(whole, mask, strict=True) if keep]
        assert content(batch[-1]) == whole[-1:]
        assert content(RoleBatch.concat([batch[:2], batch[2:]])) == whole


def test_wrong_index_and_wrong_concat() -> None:
    batch = make_batch([{"Verb": [1, 0, 0]}])
    for index in (3, [0, 5], "x"):
        with pytest.raises(InputError):
            batch[index]  # type: ignore[index]
    with pytest.raises(InputError):
        RoleBatch.concat([])
    with pytest.raises(InputError):
        RoleBatch.concat([batch, make_batch([{"Verb": [1, 0]}], dim=2)])


def stored_batch() -> RoleBatch:
    graphs = [
        RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"}),
        RoleGraph.failed("§§ \U0001f600", "no predicate"),
        RoleGraph.star("Dogs bark.", {"Verb": "bark"}, status=Status.PARTIAL),
    ]
    return RoleBatch.of_arrays(
        np.array([0, 2, 2, 3]),
        np.array([0, 1, 0]),
        np.eye(3),
        roles=VERBNET.roles,
        status=np.array([0, 2, 1]),
        graphs=graphs,
        space="tiny:1",
    )


@pytest.mark.parametrize("mmap", [True, False])
def test_save_and_load(tmp_path: Path, mmap: bool) -> None:
    batch = stored_batch()
    path = tmp_path / "deep" / "batch"
    batch[:1].save(path)
    batch.save(str(path))  # replaces the first
    back = RoleBatch.load(path, mmap=mmap)
    assert content(back) == content(batch)
    assert list(back.graphs) == batch.graphs
    assert list(back.texts) == list(batch.texts)
    assert back.failed.tolist() == [False, True, False]
    assert back.space == "tiny:1"
    assert list(back[1:].graphs) == batch.graphs[1:]
    assert list(back[[2, 0]].texts) == ["Dogs bark.", "Cats sleep."]
    vector = back.vector
    assert isinstance(vector.base, np.memmap) or not mmap or isinstance(vector, np.memmap)
    assert [p.name for p in path.parent.iterdir()] == ["batch"]
    scores = kernel.pairwise(back, batch, read_scheme("paper"))
    np.testing.assert_allclose(scores, [1, 0, 1])


def test_an_empty_batch_is_kept_too(tmp_path: Path) -> None:
    stored_batch()[:0].save(tmp_path / "empty")
    assert len(RoleBatch.load(tmp_path / "empty")) == 0


def test_what_is_not_a_batch_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nowhere"):
        RoleBatch.load(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="not a batch"):
        stored_batch().save(tmp_path / "file")
    path = tmp_path / "batch"
    stored_batch().save(path)
    whole = (path / "phrase.vector.npy").read_bytes()
    (path / "phrase.vector.npy").write_bytes(whole[:-4])
    with pytest.raises(DataError, match="batch"):
        RoleBatch.load(path)
    (path / "phrase.vector.npy").write_bytes(whole)
    (path / "batch.json").write_text('{"format": "other"}')
    with pytest.raises(DataError, match="version"):
        RoleBatch.load(path)


def test_cosines_do_not_leave_their_range() -> None:
    # In float32 the square of a unit vector can come out above 1.
    rng = np.random.default_rng(1)
    rows = [{"Verb": rng.normal(size=300).tolist()} for _ in range(50)]
    batch = make_batch(rows, dim=300)
    scores = kernel.pairwise(batch, batch, read_scheme("paper"))
    assert scores.max() <= 1.0
    np.testing.assert_allclose(scores, 1, atol=1e-6)
    assert not math.isnan(scores.sum())


def test_an_install_that_cannot_be_written_to(tmp_path: Path) -> None:
    """With no place for machine code on disk the kernels are compiled all the same."""
    repository = Path(__file__).parents[2]
    sources = shutil.ignore_patterns("__pycache__", "*.np[yz]", "pipeline*")
    shutil.copytree(repository / "compsim", tmp_path / "compsim", ignore=sources)
    for folder in ("parsers", "weights"):
        target = tmp_path / "compsim" / folder
        shutil.copytree(repository / folder, target, ignore=sources, dirs_exist_ok=True)
    (tmp_path / "compsim" / "rolesim" / "__pycache__").write_text("in the way")
    code = (
        "from compsim.rolesim import kernel; kernel.warm_up(); print(kernel.__file__)\n"
        "print(type(getattr(kernel._matrix, '_cache', None)).__name__)"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": "/dev/null/x"}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    place, cache = done.stdout.splitlines()
    assert Path(place).is_relative_to(tmp_path)
    assert cache in ("NullCache", "NoneType")  # NoneType: numba is switched off
