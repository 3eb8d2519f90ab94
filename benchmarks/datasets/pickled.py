"""A pickle read as plain data: nothing that it names is imported, made or called.

A pickle is a program, and ``pickle.load`` runs it. Here its steps are read one by one: lists,
dictionaries, tuples, sets, texts, numbers and bytes come out as they are, and whatever else would
be made is a ``Thing`` that knows its name and what it was given.

>>> import pickle
>>> plain_data(pickle.dumps({"pairs": [("a", "b")], "labels": [0]}))
{'pairs': [('a', 'b')], 'labels': [0]}
>>> import os
>>> plain_data(pickle.dumps([os.system])).pop().name
'posix.system'
"""

from __future__ import annotations

import pickletools
from collections.abc import Iterable
from typing import Any, Final

__all__ = ["Thing", "plain_data"]

#: Steps that push what stands in them.
_CONSTANTS: Final = frozenset(
    (
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
        *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    )
)
_FIXED: Final = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_TUPLES: Final = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_MAKERS: Final = frozenset({"copy_reg._reconstructor", "copyreg._reconstructor"})
_MARK: Final = object()


class Thing:
    """Object that a pickle would construct by code: an instance, a class or a function.

    Attributes:
        name: The module and the name of what would make it, "" where that is no name.
        state: What would be set on it, by key, where that is plain.
        entries: The entries of one that is a dictionary.
        items: The items of one that is a list or a set.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.state: dict[Any, Any] = {}
        self.entries: dict[Any, Any] = {}
        self.items: list[Any] = []


def plain_data(data: bytes) -> Any:
    """Return what a pickle holds; raises ``ValueError`` for what is none that can be read so."""
    machine = _Machine()
    for step, argument, _ in pickletools.genops(data):
        if step.name == "STOP":
            return machine.pop()
        machine.run(step.name, argument)
    raise ValueError("the pickle has no end")


class _Machine:
    """The stack and the memo of a pickle."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def pop(self) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise ValueError("the pickle takes more than it has")
        return self.stack.pop()

    def pop_to_mark(self) -> list[Any]:
        """Take all above the last mark, and the mark."""
        start = len(self.stack) - 1
        while start >= 0 and self.stack[start] is not _MARK:
            start -= 1
        if start < 0:
            raise ValueError("the pickle has no mark where it needs one")
        taken = self.stack[start + 1 :]
        del self.stack[start:]
        return taken

    def run(self, name: str, argument: Any) -> None:
        """Do one step; raises ``ValueError`` for one that plain data has no need of."""
        if name in ("PROTO", "FRAME"):
            return
        if name in _CONSTANTS:
            self.stack.append(argument)
        elif name in _FIXED:
            self.stack.append(_FIXED[name])
        elif name == "MARK":
            self.stack.append(_MARK)
        elif name == "DUP":
            self.stack.append(self.pop())
            self.stack.append(self.stack[-1])
        elif name == "POP":
            # As the machine of Python does: a mark may be what is dropped.
            self.stack = self.stack[:-1]
        elif name == "POP_MARK":
            self.pop_to_mark()
        elif self._remember(name, argument) or self._collect(name) or self._name(name, argument):
            return
        else:
            raise ValueError(f"the pickle has the step {name}, which plain data has not")

    def _remember(self, name: str, argument: Any) -> bool:
        """Return whether it was a step of the memo."""
        if name in ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"):
            value = self.pop()
            self.memo[len(self.memo) if name == "MEMOIZE" else argument] = value
            self.stack.append(value)
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            if argument not in self.memo:
                raise ValueError("the pickle names what it has not made")
            self.stack.append(self.memo[argument])
        else:
            return False
        return True

    def _collect(self, name: str) -> bool:
        """Return whether the step makes or fills a list, a tuple, a set or a dictionary."""
        if name in ("EMPTY_LIST", "EMPTY_SET"):
            self.stack.append([])
        elif name == "EMPTY_DICT":
            self.stack.append({})
        elif name in ("LIST", "FROZENSET"):
            self.stack.append(self.pop_to_mark())
        elif name == "TUPLE":
            self.stack.append(tuple(self.pop_to_mark()))
        elif name in _TUPLES:
            self.stack.append(tuple(reversed([self.pop() for _ in range(_TUPLES[name])])))
        elif name == "DICT":
            taken = self.pop_to_mark()
            self.stack.append({})
            self._set(taken)
        elif name == "APPEND":
            self._extend([self.pop()])
        elif name in ("APPENDS", "ADDITEMS"):
            self._extend(self.pop_to_mark())
        elif name == "SETITEM":
            value = self.pop()
            self._set([self.pop(), value])
        elif name == "SETITEMS":
            self._set(self.pop_to_mark())
        else:
            return False
        return True

    def _name(self, name: str, argument: Any) -> bool:
        """Return whether it was a step that would import, call or set up something."""
        if name == "GLOBAL":
            self.stack.append(Thing(".".join(argument.split(" ", 1))))
        elif name == "STACK_GLOBAL":
            last, module = self.pop(), self.pop()
            self.stack.append(Thing(f"{module}.{last}" if isinstance(last, str) else ""))
        elif name in ("REDUCE", "NEWOBJ"):
            given = self.pop()
            self._make(self.pop(), given)
        elif name == "NEWOBJ_EX":
            self.pop()
            self.pop()
            self._make(self.pop())
        elif name == "INST":
            self.pop_to_mark()
            self.stack.append(Thing(".".join(argument.split(" ", 1))))
        elif name == "OBJ":
            self._make(next(iter(self.pop_to_mark()), None))
        elif name == "BUILD":
            self._build(self.pop())
        else:
            return False
        return True

    def _make(self, maker: Any, given: Any = ()) -> None:
        # In the oldest protocols a function makes an object of the class that it is given.
        if isinstance(maker, Thing) and maker.name in _MAKERS and isinstance(given, tuple):
            maker = next(iter(given), None)
        self.stack.append(Thing(maker.name if isinstance(maker, Thing) else ""))

    def _build(self, state: Any) -> None:
        made = self.pop()
        # A state of two parts has that of its slots behind that of its dictionary.
        first = state[0] if isinstance(state, tuple) and len(state) == 2 else state
        if isinstance(made, Thing) and isinstance(first, dict):
            made.state.update(first)
        self.stack.append(made)

    def _extend(self, items: Iterable[Any]) -> None:
        target = self.pop()
        if isinstance(target, Thing):
            target.items.extend(items)
        elif isinstance(target, list):
            target.extend(items)
        else:
            raise ValueError("the pickle adds to what is no list")
        self.stack.append(target)

    def _set(self, taken: list[Any]) -> None:
        target = self.pop()
        entries = target.entries if isinstance(target, Thing) else target
        if not isinstance(entries, dict) or len(taken) % 2:
            raise ValueError("the pickle sets an entry of what is no dictionary")
        for key, value in zip(taken[::2], taken[1::2], strict=True):
            # No other key: hashing a tuple within a tuple within ... would break the stack of C.
            if isinstance(key, str | int | float | bytes) or key is None:
                entries[key] = value
        self.stack.append(target)
