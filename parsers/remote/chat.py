"""One question to a language model behind an OpenAI-compatible chat endpoint.

>>> chat_request("gpt-4o", "Answer yes or no.", "Do cats sleep?")["messages"][1]
{'role': 'user', 'content': 'Do cats sleep?'}
>>> read_object('Here you are: {"rating": 4}')
{'rating': 4}
"""

from __future__ import annotations

import json
from typing import Any, Final

from compsim.errors import ServiceError
from compsim.http import Service
from compsim.parsers.remote.sentences import without_surrogates

__all__ = ["chat_answer", "chat_request", "read_object"]

_LONGEST: Final = 2**14  # characters; what is asked for is short, and comes in the end


def chat_request(model: str, instruction: str, text: str, **more: Any) -> dict[str, Any]:
    """Return a chat request: the instruction and the user's text, at temperature 0."""
    messages = [
        {"role": "system", "content": instruction},
        {"role": "user", "content": without_surrogates(text)},
    ]
    return {"model": model, "temperature": 0, **more, "messages": messages}


def chat_answer(service: Service, request: dict[str, Any]) -> Any:
    """Return the model's reply, a string unless the service is an odd one.

    Raises ``ServiceError`` where there is no answer, or none of a chat endpoint.
    """
    answer = service.post("chat/completions", request)
    try:
        return answer["choices"][0]["message"]["content"]
    except (IndexError, KeyError, TypeError) as error:
        raise ServiceError(
            "the answer is no chat completion: is the url that of an OpenAI-compatible API?"
        ) from error


def read_object(answer: object) -> dict[str, Any]:
    """Return the JSON object in a model's answer, ``{}`` if none can be made out.

    It is what stands between the first brace and the last, or else a flat object at the end.
    """
    content = answer[-_LONGEST:] if isinstance(answer, str) else ""
    content = content[: content.rfind("}") + 1]
    for start in (content.find("{"), content.rfind("{")):
        try:
            value = json.loads(content[start:])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return {}
