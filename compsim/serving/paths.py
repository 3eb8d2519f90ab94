"""The path by which a request is routed, and which paths are open to everybody.

Behind a prefix (``uvicorn --root-path /api``, ``Mount("/api", app)``) the path of a request has the
prefix, and routing takes it off. Whoever looks at paths must do the same.

>>> routed_path({"path": "/api/v1/rerank", "root_path": "/api"})
'/v1/rerank'
>>> routed_path({"path": "/v1/rerank", "root_path": "/api"})
'/v1/rerank'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["PUBLIC", "routed_path"]

#: What is open without the token: the pages, which say nothing that is not public and ask with one
#: themselves, the description, and whether the service is ready. "" is sent on to "/".
PUBLIC: Final = frozenset({"", "/", "/docs", "/openapi.json", "/healthz"})


def routed_path(scope: Mapping[str, Any]) -> str:
    """Return the path of an ASGI scope without its ``root_path``, as Starlette routes it."""
    path: str = scope["path"]
    root: str = scope.get("root_path") or ""
    behind = path.removeprefix(root)
    return behind if behind.startswith("/") or path == root else path
