"""A reference bot in C as a bot: ``python -m bots.reference.compiled PROGRAM LEVEL`` becomes that program.

So it is started, and trusted, as every reference bot of this installation is.
"""

from __future__ import annotations

import os
import sys


def main(program: str, level: str) -> None:
    """Become the program.

    Raises:
        SystemExit: it cannot be started; the words go to stderr.
    """
    try:
        os.execv(program, [program, level])  # noqa: S606  (its arguments are its own)
    except OSError as error:
        sys.exit(f"{program} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main(*sys.argv[1:])
