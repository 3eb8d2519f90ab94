"""The OpenAPI description, with the limits of this service and an example for each request.

>>> from compsim.serving import Settings, create_app
>>> options = {"vectors": "builtin"}
>>> settings = Settings(options=options, max_documents=100)
>>> schemas = described(create_app(settings), settings)["components"]["schemas"]
>>> schemas["RerankRequest"]["properties"]["documents"]["maxItems"]
100
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from compsim.serving.paths import PUBLIC
from compsim.serving.routes import BODIES
from compsim.serving.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["EXAMPLES", "described"]

_RERANK: Final[dict[str, Any]] = {
    "query": "Who bit the man?",
    "documents": ["The man bit the dog.", "It rained. The dog bit the man."],
    "top_n": 1,
}
#: A request of each kind, which a service answers whose method can.
EXAMPLES: Final[dict[str, Any]] = {
    "/v1/rerank": _RERANK,
    "/v2/rerank": _RERANK,
    "/rerank": {
        "query": "Who bit the man?",
        "texts": ["The man bit the dog.", "It rained. The dog bit the man."],
        "return_text": True,
    },
    "/similarity": {
        "inputs": {
            "source_sentence": "The dog bit the man.",
            "sentences": ["The man bit the dog.", "The man was bitten by the dog."],
        }
    },
    "/v1/similarity": {
        "first": ["The dog bit the man.", "It rained."],
        "second": ["The man bit the dog.", "The man was bitten by the dog."],
    },
    "/v1/similarity_pairwise": {
        "first": ["The dog bit the man.", "It rained."],
        "second": ["The man bit the dog.", "Rain fell."],
    },
    "/v1/same": {"first": "The dog bit the man.", "second": "The man bit the dog."},
    "/v1/compare": {
        "query": "Who bit the man?",
        "first": "The dog bit the man.",
        "second": "It rained. The man bit the dog.",
    },
    "/v1/explain": {"first": "Cats chase mice.", "second": "Mice chase cats."},
}


#: Fields with texts.
_FIELDS: Final = (
    *("query", "documents", "texts", "document", "first", "second"),
    *("source_sentence", "sentences"),
)


def described(app: FastAPI, settings: Settings) -> dict[str, Any]:
    """The description of an application, made once; see https://spec.openapis.org/oas/v3.1.0."""
    if app.openapi_schema is None:
        app.openapi_schema = _made(app, settings)
    return app.openapi_schema


def _made(app: FastAPI, settings: Settings) -> dict[str, Any]:
    openapi = get_openapi(
        title=app.title, version=app.version, summary=app.summary, routes=app.routes
    )
    schemas = openapi["components"]["schemas"]
    _, definitions = models_json_schema(
        [(kind, "validation") for kinds in BODIES.values() for kind in kinds],
        ref_template="#/components/schemas/{model}",
    )
    schemas.update(definitions["$defs"])
    # Errors have one form here; FastAPI's own is not sent.
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    most = dict.fromkeys(("documents", "document", "texts"), settings.max_document)
    for name, schema in schemas.items():
        if name.endswith(("Request", "Inputs")):
            for field in _FIELDS:
                if field in schema["properties"]:
                    own = "document" if name == "CompareRequest" and field != "query" else field
                    characters = most.get(own, settings.max_sentence)
                    _limit(schema["properties"][field], characters, settings.max_documents)
    for path, example in EXAMPLES.items():
        content = openapi["paths"][path]["post"]["requestBody"]["content"]
        content["application/json"]["example"] = example
    if settings.token:
        schemes = {"token": {"type": "http", "scheme": "bearer"}}
        openapi["components"]["securitySchemes"] = schemes
        for path, operations in openapi["paths"].items():
            for operation in operations.values():
                if path not in PUBLIC:
                    operation["security"] = [{"token": []}]
    return openapi


def _limit(schema: dict[str, Any], characters: int, items: int) -> None:
    """Say how long texts and lists may be, in a schema and what it is made of."""
    for part in (schema, *schema.get("anyOf", ())):
        if part.get("type") == "string":
            part["maxLength"] = characters
        if part.get("type") == "array":
            part["maxItems"] = items
            _limit(part["items"], characters, items)
