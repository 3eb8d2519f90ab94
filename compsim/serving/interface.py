"""The OpenAPI description as a page: each address, what it takes and what it answers.

The usual viewers are megabytes of script from another host. This one is a few tables, needs no
script and no network, and can be read on a phone.

>>> page = interface({"info": {"title": "mine", "version": "1"}, "paths": {}})
>>> "<h1>mine 1</h1>" in page, "<script" in page
(True, False)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

__all__ = ["interface"]

_STYLE: Final = """
:root { color-scheme: light dark; }
body { max-width: 60em; margin: 1.5em auto; padding: 0 1em; background: Canvas; color: CanvasText;
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h2 { margin: 2em 0 .3em; font-size: 1.2em; border-top: 1px solid rgb(128 128 128 / .4);
  padding-top: .8em; }
h3 { margin: 1.2em 0 .3em; font-size: 1em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: .3em .8em .3em 0;
  border-bottom: 1px solid rgb(128 128 128 / .3); }
thead th { font-size: .9em; }
tbody th { font-weight: 600; width: 12em; }
pre { padding: .8em; border: 1px solid rgb(128 128 128 / .4); white-space: pre-wrap; }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; }
"""


def interface(description: Mapping[str, Any]) -> str:
    """A whole HTML document for an OpenAPI description."""
    info = description["info"]
    schemas = description.get("components", {}).get("schemas", {})
    parts = [
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info.get('summary', ''))}. For programs: "
        '<a href="openapi.json">openapi.json</a>. To try it: <a href=".">the page</a>.</p>',
    ]
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            parts += _operation(path, method.upper(), operation, schemas)
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(info['title'])}: interface</title>\n<style>{_STYLE}</style>\n"
        f"</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _operation(
    path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Iterator[str]:
    yield f"<h2><code>{method} {escape(path)}</code></h2>"
    yield f"<p>{_prose(operation.get('description', ''))}</p>"
    asked = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if "example" in asked:
        body = json.dumps(asked["example"]).replace("'", "'\\''")
        yield (
            f"<pre>curl http://localhost:8000{escape(path)} -H 'Content-Type: application/json' "
            f"-d '{escape(body, quote=False)}'</pre>"
        )
    for name in _named(asked.get("schema", {})):
        yield _table(f"Request: {name}", schemas[name])
    for status, answer in operation["responses"].items():
        for content in answer.get("content", {}).values():
            for name in _named(content.get("schema", {})):
                if status == "200":
                    yield _table(f"Answer: {name}", schemas[name])
    rows = [
        f'<tr><th scope="row">{status}</th><td>{escape(answer["description"])}</td></tr>'
        for status, answer in operation["responses"].items()
        if status != "200"
    ]
    if rows:
        head = '<tr><th scope="col">status</th><th scope="col">why</th></tr>'
        yield '<h3>In place of an answer: {"message": "..."}</h3>'
        yield f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _table(title: str, schema: Mapping[str, Any]) -> str:
    needed = schema.get("required", ())
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(_kind(field))}'
        f"{', needed' if name in needed else ''}</td>"
        f"<td>{_prose(field.get('description', ''))}</td></tr>"
        for name, field in schema.get("properties", {}).items()
    )
    columns = "".join(f'<th scope="col">{name}</th>' for name in ("field", "type", "what it is"))
    about = f"<p>{_prose(schema['description'])}</p>" if "description" in schema else ""
    return (
        f"<h3>{escape(title)}</h3>{about}"
        f"<table><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _named(schema: Mapping[str, Any]) -> Iterator[str]:
    """The names of the schemas that one refers to."""
    for part in (schema, *schema.get("oneOf", ()), *schema.get("anyOf", ())):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]


def _prose(text: str) -> str:
    """A description, with what stands between backticks as code."""
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", escape(text))


def _kind(schema: Mapping[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        kind = f"list of {_kind(schema['items'])}"
        return kind + (f", at most {schema['maxItems']}" if "maxItems" in schema else "")
    return kind + (f" ({schema['maxLength']} characters)" if "maxLength" in schema else "")
