"""Compiling rules: each pattern becomes a Python function of nested loops, made once.

The first step of a pattern decides which tokens are looked at (those with its label, role or part
of speech), so a rule costs next to nothing in a sentence without them, or without a word or a
feature that it names.

>>> from compsim.parsers.grammar.rules import read_rules
>>> compiled = compile_rules(read_rules(), Lexicon.open())
>>> len(compiled) == len(read_rules())
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from compsim.errors import DataError
from compsim.parsers.grammar.actions import ACTIONS
from compsim.parsers.grammar.dispatch import Demand
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.lexicon import Lexicon
from compsim.parsers.grammar.pattern import Condition, Pattern, Step
from compsim.parsers.grammar.rules import Action, Rule

__all__ = ["CompiledRule", "compile_rules"]

#: Where a condition finds the value of an attribute of a token; any other is a feature.
_COLUMNS: Final = {
    "pos": "pos[{0}]",
    "tag": "tags[{0}]",
    "dep": "deps[{0}]",
    "lemma": "lemmas[{0}]",
    "word": "words[{0}]",
    "class": "lemmas[{0}]",
}
#: Conditions that name words.
_BY_WORD: Final = ("word", "lemma", "class")
#: Features that the comparison of two concepts looks at, and actions that set one.
_COMPARED: Final = frozenset(
    ("negated", "modality", "quantifier", "count", "extent", "aspect", "degree", "limit", "choice",
     "share", "recurrence", "standing", "partly")
)  # fmt: skip
_SAYING: Final = frozenset(("deny", "affirm", "quantify", "modalise"))
#: Local variables of a compiled rule, made where it uses them.
_LOCALS: Final = {
    "heads": "draft.tree.heads",
    "deps": "draft.tree.deps",
    "pos": "draft.tree.pos",
    "tags": "draft.tree.tags",
    "words": "draft.words",
    "lemmas": "draft.lemmas",
    "features": "draft.features",
    "kids": "draft.children",
}


class CompiledRule(NamedTuple):
    """A rule as a function that applies it wherever it matches in a draft.

    Attributes:
        build: Compiles the function, which takes longer than a sentence to which few rules apply.
        demands: What no sentence lacks in which it matches.
    """

    build: Callable[[], Callable[[Any], None]]
    demands: tuple[Demand, ...]


def compile_rules(
    rules: Sequence[Rule], lexicon: Lexicon, trace: bool = False
) -> list[CompiledRule]:
    """Return each rule, ready to be compiled, in their order.

    With ``trace`` their functions take a ``TracedDraft`` and tell it of each match.

    Raises:
        DataError: A rule names a class that the lexicon lacks.
    """
    return [_compiled(rule, lexicon, trace) for rule in rules]


def _compiled(rule: Rule, lexicon: Lexicon, trace: bool) -> CompiledRule:
    writer = _Writer(rule, lexicon)
    try:
        source, constants = writer.source(trace)
    except DataError as error:
        raise DataError(f"{rule.where}: {error}") from error
    build = partial(_function, source, rule.where, constants)
    return CompiledRule(build, tuple(dict.fromkeys(writer.demands)))


def _function(source: str, where: str, constants: dict[str, Any]) -> Callable[[Draft], None]:
    scope: dict[str, Any] = {**constants, "call": ACTIONS}
    exec(compile(source, f"<{where}>", "exec"), scope)  # names are identifiers, other text quoted
    function: Callable[[Draft], None] = scope["rule"]
    return function


def _variable(name: str) -> str:
    """The variable of a name in a pattern: none of Python's words, none of ours."""
    return f"t_{name}"


class _Writer:
    """Writes the source of one rule: its loops, then its actions."""

    def __init__(self, rule: Rule, lexicon: Lexicon) -> None:
        self._rule = rule
        self._pattern: Pattern = rule.pattern
        self._lexicon = lexicon
        self._lines: list[str] = []
        self._depth = 1
        self._bound: set[str] = set()
        self._constants: dict[str, Any] = {}
        self._gate = ""
        #: What a sentence must have for a match; of roles and features more appear as rules run.
        self.demands: list[Demand] = []

    def source(self, trace: bool) -> tuple[str, dict[str, Any]]:
        """The source and the constants that it refers to."""
        first, *rest = self._pattern.steps
        self._begin(first)
        for step in rest:
            self._step(step)
        if trace:
            names = [f"{name!r}: {_variable(name)}" for name in sorted(self._pattern.names)]
            self._line(f"draft.begin({self._constant(self._rule)}, {{{', '.join(names)}}})")
        for action in self._rule.actions:
            self._action(action)
        self._take_up()
        self._close_other_gates()
        body = "\n".join(self._lines)
        used = set(re.findall(r"\w+", body))
        header = "".join(f"    {name} = {_LOCALS[name]}\n" for name in _LOCALS if name in used)
        return f"def rule(draft):\n{self._gate}{header}{body}\n", self._constants

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _loop(self, name: str, values: str) -> None:
        self._line(f"for {_variable(name)} in {values}:")
        self._depth += 1

    def _constant(self, values: Any) -> str:
        name = f"c{len(self._constants)}"
        self._constants[name] = values
        return name

    def _tests(self, name: str, conditions: Iterable[Condition]) -> list[str]:
        return [self._test(name, each) for each in conditions]

    def _test(self, name: str, condition: Condition) -> str:
        values = self._values(condition)
        column = _COLUMNS.get(condition.attribute, f"features[{{0}}].get({condition.attribute!r})")
        operator = "not in" if condition.negative else "in"
        return f"{column.format(_variable(name))} {operator} {self._constant(values)}"

    def _values(self, condition: Condition) -> frozenset[str]:
        """The values of a condition, the words of a class for its name."""
        if condition.attribute != "class":
            return condition.values
        return frozenset().union(*(self._lexicon.members(kind) for kind in condition.values))

    def _bind(self, name: str) -> None:
        """Test what must hold of a name that has just been given a token."""
        self._bound.add(name)
        for test in self._tests(name, self._pattern.conditions.get(name, ())):
            self._line(f"if not ({test}): continue")

    def _begin(self, step: Step) -> None:
        first, second = step.first, step.second
        if step.kind == "token":
            self._loop(first, self._tokens(first))
            self._bind(first)
        elif step.kind == "dependency":
            self._loop(second, self._listed("dep", step.labels))
            self._bind(second)
            self._line(f"{_variable(first)} = heads[{_variable(second)}]")
            self._line(f"if {_variable(first)} == {_variable(second)}: continue")
            self._bind(first)
        else:
            self._close_gate("role", step.labels)
            self._loop(first, f"draft.holders({self._constant(tuple(sorted(step.labels)))})")
            self._bind(first)
            self._step(step)

    def _tokens(self, name: str) -> str:
        """The tokens that a name may be, by the first condition on part of speech or label."""
        for condition in self._pattern.conditions.get(name, ()):
            if condition.attribute in ("pos", "dep") and not condition.negative:
                return self._listed(condition.attribute, condition.values)
        return "range(len(heads))"

    def _close_gate(self, attribute: str, values: frozenset[str]) -> None:
        """Leave the function at once where no token of the sentence has such a value."""
        if attribute != "role":
            self.demands.append((attribute, values))
        constant = self._constant(values)
        self._gate += f"    if {constant}.isdisjoint(draft.by_{attribute}): return\n"

    def _close_other_gates(self) -> None:
        """Leave the function at once where a label, role, word or feature is missing."""
        for step in self._pattern.steps[1:]:
            if step.kind in ("dependency", "edge") and not (step.negative or step.optional):
                self._close_gate("dep" if step.kind == "dependency" else "role", step.labels)
        certain = self._pattern.names - self._pattern.optional
        for name in sorted(certain):
            for condition in self._pattern.conditions.get(name, ()):
                if condition.negative:
                    continue
                if condition.attribute in ("lemma", "word", "class"):
                    self.demands.append(("seen", self._values(condition)))
                    constant = self._constant(self._values(condition))
                    self._gate = f"    if {constant}.isdisjoint(draft.seen): return\n" + self._gate
                elif condition.attribute not in _COLUMNS:
                    test = f"{condition.attribute!r} not in draft.given"
                    self._gate = f"    if {test}: return\n" + self._gate

    def _listed(self, attribute: str, values: frozenset[str]) -> str:
        self._close_gate(attribute, values)
        constant = self._constant(tuple(sorted(values)))
        column = f"draft.by_{attribute}"
        return f"[i for v in {constant} if v in {column} for i in {column}[v]]"

    def _candidates(self, step: Step) -> tuple[str, str]:
        """The name that a step binds, and its candidates as an expression."""
        first, second = _variable(step.first), _variable(step.second)
        if step.kind == "edge":
            roles = self._constant(tuple(sorted(step.labels)))
            if step.first in self._bound:
                return step.second, f"draft.targets({first}, {roles})"
            return step.first, f"draft.sources({second}, {roles})"
        labels = self._constant(step.labels)
        if step.kind == "closure":
            return step.second, f"draft.closure({first}, {labels})"
        if step.first in self._bound:
            return step.second, f"[k for k in kids[{first}] if deps[k] in {labels}]"
        fits = f"deps[{second}] in {labels} and heads[{second}] != {second}"
        return step.first, f"([heads[{second}]] if {fits} else [])"

    def _step(self, step: Step) -> None:
        if step.negative or step.optional:
            self._local_step(step)
        elif step.kind == "order":
            self._line(f"if {_variable(step.first)} >= {_variable(step.second)}: continue")
        elif step.kind != "token":  # the conditions on a token are tested where it is bound
            name, values = self._candidates(step)
            if name in self._bound:
                self._line(f"if {_variable(name)} not in {values}: continue")
            else:
                self._loop(name, values)
                self._bind(name)

    def _local_step(self, step: Step) -> None:
        """A step that must not hold, or may hold, with conditions of its own."""
        if step.kind == "order":
            self._line(f"if {_variable(step.first)} < {_variable(step.second)}: continue")
            return
        if step.kind == "token":
            tests = self._tests(step.first, step.conditions.get(step.first, ())) or ["True"]
            self._line(f"if {' and '.join(tests)}: continue")
            return
        name, values = self._candidates(step)
        known = [other for other in sorted(step.names - {name}) if other in self._bound]
        local = step.conditions
        outer = [test for each in known for test in self._tests(each, local.get(each, ()))]
        inner = self._tests(name, local.get(name, ()))
        if name in self._bound:
            outer += inner
            inner = []
            values = f"[{_variable(name)}] if {_variable(name)} in {values} else []"
        suffix = " if " + " and ".join([*outer, *inner]) if outer or inner else ""
        matches = f"[{_variable(name)} for {_variable(name)} in ({values}){suffix}]"
        if step.negative:
            self._line(f"if {matches}: continue")
        else:
            self._loop(name, f"{matches} or [None]")
            self._bound.add(name)

    def _action(self, action: Action) -> None:
        missing = [name for name in action.tokens if name in self._pattern.optional]
        if missing:
            present = [f"{_variable(name)} is not None" for name in dict.fromkeys(missing)]
            tests = " and ".join(present)
            self._line(f"if {tests}: {self._statement(action)}")
        else:
            self._line(self._statement(action))

    def _take_up(self) -> None:
        """Note which words the rule names that have become a feature of another token."""
        for action in self._rule.actions:
            said = action.name == "set" and action.words[1] in _COMPARED
            if not said and not (action.name == "call" and action.words[0] in _SAYING):
                continue
            token = action.tokens[0]
            for name in sorted(self._pattern.names - self._pattern.optional - {token}):
                conditions = self._pattern.conditions.get(name, ())
                if any(each.attribute in _BY_WORD and not each.negative for each in conditions):
                    self._line(f"draft.take_up({_variable(name)}, {_variable(token)})")

    def _statement(self, action: Action) -> str:
        name, words = action.name, action.words
        tokens = [_variable(each) for each in action.tokens]
        if name == "add":
            confidence = float(words[3]) if len(words) > 3 else 1.0
            if words[1].startswith("@"):
                first, second, preposition = tokens
                return f"draft.relate({first}, {preposition}, {second}, {confidence})"
            return f"draft.add({tokens[0]}, {words[1]!r}, {tokens[1]}, {confidence})"
        if name == "remove":
            return f"draft.remove({tokens[0]}, {words[1]!r}, {tokens[1]})"
        if name == "set":
            value = f"lemmas[{tokens[1]}]" if words[2].startswith("@") else repr(words[2])
            return f"draft.set_feature({tokens[0]}, {words[1]!r}, {value})"
        if name == "rename":
            lemma = f"lemmas[{tokens[1]}]" if words[1].startswith("@") else repr(words[1])
            return f"draft.rename({tokens[0]}, {lemma})"
        if name == "call":
            return f"call[{words[0]!r}](draft, {', '.join(tokens)})"
        return f"draft.{name}({', '.join(tokens)})"
