"""Weights that a checkpoint lacks, or has for layers that its configuration leaves out.

``transformers`` draws at random what a checkpoint does not hold, and says so in its log only: the
vectors of such a model mean nothing and differ each time it is loaded.

>>> problem(["encoder.layer.0.output.dense.bias"], [], layers=())
'the weights encoder.layer.0.output.dense.bias are missing'
>>> problem(["pooler.dense.bias"], ["cls.predictions.bias"], layers=())
''
>>> problem([], ["bert.encoder.layer.1.output.dense.bias"], layers=["encoder.layer"])
'the weights bert.encoder.layer.1.output.dense.bias belong to layers that config.json leaves out'
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import get_ident
from typing import Any, Final

__all__ = ["Checkpoint", "problem", "watching"]

#: Weights that are named in an error.
_NAMED: Final = 3
#: What is behind the states of tokens: only a pooling that reads it misses it.
_POOLER: Final = "pooler"
#: What is not run where the encoder alone is.
_DECODER: Final = "decoder"


@dataclass
class Checkpoint:
    """Record of the weights read for one or more models.

    Attributes:
        missing: The weights that were drawn at random, by their names in the model.
        problems: What is wrong, as parts of a sentence.
    """

    missing: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    @property
    def lacks_pooler(self) -> bool:
        """True if the weights of the model's pooling layer were drawn at random."""
        return any(_POOLER in name.split(".") for name in self.missing)


def problem(missing: Collection[str], unexpected: Collection[str], layers: Collection[str]) -> str:
    """Return what is wrong with the weights that were read, "" where they suffice.

    :param missing: names of weights that the model has and the checkpoint has not.
    :param unexpected: names of those that the checkpoint alone has.
    :param layers: the names of the model's lists of layers.
    :returns: a part of a sentence.
    """
    lacking = sorted(name for name in missing if not {_POOLER} & set(name.split(".")))
    if lacking:
        return f"the weights {_listed(lacking)} are missing"
    beyond = sorted(
        name for name in unexpected if any(f".{layer}." in f".{name}" for layer in layers)
    )
    if beyond:
        return f"the weights {_listed(beyond)} belong to layers that config.json leaves out"
    return ""


@contextmanager
def watching() -> Iterator[Checkpoint]:
    """Yield what is read of the weights of the transformers that this thread loads meanwhile."""
    from transformers import PreTrainedModel

    checkpoint = Checkpoint()
    before = PreTrainedModel.__dict__["from_pretrained"]
    thread = get_ident()

    def from_pretrained(cls: Any, *args: Any, **options: Any) -> Any:
        load: Callable[..., Any] = before.__get__(None, cls)
        if get_ident() != thread or options.get("output_loading_info"):
            return load(*args, **options)
        model, report = load(*args, **options, output_loading_info=True)
        _note(checkpoint, model, report)
        return model

    setattr(PreTrainedModel, "from_pretrained", classmethod(from_pretrained))  # noqa: B010
    try:
        yield checkpoint
    finally:
        setattr(PreTrainedModel, "from_pretrained", before)  # noqa: B010


def _note(results: Checkpoint, model: Any, report: dict[str, Any]) -> None:
    """Add what was read of one model."""
    from torch.nn import ModuleList

    missing = set(report["missing_keys"])
    if hasattr(model, "encoder") and hasattr(model, _DECODER):
        # The encoder alone is run.
        missing = {name for name in missing if name.split(".")[0] != _DECODER}
    layers = [name for name, part in model.named_modules() if isinstance(part, ModuleList)]
    layers = [name for name in layers if name]
    results.missing |= missing
    wrong = problem(missing, set(report["unexpected_keys"]), layers)
    if wrong:
        results.problems.append(wrong)


def _listed(names: list[str]) -> str:
    """Return some names, and how many more there are."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
