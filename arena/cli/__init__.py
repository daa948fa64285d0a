"""The command line. Data goes to standard output, progress and errors to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 failed, 2 wrong usage or input, 4 not logged in or not allowed.

    Ctrl-C ends it with 130, where the command does not make something else of it.
    """
    _open_streams()
    try:
        _run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _open_streams() -> None:
    """Give a process that was started without one of the standard streams one that leads nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _run(given: list[str]) -> None:
    from arena.cli.app import run
    from arena.cli.shared.failures import exit_code_of
    from arena.cli.shared.output import note
    from arena.core.words import can_be_written, speak
    from arena.local.errors import in_words

    if isinstance(sys.stdout, TextIOWrapper):  # whose encoding may lack letters that names have
        sys.stdout.reconfigure(errors="backslashreplace")
    speak(translated="--json" not in given and can_be_written(sys.stdout, sys.stderr))
    try:
        run(given)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except ImportError as error:
        from arena.cli.shared.extras import lacking

        if (words := lacking(error)) is None:
            raise
        note(f"arena: {words}")
        sys.exit(2)
    except Exception as error:
        code = exit_code_of(error)
        if code is None:
            raise
        note(f"arena: {in_words(error)}")
        sys.exit(code)
