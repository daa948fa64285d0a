"""Which arena the command line talks to, and with which token.

In this order: ARENA_URL and ARENA_TOKEN; the arena that runs on the data folder named by ARENA_DATA_DIR;
the one saved by `arena auth login`; the arena that runs on `./arena-data`. A saved token belongs to its URL
and is never sent elsewhere.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from arena.core.folder import DATA_DIR_VARIABLE, DataFolder, is_held
from arena.core.running import read_state

URL_VARIABLE, TOKEN_VARIABLE = "ARENA_URL", "ARENA_TOKEN"
DEFAULT_URL = "http://127.0.0.1:8080"


class Credentials(NamedTuple):
    """An arena's URL, a token for it if there is one, and where the two come from, in words."""

    url: str
    token: str | None
    source: str


def credentials_file() -> Path:
    """Where `arena auth login` keeps what it was told."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "arena" / "credentials.json"


def find_credentials() -> Credentials:
    """The arena to talk to, in the order that the module's words give."""
    saved = _saved()
    url = os.environ.get(URL_VARIABLE)
    if url:
        token = saved.token if saved and saved.url == url.rstrip("/") else None
        found = Credentials(url, token, URL_VARIABLE)
    else:
        named = _local(os.environ[DATA_DIR_VARIABLE]) if os.environ.get(DATA_DIR_VARIABLE) else None
        found = named or saved or _local("arena-data") or Credentials(DEFAULT_URL, None, "default")
    token = os.environ.get(TOKEN_VARIABLE)
    return found._replace(token=token) if token else found


def save_credentials(url: str, token: str) -> Path:
    """Keep the URL and its token, readable by nobody else; returns the file."""
    path = credentials_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123  (a descriptor, opened privately)
        json.dump({"url": url.rstrip("/"), "token": token}, file)
    fresh.replace(path)
    return path


def _saved() -> Credentials | None:
    path = credentials_file()
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return Credentials(str(value["url"]), str(value["token"]), str(path))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _local(path: str) -> Credentials | None:
    folder = DataFolder.at(Path(path))
    state = read_state(folder)
    if state is None or not is_held(folder):
        return None
    try:
        token: str | None = folder.admin_token.read_text(encoding="utf-8").strip()
    except OSError:
        token = None
    return Credentials(state.url, token, str(folder.root))
