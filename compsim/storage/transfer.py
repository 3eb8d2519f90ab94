"""Fetch a file over HTTP in a way that a broken connection does not waste.

What arrives is kept in a ``.part`` file; the next attempt asks only for the rest, provided that the
server still has the same file (``If-Range``). :mod:`compsim.storage.downloads` checks and names the
result.

>>> from pathlib import Path
>>> from compsim.storage.transfer import transfer
>>> transfer("gopher://example", Path("x.part"), print)
Traceback (most recent call last):
compsim.errors.ServiceError: 'gopher://example' is not an address to fetch from; give http(s)
"""

from __future__ import annotations

import http.client
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from compsim.errors import ServiceError

__all__ = ["transfer"]

Progress = Callable[[int, int | None], None]

_BLOCK = 1 << 18
_TIMEOUT_SECONDS = 30.0
_NETWORK_ERRORS = (
    urllib.error.URLError,
    http.client.HTTPException,
    ConnectionError,
    TimeoutError,
    ssl.SSLError,
)


def transfer(url: str, part: Path, report: Progress) -> None:
    """Fetch ``url`` into ``part``, going on behind what an earlier attempt left there.

    ``report`` is called with the bytes there are and the bytes there will be, or None. Raises
    ``ServiceError`` if the transfer fails; what has arrived by then stays for the next attempt.
    """
    if not url.startswith(("https://", "http://")):
        raise ServiceError(f"{url!r} is not an address to fetch from; give http(s)")
    validator = part.with_name(part.name + ".etag")
    have = part.stat().st_size if part.exists() else 0
    etag = validator.read_text(encoding="utf-8") if have and validator.exists() else ""
    request = urllib.request.Request(url, headers={"User-Agent": "compsim"})
    if have and etag:
        # If-Range: where the file has changed, the server sends all of it and we start anew.
        request.add_header("Range", f"bytes={have}-")
        request.add_header("If-Range", etag)
    mend = "check the network and run the download again: it goes on where it stopped"
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as response:
            resumed = response.status == 206
            total = _total(response, have if resumed else 0)
            validator.write_text(_strong_validator(response), encoding="utf-8")
            done = have if resumed else 0
            with part.open("ab" if resumed else "wb") as out:
                report(done, total)
                while block := response.read(_BLOCK):
                    out.write(block)
                    done += len(block)
                    report(done, total)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:
            # Nothing is left to fetch, or the leftovers do not fit this file: begin again.
            part.unlink(missing_ok=True)
            validator.unlink(missing_ok=True)
            return transfer(url, part, report)
        raise ServiceError(
            f"{url} answers {error.code} {error.reason}; name a mirror with url="
        ) from error
    except _NETWORK_ERRORS as error:
        reason = getattr(error, "reason", None) or error
        raise ServiceError(f"{url} could not be fetched ({reason}); {mend}") from error
    if total is not None and done < total:
        raise ServiceError(f"{url} broke off after {done} of {total} bytes; {mend}")
    validator.unlink(missing_ok=True)


def _total(response: Any, start: int) -> int | None:
    length = response.headers.get("Content-Length")
    return start + int(length) if length and length.isdigit() else None


def _strong_validator(response: Any) -> str:
    """Return what If-Range may hold: a strong ETag, else the date of the last change."""
    etag: str = response.headers.get("ETag") or ""
    if etag and not etag.startswith("W/"):
        return etag
    return response.headers.get("Last-Modified") or ""
