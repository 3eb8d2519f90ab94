"""Tuples of arrays that compiled code passes by reference.

Numba passes a tuple of arrays as all that is in its arrays, some seven numbers each, from function
to function. ``pass_by_reference`` makes it one pointer: functions that take a hundred arrays are
compiled in less time, and where they call each other much they run up to twice as fast.

>>> from collections import namedtuple
>>> import numpy as np
>>> from compsim.kernels.compilation import compiled
>>> Columns = namedtuple("Columns", ["source", "target"])
>>> pass_by_reference(Columns)
>>> @compiled()
... def count_loops(edges):
...     return (edges.source == edges.target).sum()
>>> int(count_loops(Columns(np.array([1, 2, 3]), np.array([1, 3, 3]))))
2
"""

from __future__ import annotations

import hashlib
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    register_model,
    typeof_impl,
    unbox,
)

__all__ = ["pass_by_reference"]


class _Reference(types.Type):
    """A named tuple in memory, of which compiled code has the address."""

    def __init__(self, kind: type, fields: tuple[tuple[str, types.Type], ...]) -> None:
        self.kind = kind
        self.fields = fields
        # It becomes part of the names of compiled functions, which a list of all fields would fill.
        digest = hashlib.blake2b(repr(fields).encode(), digest_size=8).hexdigest()
        super().__init__(name=f"{kind.__module__}.{kind.__qualname__}:{digest}")


register_model(_Reference)(models.OpaqueModel)


def pass_by_reference(kind: type) -> None:
    """Let compiled code take a class of named tuples by reference, and read its fields."""

    @typeof_impl.register(kind)
    def _typeof(value: Any, context: Any) -> _Reference:
        fields = zip(value._fields, value, strict=True)
        return _Reference(kind, tuple((name, typeof_impl(one, context)) for name, one in fields))


def _layout(context: Any, reference: _Reference) -> ir.LiteralStructType:
    return ir.LiteralStructType([context.get_value_type(kind) for _, kind in reference.fields])


@unbox(_Reference)  # type: ignore[untyped-decorator]
def _unbox(reference: _Reference, value: Any, c: Any) -> NativeValue:
    """Store the fields of a tuple in the memory of the caller, for as long as the call takes."""
    memory = cgutils.alloca_once(c.builder, _layout(c.context, reference))
    failed = cgutils.false_bit
    fields = []
    for place, (_, kind) in enumerate(reference.fields):
        field = c.unbox(kind, c.pyapi.tuple_getitem(value, place))
        c.builder.store(field.value, cgutils.gep_inbounds(c.builder, memory, 0, place))
        failed = c.builder.or_(failed, field.is_error)
        fields.append((kind, field))

    def clean_up() -> None:
        for kind, field in fields:
            if field.cleanup is not None:
                field.cleanup()
            if c.context.enable_nrt:
                c.context.nrt.decref(c.builder, kind, field.value)

    address = c.builder.bitcast(memory, cgutils.voidptr_t)
    return NativeValue(address, is_error=failed, cleanup=clean_up)


@infer_getattr
class _Fields(AttributeTemplate):
    key = _Reference

    def generic_resolve(self, value: Any, attr: str) -> Any:  # type: ignore[override]
        """Return the type of a field, None for a name that is none."""
        return dict(value.fields).get(attr)


@lower_getattr_generic(_Reference)  # type: ignore[untyped-decorator]
def _read(context: Any, builder: Any, reference: _Reference, address: Any, name: str) -> Any:
    """Load a field, which nothing changes meanwhile: compilers may load it once."""
    place = [field for field, _ in reference.fields].index(name)
    layout, kind = _layout(context, reference), reference.fields[place][1]
    memory = builder.bitcast(address, layout.as_pointer())
    field = cgutils.gep_inbounds(builder, memory, 0, place)
    value = _load(builder, field, layout.elements[place])
    return impl_ret_borrowed(context, builder, kind, value)


def _load(builder: Any, memory: Any, kind: ir.Type) -> Any:
    """Load number by number: LLVM does not take loads of whole arrays apart."""
    if isinstance(kind, ir.Aggregate):
        value = ir.Constant(kind, ir.Undefined)
        for place, element in enumerate(kind.elements):
            part = cgutils.gep_inbounds(builder, memory, 0, place)
            value = builder.insert_value(value, _load(builder, part, element), place)
        return value
    value = builder.load(memory)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value
