"""One question to a language model behind an OpenAI-compatible chat endpoint.

>>> chat_request("gpt-4o", "Answer yes or no.", "Do cats sleep?")["messages"][1]
{'role': 'user', 'content': 'Do cats sleep?'}
"""

from __future__ import annotations

from typing import Any

from compsim.errors import ServiceError
from compsim.http import Service
from compsim.parsers.remote.sentences import without_surrogates

__all__ = ["chat_answer", "chat_request"]


def chat_request(model: str, instruction: str, text: str, **more: Any) -> dict[str, Any]:
    """What is sent: the instruction, and the text of the user, to answer without chance."""
    messages = [
        {"role": "system", "content": instruction},
        {"role": "user", "content": without_surrogates(text)},
    ]
    return {"model": model, "temperature": 0, **more, "messages": messages}


def chat_answer(service: Service, request: dict[str, Any]) -> Any:
    """What the model says, a string unless the service is an odd one.

    Raises ``ServiceError`` where there is no answer, or none of a chat endpoint.
    """
    answer = service.post("chat/completions", request)
    try:
        return answer["choices"][0]["message"]["content"]
    except (IndexError, KeyError, TypeError) as error:
        raise ServiceError(
            "the answer is no chat completion: is the url that of an OpenAI-compatible API?"
        ) from error
