"""The command line. Data goes to standard output, progress and errors to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 failed, 2 wrong usage or input, 4 not logged in or not allowed."""
    from arena.cli.app import run
    from arena.cli.shared.failures import exit_code_of
    from arena.cli.shared.output import note
    from arena.core.words import can_be_written, speak

    if isinstance(sys.stdout, TextIOWrapper):  # whose encoding may lack letters that names have
        sys.stdout.reconfigure(errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else list(arguments)
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
        note(f"arena: {error}")
        sys.exit(code)
