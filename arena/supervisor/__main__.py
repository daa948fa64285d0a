"""The detached supervisor, started by `arena up`.

`python -m arena.supervisor FOLDER HOST PORT WORKERS [HTTPS_PORT]`
"""

from __future__ import annotations

import sys
from pathlib import Path

from arena.core.errors import SupervisorError
from arena.core.folder import DataFolder
from arena.supervisor.arena import run
from arena.supervisor.plans import plan_setup


def main(arguments: list[str]) -> int:
    """Run until told to stop; what went wrong is the last thing written to standard error."""
    folder, host, port, workers, *secured = arguments
    https_port = int(secured[0]) if secured else None
    try:
        setup = plan_setup(DataFolder(Path(folder)), host, int(port), int(workers), https_port=https_port)
        run(setup, say=lambda _: None)
    except SupervisorError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
