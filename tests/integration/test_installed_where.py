"""What is imported where: told by the modules that are there afterwards, in an interpreter of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = ("arena", "workers", "bots", "engines")

WEB = {"fastapi", "jinja2", "starlette", "uvicorn"}
DATABASE = {"alembic", "psycopg", "sqlalchemy"}
BROKER = {"celery", "kombu", "redis"}
NUMBERS = {"numba", "numpy", "pyarrow", "scipy"}
TERMINAL = {"typer"}  # not Rich, which structlog takes where it is there

HELP = {
    "arena.cli.app",
    "arena.cli.examples",
    "arena.cli.game.cut_options",
    "arena.cli.game.play",
    "arena.cli.game.positions",
    "arena.cli.game.solve",
    "arena.cli.people.announcing",
    "arena.cli.reproduce.command",
    "arena.cli.server.configuration",
    "arena.cli.server.demo",
    "arena.cli.server.reachable",
    "arena.cli.server.service",
    "arena.cli.shared.columns",
    "arena.cli.shared.commands",
    "arena.cli.shared.completing",
    "arena.cli.shared.failures",
    "arena.cli.shared.folders",
    "arena.cli.shared.groups",
    "arena.cli.shared.options",
    "arena.cli.shared.output",
    "arena.cli.shared.solutions",
    "arena.cli.simulate.command",
    "arena.cli.simulate.sprt_options",
    "arena.cli.train.book",
    "arena.cli.train.command",
    "arena.core.errors",
    "arena.core.folder",
    "arena.core.terms",
    "arena.core.words",
    "arena.local.errors",
    "arena.local.files",
    "arena.supervisor.defaults",
    "arena.theory.rating.models",
    "engines.columns",
    "engines.locking",
    "workers.core.data_dir",
    "workers.core.escape",
}
"""All that `arena --help` imports of ours, but for the packages that these are in."""

ARENA = """
import json, os, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

MADE = {"bot": "mine", "version": 1, "created": True, "archive": "0" * 64, "size": 1, "state": "checking"}
MADE |= {"filename": "mine.py", "language": "python", "games": [], "created_at": "2030-01-01T00:00:00Z"}

class Arena(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200, {"items": [], "total": 0, "offset": 0, "limit": 100})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(201, MADE)

    def answer(self, status, told):
        answer = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

server = HTTPServer(("127.0.0.1", 0), Arena)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ |= {"ARENA_URL": f"http://127.0.0.1:{server.server_port}", "ARENA_TOKEN": "secret"}
"""

COMMAND = """
from arena.cli import main
try:
    main(%r)
except SystemExit as ended:
    assert not ended.code
"""


def imported(script: str, folder: Path) -> set[str]:
    """The modules that are there after the script, which ends well."""
    told = "\nimport sys\nprint('\\n'.join(['', '::', *sys.modules]))"
    command = [sys.executable, "-c", script + told]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.partition("\n::\n")[2].split())


def tops(modules: set[str]) -> set[str]:
    """The names of the distributions' packages that modules belong to."""
    return {module.partition(".")[0] for module in modules}


def test_help_reads_just_these_modules(tmp_path: Path) -> None:
    """`arena --help` imports the modules listed here and no other of ours, and of others only Typer's."""
    modules = imported(COMMAND % (["--help"],), tmp_path)
    ours = {module for module in modules if module.startswith(tuple(f"{name}." for name in HOUSE))}
    packages = {module for module in ours if any(other.startswith(f"{module}.") for other in ours)}
    assert ours - packages == HELP
    others = {
        "babel",
        "httpx2",
        "matplotlib",
        "obstore",
        "psutil",
        "pydantic",
        "rich",
        "tomllib",
    }
    assert not (WEB | DATABASE | BROKER | NUMBERS | others) & tops(modules)


@pytest.mark.parametrize("words", [["bot", "submit", "mine.py"], ["tournament", "list"]])
def test_what_an_arena_is_asked_takes_little(tmp_path: Path, words: list[str]) -> None:
    """Handing in a bot and reading tables need neither database, broker and web server nor a compiler."""
    (tmp_path / "mine.py").write_text("print('ready')\n")
    modules = imported(ARENA + COMMAND % (words,), tmp_path)
    assert "arena.client.http" in modules
    assert not (WEB | DATABASE | BROKER | NUMBERS | {"matplotlib", "psutil"}) & tops(modules)


@pytest.mark.parametrize(
    ("modules", "not_needed"),
    [
        (
            "workers.host.tasks, workers.app",
            WEB | DATABASE | TERMINAL | {"arena", "httpx2", "matplotlib", "pyarrow"},
        ),
        (
            "arena.web.app, arena.coordinator.recorder, arena.coordinator.__main__",
            TERMINAL | {"arena.cli", "arena.client", "arena.local", "matplotlib", "pyarrow"},
        ),
        (
            "arena.research, workers.simulation.runner, arena.local.series, engines.solvers",
            WEB
            | DATABASE
            | BROKER
            | TERMINAL
            | {"arena.store", "arena.web", "httpx2", "matplotlib", "pyarrow"},
        ),
        (
            "arena.environments.aec, arena.environments.gym",
            WEB | DATABASE | BROKER | TERMINAL | {"arena.local", "arena.store", "numba", "pyarrow", "scipy"},
        ),
    ],
    ids=["worker", "server", "notebook", "environments"],
)
def test_each_place_imports_only_what_belongs_there(
    tmp_path: Path, modules: str, not_needed: set[str]
) -> None:
    """A worker host, a server and a researcher's notebook do without what is for the others."""
    found = imported(f"import {modules}", tmp_path)
    assert not not_needed & (found | tops(found))
