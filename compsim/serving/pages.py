"""The pages that people read: one to try the service, one that tells its interface.

Each is a document that loads nothing but what this service answers, and whose policy lets nothing
run or style it but what stands in it, told by its hash. ``style=`` at single elements, which bars
and drawings have, is let through: it runs nothing, and loads nothing either.

>>> policy("<style>p { margin: 0 }</style><script>go()</script>")
"default-src 'none'; script-src 'sha256-...'; style-src-elem 'sha256-...'; ..."
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final

from fastapi import APIRouter, Response

from compsim.explanation import heat_map, style
from compsim.serving.interface import interface

__all__ = ["Pages", "policy"]

_BLOCK: Final = re.compile(r"<(style|script)\b[^>]*>(.*?)</\1>", re.DOTALL)
_HEADERS: Final = {"Cache-Control": "no-cache"}


class Pages:
    """The pages of a service."""

    def __init__(self) -> None:
        self._page = files("compsim.serving").joinpath("page.html").read_text(encoding="utf-8")
        # The styles that explanations bring are always the same ones.
        styles = "".join(f"<style>{text}</style>" for text in (style.STYLE, heat_map.STYLE))
        self._policy = policy(self._page + styles)
        self._docs: tuple[str, str] | None = None

    def router(self, described: Callable[[], dict[str, Any]]) -> APIRouter:
        """The routes of the pages; ``described`` gives the OpenAPI description."""
        router = APIRouter(include_in_schema=False)

        @router.get("/")
        async def page() -> Response:
            return _html(self._page, self._policy)

        @router.get("/docs")
        async def docs() -> Response:
            if self._docs is None:
                page = interface(described())
                self._docs = page, policy(page)
            return _html(*self._docs)

        return router


def _html(page: str, rules: str) -> Response:
    headers = {**_HEADERS, "Content-Security-Policy": rules}
    return Response(page, media_type="text/html", headers=headers)


def policy(page: str) -> str:
    """The Content-Security-Policy of a page: only its own scripts and styles, and this service."""
    kinds: dict[str, list[str]] = {"script": [], "style": []}
    for kind, content in _BLOCK.findall(page):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        if (source := f"'sha256-{digest}'") not in kinds[kind]:
            kinds[kind].append(source)
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(kinds["script"]) or "'none'",
        "style-src-elem": " ".join(kinds["style"]) or "'none'",
        "style-src-attr": "'unsafe-inline'",
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
