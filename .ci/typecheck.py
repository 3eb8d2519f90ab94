"""Run mypy over the sources as they lie in the tree, and over the examples of the pages.

::

    python .ci/typecheck.py [FILE...]

With files, those are checked against the sources instead.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from sources import CONFIGURATION, REPOSITORY, laid_out

sys.path.append(str(REPOSITORY / "tests" / "helpers"))

from pages import PAGES, blocks

#: What examples take for granted.
GIVEN = """
from __future__ import annotations
from pathlib import Path
import compsim
from compsim.embeddings.services.openai import Cost
FOLDER = Path("model")
sentences = first_sentences = second_sentences = ["Cats sleep."]
def my_scores(first: list[str], second: list[str]) -> list[float]: return [0.0 for _ in first]
"""

OWN_CALLS = """
graphs: list[compsim.RoleGraph] = compsim.load("verbnet-cn").parse(sentences)
cost: Cost = compsim.load("openai").cost(sentences)
compsim.load("sbert", normalize="zscore").fit(sentences).normalizer.save("zscore.npz")
any_method: compsim.Method[compsim.Encoded] = compsim.load(str(FOLDER))
any_parser: compsim.Parser = compsim.load("amr-cn").parser
compsim.similarty  # type: ignore[attr-defined]
score: float = compsim.similarity("a", "b", whole="sbert")
compsim.load("hybrid", whol="sbert")  # type: ignore[call-overload]
compsim.similarity("a", "b", vector="builtin")  # type: ignore[call-overload]
compsim.explain("a", "b", wieghts="paper")  # type: ignore[call-arg]
compsim.rank("a", ["b"], on_falure="nan")  # type: ignore[call-arg]
compsim.Reranker("hybrid", combin=2)  # type: ignore[call-arg]
compsim.same("a", "b", max_false=0.1, parsr="srl")  # type: ignore[call-overload]
"""


#: Examples are short: their functions need no annotations, and what may be None is there.
UNTYPED = """# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, no-any-return, type-arg, union-attr"
"""


def main(files: list[str]) -> int:
    """Return mypy's exit status, of the examples where the sources pass."""
    cache = REPOSITORY / ".mypy_cache"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(CONFIGURATION)]
    command += ["--cache-dir", str(cache)]
    with laid_out() as folder, tempfile.TemporaryDirectory() as scratch:
        runs = [files] if files else [["-p", "compsim"], _examples(Path(scratch))]
        for what in runs:
            status = subprocess.run([*command, *what], cwd=folder, check=False).returncode
            if status:
                return status
    return 0


def _examples(folder: Path) -> list[str]:
    """Write the Python of README.md and each page, and our own calls, to a file each."""
    pages = [
        "\n".join(block.code for block in blocks(page.read_text()) if block.language == "python")
        for page in PAGES
    ]
    files = []
    for number, code in enumerate([*filter(None, pages), OWN_CALLS]):
        files.append(folder / f"page{number}.py")
        files[-1].write_text(GIVEN + UNTYPED + code, encoding="utf-8")
    return list(map(str, files))


if __name__ == "__main__":
    sys.exit(main([str(Path(file).resolve()) for file in sys.argv[1:]]))
