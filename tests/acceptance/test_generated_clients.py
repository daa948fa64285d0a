"""Clients that others' generators make of the arena's OpenAPI document: they come out whole, and work."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest

from tests.acceptance.conftest import Arena, MakeArena
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.long
UV = shutil.which("uv") or str(Path(__file__).parents[2] / ".uv" / "bin" / "uv")
DOCUMENT = "openapi.json"
OF_ITSELF = re.compile(
    "OpenAPI 3.1 support is still in beta|Failed to get the schema name: null|Codegen property is null"
    "|Could not compute datatypeWithEnum from (bytes|str), null"
)
"""What OpenAPI Generator warns of, whatever it reads: its own version, uploads, and values of any type."""


class Generator(NamedTuple):
    """A program that writes a client from an OpenAPI document."""

    package: str
    version: str
    options: tuple[str, ...]
    operations: tuple[str, str]
    """The files in which operations are written, and the name of one in a file's name and text."""
    needs: tuple[str, ...]
    """What a client needs to run."""
    program: str
    """Makes a user and prints the names of all games and users; its arguments are address, token and user."""


GENERATORS = (
    Generator(
        "openapi-python-client",
        "0.29.1",
        ("generate", "--meta", "none", "--output-path", "client", "--path", DOCUMENT),
        ("api/*/*.py", r"\A(\w+)\n(?s:.*)def sync_detailed\("),
        ("attrs", "httpx", "python-dateutil"),
        """
import json, sys
from client import AuthenticatedClient
from client.api.games import list_games
from client.api.users import create_user, list_users
from client.models import NewUser
url, token, user = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)
create_user.sync(client=client, body=NewUser(name=user))
games, users = list_games.sync(client=client), list_users.sync(client=client)
print(json.dumps([[each.name for each in games.items], [each.name for each in users.items]]))
""",
    ),
    Generator(
        "openapi-generator-cli",
        "7.26.0",
        ("generate", "-g", "python", "--package-name", "client", "-o", ".", "-i", DOCUMENT),
        ("api/*_api.py", r"def (\w+)_without_preload_content\("),
        ("pydantic", "python-dateutil", "typing-extensions", "urllib3"),
        """
import json, sys
from client import ApiClient, Configuration, GamesApi, NewUser, UsersApi
url, token, user = sys.argv[1:]
with ApiClient(Configuration(host=url, access_token=token)) as client:
    UsersApi(client).create_user(NewUser(name=user))
    games, users = GamesApi(client).list_games(), UsersApi(client).list_users()
print(json.dumps([[each.name for each in games.items], [each.name for each in users.items]]))
""",
    ),
)


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena without workers."""
    return make_shared(0)


def _run(folder: Path, *words: str) -> str:
    """What a program wrote, with what it complained of."""
    done = subprocess.run(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("generator", GENERATORS, ids=[each.package for each in GENERATORS])
def test_a_generated_client_is_whole_and_works(arena: Arena, tmp_path: Path, generator: Generator) -> None:
    """It is written without a warning, has every operation, and reads and changes the arena that it is of."""
    document = httpx2.get(f"{arena.state.url}/api/v1/{DOCUMENT}", timeout=PATIENCE_SECONDS)
    (tmp_path / DOCUMENT).write_bytes(document.content)
    by = ("--quiet", "--python", sys.executable)
    tool = (UV, "tool", "run", *by, f"{generator.package}@{generator.version}")
    said = _run(tmp_path, *tool, *generator.options)
    assert [line for line in said.splitlines() if "warn" in line.lower() and not OF_ITSELF.search(line)] == []

    files, named = generator.operations
    texts = [f"{path.stem}\n{path.read_text()}" for path in (tmp_path / "client").glob(files)]
    written = {name for text in texts for name in re.findall(named, text)}
    assert len(written) == sum(map(len, document.json()["paths"].values()))

    needs = [word for package in generator.needs for word in ("--with", package)]
    python = (UV, "run", "--no-project", *by, *needs, "python", "-c", generator.program)
    token = arena.folder.admin_token.read_text().strip()
    games, users = json.loads(_run(tmp_path, *python, arena.state.url, token, generator.package))
    assert "reversed_reversi" in games
    assert generator.package in users
