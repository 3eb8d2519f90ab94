"""Sealing: content that is kept under a text, readable by whoever has the text and by nobody else.

The key is made of the text itself, so there is no secret to keep: a cache is always asked with the
text at hand. Who has the file alone sees neither the text nor a word of the content; who guesses
the text can find out that it was right.

>>> kept = seal(b"a parse", "srl", "Cats sleep.")
>>> unseal(kept, "srl", "Cats sleep."), unseal(kept, "srl", "Cats slept.")
(b'a parse', None)
"""

from __future__ import annotations

import hashlib
import os
import zlib
from typing import Final

from compsim.storage.sqlite_cache import key_of

__all__ = ["seal", "unseal"]

_NONCE: Final = 8
_CHECK: Final = 8
#: Bytes of a content: what unpacks to more was made to fill the memory.
_MOST: Final = 1 << 26


def seal(content: bytes, *fields: str) -> bytes:
    """Return the content, packed and sealed under fields that are as in ``key_of``."""
    packed = zlib.compress(content)
    nonce = os.urandom(_NONCE)
    return nonce + _masked(_check(packed) + packed, nonce, fields)


def unseal(sealed: bytes, *fields: str) -> bytes | None:
    """Return what was sealed under these fields; None for anything else, or where it is damaged."""
    plain = _masked(sealed[_NONCE:], sealed[:_NONCE], fields)
    check, packed = plain[:_CHECK], plain[_CHECK:]
    if check != _check(packed):
        return None
    try:
        return zlib.decompressobj().decompress(packed, _MOST)
    except zlib.error:
        return None


def _masked(content: bytes, nonce: bytes, fields: tuple[str, ...]) -> bytes:
    """Return the content under a mask that no other fields and no other nonce have."""
    # The name of the mask comes first, so that its seed is no key under which rows are found.
    seed = key_of("seal", *fields) + nonce
    mask = hashlib.shake_256(seed).digest(len(content))
    number = int.from_bytes(content, "big") ^ int.from_bytes(mask, "big")
    return number.to_bytes(len(content), "big")


def _check(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=_CHECK).digest()
