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

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from compsim.errors import ServiceError
from compsim.exchange import BrokenError, Watch, exchange
from compsim.http import host_of, is_loopback, one_line, without_password

if TYPE_CHECKING:
    import httpx

__all__ = ["Progress", "transfer"]

Progress = Callable[[int, int | None], None]
"""Called with the bytes there are and, where the server tells, the bytes there will be."""

#: A download has to bring so many bytes in so many seconds: the slowest of lines bring ten times
#: that, a connection that drips or stands does not.
_STALL_SECONDS: Final = 30.0
_STALL_BYTES: Final = 2**15
#: Bytes, several times the largest table of word vectors in use; an endless answer would fill the
#: disk.
_LARGEST_FILE: Final = 2**34
# A strong ETag or a date: what may stand in If-Range.
_VALIDATOR: Final = re.compile(r'"[!#-~]*"|[A-Z][a-z]{2}, [0-9A-Za-z :]{10,30}')
_RANGE: Final = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})")
_MEND: Final = "check the network and run the download again: it goes on where it stopped"


def transfer(url: str, part: Path, report: Progress) -> bool:
    """Fetch a file into ``part``, going on behind what an earlier attempt left there.

    Returns whether all of the file is known to have come: not so where the server tells neither
    its length nor its end. The next attempt asks only for the rest, provided that the server still
    has the same file (``If-Range``, kept in ``.part.etag``). Raises ``ServiceError`` if the
    transfer fails, brings less than 32 KiB in half a minute, or more than 16 GiB in all; what has
    arrived by then stays for the next attempt, but of a file that is too large.
    """
    if not host_of(url):
        raise ServiceError(
            f"{without_password(url)!r} is not an address to fetch from; give http(s)"
        )
    import httpx

    mark = part.with_name(part.name + ".etag")
    etag = _marked(mark) if part.exists() else ""
    start = part.stat().st_size if etag else 0
    wanted = {"Range": f"bytes={start}-", "If-Range": etag} if start else {}
    try:
        with exchange(url, _STALL_SECONDS, wanted, direct=is_loopback(url), redirects=True) as (
            answer,
            watch,
        ):
            status = answer.status_code
            if start and (status == 416 or (status == 206 and not _continues(answer, start, etag))):
                # What is there does not fit this file, or the server can not go on: begin again.
                mark.unlink()
            elif status == 200 or (start and status == 206):
                return _receive(
                    url, answer, watch, part, mark, start if status == 206 else 0, report
                )
            else:
                phrase = httpx.codes.get_reason_phrase(status)
                raise ServiceError(f"{url} answers {status} {phrase}; name a mirror with url=")
    except BrokenError as error:
        raise ServiceError(
            f"{url} could not be fetched ({one_line(str(error))}); {_MEND}"
        ) from error
    return transfer(url, part, report)


def _receive(
    url: str,
    answer: httpx.Response,
    watch: Watch,
    part: Path,
    mark: Path,
    done: int,
    report: Progress,
) -> bool:
    """Write what is answered behind the ``done`` bytes that are there, as ``transfer`` does."""
    import httpx

    total, end = _total(answer), _end(answer)

    def break_off(why: str) -> NoReturn:
        size = f"{done} bytes" if total is None else f"{done} of {total} bytes"
        raise ServiceError(f"{url} broke off after {size}{why}; {_MEND}")

    counted = done
    with part.open("ab" if done else "wb") as out:
        # Only now that nothing is there which another file left.
        mark.write_text(_validator(answer) or (_marked(mark) if done else ""), encoding="ascii")
        report(done, total)
        try:
            for block in answer.iter_raw():
                out.write(block)
                done += len(block)
                report(done, total)
                if done > _LARGEST_FILE:
                    break
                if done - counted >= _STALL_BYTES:
                    counted = done
                    watch.restart()
        except httpx.HTTPError as error:
            break_off(" (too slow)" if watch.passed else f" ({one_line(str(error))})")
    if done > _LARGEST_FILE:
        mark.unlink()
        part.unlink()
        raise ServiceError(
            f"{url} sends more than {_LARGEST_FILE} bytes: is it the file? Name a mirror with url="
        )
    if end is not None and done > end:
        mark.unlink()  # What is there is not the beginning of the file.
        break_off(", more than it announced")
    if total is not None and done != total:
        break_off("")
    if not watch.passed:
        mark.unlink()
    return total is not None or "Transfer-Encoding" in answer.headers


def _marked(mark: Path) -> str:
    """The validator that an earlier attempt left, "" where there is none or it is damaged."""
    try:
        text = mark.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
    return text if _VALIDATOR.fullmatch(text) else ""


def _validator(answer: httpx.Response) -> str:
    """Return the validator for If-Range: a strong ETag, else the date of the last change."""
    for name in ("ETag", "Last-Modified"):
        entry: str = answer.headers.get(name, "")
        if _VALIDATOR.fullmatch(entry):
            return entry
    return ""


def _continues(answer: httpx.Response, start: int, etag: str) -> bool:
    """Return whether a 206 answer is the rest of the same file, as it was asked for."""
    # Without a total ("/*") nobody could tell when all of the file is there.
    match = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    if match is None or _validator(answer) not in ("", etag):
        return False
    end, total = int(match[2]), int(match[3])
    length = answer.headers.get("Content-Length", str(end + 1 - start))
    return int(match[1]) == start <= end < total and length == str(end + 1 - start)


def _total(answer: httpx.Response) -> int | None:
    """The size of the whole file, None where the server does not tell."""
    if answer.status_code == 206 and (match := _RANGE.fullmatch(answer.headers["Content-Range"])):
        return int(match[3])
    if "Transfer-Encoding" in answer.headers:
        return None
    length = answer.headers.get("Content-Length", "")
    return int(length) if re.fullmatch("[0-9]{1,18}", length) else None


def _end(answer: httpx.Response) -> int | None:
    """Return the number of bytes behind this answer, None where the server does not say."""
    if answer.status_code == 206 and (match := _RANGE.fullmatch(answer.headers["Content-Range"])):
        return int(match[2]) + 1
    return _total(answer)
