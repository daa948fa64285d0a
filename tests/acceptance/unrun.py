"""What the documents show that no test of them runs, and why not."""

from __future__ import annotations

import re

from tests.documents import Shown

UNRUN = {
    r"(docker|kubectl|systemctl|apt-get|cp deploy/systemd|/opt/arena|eval) ": "changes the machine",
    r"(python3 -m venv|pip|uv|uvx) ": "needs an index of packages; test_wheel.py installs wheels",
    r"(make|pre-commit|python -m tests\.hostile) ": "sets up, checks or tests the whole repository",
    r"celery ": "is how `arena up` starts its workers, by hand",
    r"arena worker (join|install)|ARENA_KEY_DIR=": "needs another host; test_services.py has one",
    r"arena (demo|reproduce)\b": "takes minutes; test_demo.py and test_reproduce.py run it",
    r"arena env (build|remove|choose)": "needs an index of packages; test_environments.py has one",
    r"ARENA_DATABASE_URL=": "needs a database server; test_admin.py has one",
    r"curl -N |arena tournament watch spring +#": "follows what never ends",
}
"""What a command begins with, and why it is not run."""


def why_not(shown: Shown) -> str | None:
    """Why that command is not run; None where it is."""
    if shown.is_synopsis:
        return "tells of several commands"
    return next((why for pattern, why in UNRUN.items() if re.match(pattern, shown.text)), None)
