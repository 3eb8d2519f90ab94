"""XML files of annotations, read so that whatever is wrong is one error that names the file."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from compsim.errors import DataError
from compsim.storage.reading import read_text

__all__ = ["local_name", "parse_xml", "read_xml"]


def read_xml(path: Path) -> tuple[ElementTree.Element, str]:
    """Return the root of an XML file, gzipped or not, and its text.

    Raises ``DataError`` for a file that is missing, is no XML, or defines entities, which could
    grow without bound.
    """
    content = read_text(path)
    return parse_xml(content, path), content


def parse_xml(content: str, path: Path) -> ElementTree.Element:
    """Return the root of an XML text; errors name ``path``."""
    if "<!ENTITY" in content:
        raise DataError(
            f"{path} defines entities, which are not read: write the characters instead"
        )
    # A declaration names the encoding of the bytes, and this is text by now.
    body = content.lstrip("\ufeff \t\r\n")
    if body.startswith("<?xml"):
        head, _, rest = body.partition("?>")
        body = "\n" * head.count("\n") + rest
    try:
        return ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        raise DataError(f"{path} is no XML ({error}): is it the right file?") from error


def local_name(element: ElementTree.Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]
