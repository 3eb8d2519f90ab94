"""Compiling rules: each pattern becomes a Python function of nested loops, made once.

The first step of a pattern decides which tokens are looked at (those with its label, class of
words or part of speech), so a rule costs nothing in a sentence without them.

>>> from compsim.parsers.grammar.rules import read_rules
>>> functions = compile_rules(read_rules(), Lexicon.open())
>>> len(functions) == len(read_rules())
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from compsim.parsers.grammar import actions as named_actions
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.lexicon import Lexicon
from compsim.parsers.grammar.pattern import Condition, Pattern, Step
from compsim.parsers.grammar.rules import Action, Rule

__all__ = ["compile_rules"]

_COLUMNS: Final = {
    "pos": "pos[{0}]",
    "tag": "tags[{0}]",
    "dep": "deps[{0}]",
    "lemma": "lemmas[{0}]",
    "word": "words[{0}]",
    "class": "lemmas[{0}]",
}
_HEADER: Final = """def rule(draft):
    tree = draft.tree
    heads, deps, pos, tags = tree.heads, tree.deps, tree.pos, tree.tags
    words, lemmas, features, kids = draft.words, draft.lemmas, draft.features, draft.children
"""


def compile_rules(rules: Sequence[Rule], lexicon: Lexicon) -> list[Callable[[Draft], None]]:
    """Return a function for each rule that applies it wherever it matches in a draft.

    Raises:
        DataError: A rule names a class that the lexicon lacks.
    """
    return [_compiled(rule, lexicon) for rule in rules]


def _compiled(rule: Rule, lexicon: Lexicon) -> Callable[[Draft], None]:
    source, constants = _Writer(rule.pattern, lexicon).source(rule)
    scope: dict[str, Any] = {**constants, "call": named_actions.ACTIONS}
    code = compile(source, f"<rule {rule.where}/{rule.name}>", "exec")
    exec(code, scope)  # our own data files, never a user's text
    function: Callable[[Draft], None] = scope["rule"]
    return function


class _Writer:
    """Writes the source of one rule: its loops, then its actions."""

    def __init__(self, pattern: Pattern, lexicon: Lexicon) -> None:
        self._pattern = pattern
        self._lexicon = lexicon
        self._lines: list[str] = []
        self._depth = 1
        self._bound: set[str] = set()
        self._constants: dict[str, Any] = {}

    def source(self, rule: Rule) -> tuple[str, dict[str, Any]]:
        """The source and the constants that it refers to."""
        first, *rest = self._pattern.steps
        self._begin(first)
        for step in rest:
            self._step(step)
        self._line(f"draft.fired.append({rule.name!r})")
        for action in rule.actions:
            self._action(action)
        return _HEADER + "\n".join(self._lines) + "\n", self._constants

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _loop(self, name: str, values: str) -> None:
        self._line(f"for {name} in {values}:")
        self._depth += 1

    def _constant(self, values: Any) -> str:
        name = f"c{len(self._constants)}"
        self._constants[name] = values
        return name

    def _tests(self, name: str) -> list[str]:
        return [self._test(name, each) for each in self._pattern.conditions.get(name, ())]

    def _test(self, name: str, condition: Condition) -> str:
        values = condition.values
        if condition.attribute == "class":
            values = frozenset().union(*(self._lexicon.members(kind) for kind in values))
        column = _COLUMNS.get(condition.attribute, f"features[{{0}}].get({condition.attribute!r})")
        operator = "not in" if condition.negative else "in"
        return f"{column.format(name)} {operator} {self._constant(values)}"

    def _bind(self, name: str) -> None:
        self._bound.add(name)
        for test in self._tests(name):
            self._line(f"if not ({test}): continue")

    def _begin(self, step: Step) -> None:
        if step.kind == "token":
            listed = [c for c in self._pattern.conditions.get(step.first, ()) if not c.negative]
            by = next((c for c in listed if c.attribute in ("pos", "dep")), None)
            if by is None:
                self._loop(step.first, "range(len(heads))")
            else:
                column = f"draft.by_{by.attribute}"
                values = self._constant(tuple(sorted(by.values)))
                self._loop(
                    step.first, f"[i for v in {values} if v in {column} for i in {column}[v]]"
                )
            self._bind(step.first)
        elif step.kind == "dependency":
            labels = self._constant(tuple(sorted(step.labels)))
            values = f"[i for v in {labels} if v in draft.by_dep for i in draft.by_dep[v]]"
            self._loop(step.second, values)
            self._bind(step.second)
            self._line(f"{step.first} = heads[{step.second}]")
            self._bind(step.first)
        else:
            self._loop(step.first, "range(len(heads))")
            self._bind(step.first)
            self._step(step)

    def _candidates(self, step: Step) -> tuple[str, str]:
        """The name that a step binds, and its candidates as an expression."""
        labels = self._constant(step.labels)
        if step.kind == "closure":
            return step.second, f"draft.closure({step.first}, {labels})"
        if step.kind == "edge":
            roles = self._constant(tuple(sorted(step.labels)))
            if step.first in self._bound:
                return step.second, f"draft.targets({step.first}, {roles})"
            return step.first, f"draft.sources({step.second}, {roles})"
        if step.first in self._bound:
            return step.second, f"[k for k in kids[{step.first}] if deps[k] in {labels}]"
        own = f"deps[{step.second}] in {labels} and heads[{step.second}] != {step.second}"
        return step.first, f"([heads[{step.second}]] if {own} else [])"

    def _step(self, step: Step) -> None:
        if step.kind == "order":
            operator = ">=" if not step.negative else "<"
            self._line(f"if {step.first} {operator} {step.second}: continue")
            return
        if step.kind == "token":
            joined = " and ".join(self._tests(step.first)) or "True"
            self._line(
                f"if {joined}: continue" if step.negative else f"if not ({joined}): continue"
            )
            return
        name, values = self._candidates(step)
        if step.negative:
            both = name in self._bound
            variable = f"{name}_" if both else name
            tests = [f"{variable} == {name}"] if both else self._tests(name)
            suffix = f" if {' and '.join(tests)}" if tests else ""
            self._line(f"if [1 for {variable} in {values}{suffix}]: continue")
        elif name in self._bound:
            self._line(f"if {name} not in {values}: continue")
        elif step.optional:
            joined = " and ".join(self._tests(name))
            suffix = f" if {joined}" if joined else ""
            self._loop(name, f"[{name} for {name} in {values}{suffix}] or [None]")
            self._bound.add(name)
        else:
            self._loop(name, values)
            self._bind(name)

    def _action(self, action: Action) -> None:
        words = action.words
        if action.name == "add":
            first, role, second, *weight = words
            rest = f", {float(weight[0])}" if weight else ""
            if role.startswith("@"):
                self._line(f"draft.relate({first}, {role[1:]}, {second}{rest})")
            else:
                self._line(f"draft.add({first}, {role!r}, {second}{rest})")
        elif action.name == "remove":
            self._line(f"draft.remove({words[0]}, {words[1]!r}, {words[2]})")
        elif action.name == "set":
            value = f"lemmas[{words[2][1:]}]" if words[2].startswith("@") else repr(words[2])
            self._line(f"features[{words[0]}][{words[1]!r}] = {value}")
        elif action.name == "rename":
            self._line(f"lemmas[{words[0]}] = {words[1]!r}")
        elif action.name == "call":
            self._line(f"call[{words[0]!r}](draft, {', '.join(words[1:])})")
        else:
            self._line(f"draft.{action.name}({', '.join(words)})")
