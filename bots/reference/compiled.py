"""A reference bot in C as a bot: ``python -m bots.reference.compiled PROGRAM LEVEL`` becomes that program.

So it is started, and trusted, as every reference bot of this installation is, where it lies among the tables
of this host (`workers.sandbox.confinement`).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bots.reference.owned import ForeignProgramError, require_own


def main(program: str, level: str) -> None:
    """Become the program.

    Raises:
        SystemExit: it cannot be started, or others than this user could have changed it; stderr says why.
    """
    path = Path(program)
    try:
        require_own(path.parent.parent, path.parent, path)
        os.execv(program, [program, level])  # noqa: S606  (its arguments are its own)
    except ForeignProgramError as error:
        sys.exit(f"{program} is not started: {error}")
    except OSError as error:
        sys.exit(f"{program} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main(*sys.argv[1:])
