"""compsim as a cache of LangChain: an answer is served again where the prompt says the same.

>>> set_llm_cache(CompsimCache(max_false=0.02))  # doctest: +SKIP

Of a chat only the last message may be worded otherwise; all before it, and the model's settings,
have to be equal.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

import numpy as np

from compsim.errors import InputError
from compsim.guard.guard import Guard
from compsim.missing import missing

try:
    from langchain_core.caches import BaseCache
except ImportError as error:
    raise missing("langchain-core", "langchain", error) from error

__all__ = ["CompsimCache"]

#: The stored prompts that are looked at closely for one that is asked.
_NEAREST: Final = 3


class CompsimCache(BaseCache):  # type: ignore[misc]  # of no known type without it
    """Keeps answers in memory and serves one where the guard says that two prompts say the same.

    ``guard`` decides; None: one that is made of ``options``, those of ``Guard``. Of more than
    ``maxsize`` answers the oldest is dropped; None keeps all.
    """

    def __init__(
        self, guard: Guard | None = None, *, maxsize: int | None = None, **options: Any
    ) -> None:
        if maxsize is not None and maxsize < 1:
            raise InputError(f"maxsize={maxsize!r}: give a number above 0, or None for no limit")
        self.guard, self.maxsize = guard or Guard(**options), maxsize
        self._lock = Lock()
        self.clear()

    def lookup(self, prompt: str, llm_string: str) -> Sequence[Any] | None:
        """Return the answer to a prompt, or to the nearest that says the same; None for a miss."""
        rest, text = _last_message(prompt)
        with self._lock:
            prompts = self._prompts.get((llm_string, rest))
            if prompts is None:
                return None
            if text in prompts.answers:
                return prompts.answers[text]
            texts, parts = list(prompts.answers), list(prompts.parts)
            answers = dict(prompts.answers)
        asked = self.guard.encode([text])
        values = np.concatenate(
            [
                self.guard.probabilities_encoded(asked[np.zeros(len(part), dtype=int)], part)
                for part in parts
            ]
        )
        nearest = np.argsort(-np.nan_to_num(values), kind="stable")[:_NEAREST]
        for item in [texts[i] for i in nearest]:
            if self.guard.same(item, text):
                return answers[item]
        return None

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Any]) -> None:
        """Keep the answer to a prompt."""
        rest, text = _last_message(prompt)
        key = llm_string, rest
        row = self.guard.encode([text])
        with self._lock:
            prompts = self._prompts.setdefault(key, _Prompts())
            if text in prompts.answers:
                prompts.answers[text] = return_val
                return
            prompts.add(text, return_val, row)
            self._order.append(key)
            if self.maxsize is not None and len(self._order) > self.maxsize:
                self._drop(self._order.popleft())

    def clear(self, **kwargs: Any) -> None:
        """Forget all answers."""
        #: The prompts by the settings of the model and what comes before the last message.
        self._prompts: dict[tuple[str, str], _Prompts] = {}
        #: The keys of the answers, the oldest first.
        self._order: deque[tuple[str, str]] = deque()

    def _drop(self, key: tuple[str, str]) -> None:
        """Forget the oldest answer below a key."""
        prompts = self._prompts[key]
        prompts.drop()
        if not prompts.answers:
            del self._prompts[key]


class _Prompts:
    """Prompts with their answers, and the prompts encoded, in one order.

    ``parts`` are batches, each longer than the next, so that to add a prompt joins as many others
    on average as a number has binary digits.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Sequence[Any]] = {}
        self.parts: deque[Any] = deque()

    def add(self, text: str, answer: Sequence[Any], row: Any) -> None:
        """Add a prompt, a batch of one."""
        self.answers[text] = answer
        self.parts.append(row)
        while len(self.parts) > 1 and len(self.parts[-2]) <= len(self.parts[-1]):
            last = self.parts.pop()
            self.parts[-1] = type(row).concat([self.parts[-1], last])

    def drop(self) -> None:
        """Drop the oldest prompt."""
        del self.answers[next(iter(self.answers))]
        first = self.parts.popleft()
        if len(first) > 1:
            # In halves, so that dropping costs no more than adding did.
            middle = len(first) // 2
            self.parts.extendleft([first[middle:], first[1:middle]][: 1 + (middle > 1)])


def _last_message(prompt: str) -> tuple[str, str]:
    """Return what comes before the last message of a chat, and its text; ("", prompt) otherwise.

    LangChain writes the messages of a chat as a JSON list.
    """
    try:
        messages = json.loads(prompt)
        content = messages[-1]["kwargs"]["content"]
    except (ValueError, TypeError, LookupError):
        return "", prompt
    if not isinstance(content, str):
        return "", prompt
    messages[-1]["kwargs"]["content"] = ""
    messages[-1]["kwargs"].pop("id", None)
    return json.dumps(messages), content
