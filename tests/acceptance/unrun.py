"""What the documents show that no test of them runs, and why not."""

from __future__ import annotations

import re

from tests.documents import Shown

UNRUN = {
    r"(docker|kubectl|systemctl|apt-get|cp deploy/systemd|/opt/arena)": "changes the machine",
    r"(python3 -m venv|pip|uv|uvx) ": "needs an index of packages; test_wheel.py installs wheels",
    r"(make|pre-commit|python -m tests\.hostile) ": "sets up, checks or tests the whole repository",
    r"python -P -m workers\.host ": "is how `arena up` starts its workers, by hand",
    r"arena worker (join|install)|ARENA_KEY_DIR=": "needs another host; test_services.py has one",
    r"arena (demo|reproduce)\b": "takes minutes; test_demo.py and test_reproduce.py run it",
    r"arena env (build|remove|choose)": "needs an index of packages; test_environments.py has one",
    r"eval |arena --show-completion": "is for a shell's own files; test_completion.py has the shells",
    r"curl -N ": "follows what never ends",
}
"""What a command begins with, and why it is not run."""

OF_OTHER_TESTS = {
    "README.md": "the tutorials have the same",
    "docs/adapters.md": "tests/integration/bots/adapters/ has such bots",
    "docs/adding-a-game.md": "test_installed_game.py does what stands there",
    "docs/bots.md": "test_languages.py hands in bots of each language",
    "docs/cli.md": "the tutorials have most of them, tests of the command line the rest",
    "docs/deployment.md": "test_services.py has hosts that join",
    "docs/https.md": "test_https.py has names that are found",
    "docs/operations.md": "test_admin.py and the administrator's tutorial have most of them",
    "docs/protocol.md": "test_docs.py has its bot, the student's tutorial the commands",
    "docs/research.md": "the researcher's tutorial and test_playoffs.py have them",
    "docs/simulation.md": "they take minutes; test_simulate.py and test_sweep.py have shorter ones",
    "docs/solving.md": "they take minutes; test_solve.py and test_solved_games.py have shorter ones",
    "docs/training.md": "they take minutes; test_train.py has shorter ones",
}
"""The documents that nobody follows as a whole, and who does what they show."""


def why_not(shown: Shown) -> str | None:
    """Why that command is not run; None where it is."""
    if shown.is_synopsis:
        return "tells of several commands"
    return next((why for pattern, why in UNRUN.items() if re.match(pattern, shown.text)), None)
