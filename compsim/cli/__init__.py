"""The command line: ``compsim similarity A B``, ``explain``, ``parse``, ``bench`` and more.

Commands are thin, and import what they need only when they run.

>>> from compsim.cli import main
>>> main(["--version"])  # doctest: +SKIP
compsim 0.1.0
0

Results go to standard output; errors, warnings and progress to standard error, one line each.
Status: 0 done, 1 ``compsim doctor`` found trouble, 2 bad usage or any ``CompsimError``, 130
interrupted, 141 the reader of the output went away.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

__all__ = ["main"]

_USAGE: Final = 2
_INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141


def _spare_threads(command: str) -> None:
    """Keep numpy from starting threads that would take the cores from others.

    One of the commands multiplies no matrices, the other only small ones.
    """
    if command in ("smatch", "mcp"):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; arguments default to those of the process."""
    if arguments is None:
        _spare_threads("".join(sys.argv[1:2]))
    try:
        import typer

        from compsim.cli import terminal
        from compsim.cli.app import app
        from compsim.errors import CompsimError
        from compsim.missing import incomplete

        # typer may carry a click of its own, so the class is found by way of a public child.
        usage_error: type[Exception] = next(
            kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
        )
        terminal.forgive_encoding()
        with terminal.one_line_warnings():
            try:
                command = typer.main.get_command(app)
                status = command.main(
                    args=None if arguments is None else list(arguments),
                    prog_name="compsim",
                    standalone_mode=False,
                )
                sys.stdout.flush()
                return status if isinstance(status, int) else 0
            except CompsimError as error:
                terminal.complain(str(error))
                return _USAGE
            except ImportError as error:
                if (lack := incomplete("compsim", error)) is None:
                    raise
                terminal.complain(str(lack))
                return _USAGE
            except SystemExit as stop:
                # typer answers a broken pipe itself, by an exit with status 1.
                if isinstance(stop.__context__, BrokenPipeError):
                    return _gone()
                raise
            except typer.Abort:
                return _INTERRUPTED
            except usage_error as error:
                terminal.complain(_usage(error))
                return _USAGE
    except BrokenPipeError:
        return _gone()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        # Files that cannot be read or written, full disks: nothing a traceback would add to.
        from compsim.cli import terminal

        name = f"{error.filename}: " if error.filename is not None else ""
        terminal.complain(f"{name}{error.strerror or error}")
        return _USAGE


def _usage(error: BaseException) -> str:
    """Return the error of usage and the help to turn to."""
    message: str = error.format_message()  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "compsim")
    quotes = "; put a sentence in quotes" if "unexpected extra argument" in message else ""
    return f"{message.rstrip('. ')}{quotes}; see `{path} --help`"


def _gone() -> int:
    """Let the interpreter's own flush at exit go nowhere, since nobody reads any more."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
    return _BROKEN_PIPE
