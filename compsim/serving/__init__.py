"""The HTTP service of ``compsim serve``: reranking, scores and explanations as JSON, and a page.

>>> from compsim.serving import Settings
>>> Settings(max_documents=100).max_documents
100
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim.lazy import lazy_names

if TYPE_CHECKING:
    from compsim.serving.application import create_app
    from compsim.serving.settings import Settings
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "compsim.serving.application": ("create_app",),
            "compsim.serving.settings": ("Settings",),
        },
    )

__all__ = ["Settings", "create_app"]
