"""AMR parses by amrlib's sentence-to-graph models (BART, T5, SPRING), run in this process.

A model is downloaded once from amrlib's list and unpacked into a folder; nothing is loaded before
the first sentence::

    from compsim.parsers.amrlib.parser import AmrlibParser
    parser = AmrlibParser("model_parse_xfm_bart_large-v0_1_0")
    graph, = parser.parse(["The dog wants to chase a cat."])
    print(graph.to_penman())

Where amrlib needs other packages than the rest of a program, ``compsim.parsers.amrlib.server``
runs it in an environment of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from compsim.errors import CompsimError, DataError, MissingExtraError
from compsim.graph import RoleGraph
from compsim.kernels.locks import SharedLock
from compsim.missing import incomplete, install_command
from compsim.parsers.amrlib import server
from compsim.parsers.files.stored_amr import graph_from_amr

__all__ = ["AmrlibParser"]


class AmrlibParser:
    """AMRs by the amrlib model in the folder ``model``, amrlib's ``data/model_stog`` by default.

    It runs on a GPU where there is one, or on ``device`` (``"cpu"``, ``"cuda:1"``), in batches of
    the model's own size. A sentence without a well-formed graph gives a failed one, a sentence
    longer than the model reads a partial one. Raises MissingExtraError without the ``amr`` extra
    and DataError, which says where to download it, for a model that is missing or damaged.
    """

    name = "amrlib"
    cacheable_failures = False  # the memory may have been too small

    def __init__(self, model: str | Path | None = None, device: str | None = None) -> None:
        self.model = model
        self.device = device
        self._one_at_a_time = SharedLock()

    @cached_property
    def version(self) -> str:
        """Version of amrlib and of the model's files; the model is not loaded."""
        with _clear_errors():
            return server.model_version(self._folder)

    @cached_property
    def _folder(self) -> str:
        with _clear_errors():
            return server.model_folder(self.model)

    @cached_property
    def _amrlib(self) -> Any:
        with _clear_errors():
            return server.open_model(self._folder, self.device)

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Return one graph per sentence, in order; the first call loads the model."""
        if not sentences:
            return []
        # amrlib's models and their tokenizers are no more for several threads than in its server.
        with self._one_at_a_time:
            parsed = server.parse(self._amrlib, sentences)
        return [
            graph_from_amr(text, amr, self.name, problem)
            for text, (amr, problem) in zip(sentences, parsed, strict=True)
        ]


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Turn what amrlib and its packages raise into errors that say the mend."""
    try:
        yield
    except CompsimError:
        raise
    except ImportError as error:
        raise incomplete("parser 'amrlib'", error) or MissingExtraError(
            f"parser 'amrlib' needs a package that is not installed ({error}): "
            f"run {install_command('amr')}",
            name=error.name,
        ) from error
    except FileNotFoundError as error:
        if error.errno is None:  # ours, and says it all
            raise DataError(str(error)) from error
        raise _damaged(error) from error
    except Exception as error:  # a model's loading runs code of many packages
        raise _damaged(error) from error


def _damaged(error: Exception) -> DataError:
    why = " ".join(str(error).split()) or type(error).__name__
    return DataError(
        f"the amrlib model does not load ({why[:300]}): download a parse model from "
        f"{server.MODELS} again, and put the tokenizer it names into its folder if there is no "
        "network"
    )
