"""State of the installation for bug reports: packages, paths, and checks that they work.

>>> from compsim.doctor import report
>>> sorted(report())  # doctest: +SKIP
['cache', 'compsim', 'dependencies', 'extras', 'home', 'pipeline', ...]
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Iterator
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from packaging.requirements import Requirement

from compsim.defaults import DEFAULT_METHOD
from compsim.missing import install_command

__all__ = ["as_rows", "cache_report", "missing_packages", "report", "warm_up"]

#: The name of the distribution.
_NAME: Final = "compsim-roles"
#: Extras for work on compsim itself.
_DEVELOPERS: Final = frozenset({"all", "recipes", "test"})
#: All modules with kernels: the ``warm_up`` of each compiles its own and those that they call.
_KERNELS: Final = (
    "compsim.parsers.roles.srl",
    "compsim.rolesim.kernel",
    "compsim.comparison.kernel",
    "compsim.amr.smatch",
    "compsim.amr.wlk.methods",
    "compsim.kernels.scan",
)


def report() -> dict[str, Any]:
    """Everything in JSON types; ``works`` is whether a score came out as it should.

    Takes a second or two, since the self-test loads pipeline and vectors.
    """
    from compsim._version import __version__
    from compsim.storage.places import home

    test = _self_test()
    return {
        "compsim": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "dependencies": {name: _version(name) for name in _packages("")},
        "extras": {
            extra: {name: _version(name) for name in _packages(extra)} for extra in _extras()
        },
        "home": str(home()),
        "vectors": _vectors(),
        "cache": cache_report(),
        "pipeline": _pipeline(),
        "self_test": test,
        "works": test["problem"] is None,
    }


def as_rows(results: dict[str, Any]) -> list[tuple[str, str]]:
    """The report as lines of two columns, for reading."""
    rows = [(name, str(results[name])) for name in ("compsim", "python", "platform")]
    rows += [(name, version or "MISSING") for name, version in results["dependencies"].items()]
    for extra, packages in results["extras"].items():
        absent = [name for name, version in packages.items() if version is None]
        here = ", ".join(f"{name} {version}" for name, version in packages.items() if version)
        state = f"not installed ({', '.join(absent)}): {install_command(extra)}"
        rows.append((f"extra {extra}", state if absent else here))
    rows.append(("home", results["home"]))
    parts = ("vectors", "cache", "pipeline", "kernels")
    rows += [(part, _summary(results[part])) for part in parts if part in results]
    test = results["self_test"]
    works = f"works: similarity {test['score']} in {test['seconds']} s"
    rows.append(("self-test", works if results["works"] else f"FAILED: {test['problem']}"))
    return rows


def warm_up() -> dict[str, Any]:
    """Compile all kernels, or load their machine code: what was warmed, and in how many seconds."""
    start = time.perf_counter()
    for module in _KERNELS:
        import_module(module).warm_up()
    return {"compiled": " ".join(_KERNELS), "seconds": round(time.perf_counter() - start, 2)}


def _summary(part: dict[str, Any]) -> str:
    problem = part.get("problem")
    return str(problem) if problem else ", ".join(f"{name} {value}" for name, value in part.items())


def missing_packages(extra: str) -> list[str]:
    """The packages of an extra of compsim that are not installed; a name unknown is one itself."""
    if extra not in _extras(everything=True):
        return [] if _version(extra) else [extra]
    return [name for name in _packages(extra) if _version(name) is None]


def cache_report() -> dict[str, Any]:
    """Path, entries and bytes of the parse cache; makes no file where there is none."""
    from compsim.parsers.cache import ParseCache, default_path

    path = default_path()
    if not path.exists():
        return {"path": str(path), "entries": 0, "bytes": 0}
    cache = ParseCache(path)
    try:
        info = cache.info()
    finally:
        cache.close()
    return {"path": str(path), "entries": info["entries"], "bytes": info["bytes"]}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _extras(everything: bool = False) -> list[str]:
    try:
        names: list[str] = metadata.metadata(_NAME).get_all("Provides-Extra") or []
    except metadata.PackageNotFoundError:  # run from a source folder
        return []
    return sorted(name for name in names if everything or name not in _DEVELOPERS)


def _packages(extra: str) -> list[str]:
    """The packages of an extra ("" for the core), those of other extras it names included."""
    names: dict[str, None] = {}
    for requirement in _requirements(extra):
        if requirement.name != _NAME:
            names[requirement.name] = None
        for other in sorted(requirement.extras) if requirement.name == _NAME else ():
            names.update(dict.fromkeys(_packages(other)))
    return list(names)


def _requirements(extra: str) -> Iterator[Requirement]:
    from packaging.requirements import Requirement

    try:
        lines = metadata.requires(_NAME) or []
    except metadata.PackageNotFoundError:
        return
    for line in lines:
        requirement = Requirement(line)
        marker = requirement.marker
        core = marker is None or marker.evaluate({"extra": ""})
        if core if not extra else not core and marker and marker.evaluate({"extra": extra}):
            yield requirement


def _vectors() -> dict[str, Any]:
    """The word vectors that are used where none are named."""
    from compsim.errors import CompsimError
    from compsim.vectors import WordVectors

    try:
        vectors = WordVectors.open(None)
    except CompsimError as error:
        return {"problem": str(error)}
    return {
        "name": vectors.name,
        "words": len(vectors),
        "dimensions": vectors.dim,
        "fingerprint": vectors.fingerprint,
    }


def _pipeline() -> dict[str, Any]:
    """Name and version of the shipped pipeline, and of the role model beside it."""
    from compsim.storage.places import weights_folder

    folder = weights_folder()
    pipeline: dict[str, Any] = {}
    for part, file, fields in (
        ("", folder / "pipeline" / "about.json", ("name", "version")),
        ("roles_", folder / "roles" / "about.json", ("version",)),
    ):
        try:
            stored = json.loads(file.read_text(encoding="utf-8"))
            pipeline.update({part + field: str(stored[field]) for field in fields})
        except (OSError, ValueError, KeyError) as error:
            return {"problem": f"{file} cannot be read ({error}): reinstall compsim"}
    return pipeline


def _self_test() -> dict[str, Any]:
    """Score two pairs of which the answer is known in part."""
    start = time.perf_counter()
    problem = score = None
    try:
        from compsim.registry import load

        cats, mice = "Cats chase mice.", "Mice chase cats."
        same, other = load(DEFAULT_METHOD).similarity(cats, [cats, mice]).tolist()
        score = round(other, 4)
        if not (abs(same - 1) < 1e-5 and other < same):
            problem = f"{cats!r} scores {same:.4f} with itself and {other:.4f} with {mice!r}"
    except Exception as error:  # whatever is broken is what the report is for
        problem = f"{type(error).__name__}: {error}"
    return {
        "score": score,
        "seconds": round(time.perf_counter() - start, 2),
        "problem": problem,
    }
