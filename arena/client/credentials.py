"""Which arena the command line talks to, and with which token.

In this order: ARENA_URL and ARENA_TOKEN, else `url` and `token` of `arena.toml`; the arena that runs on the
data folder named by ARENA_DATA_DIR; the one saved by `arena auth login`; the arena that runs on
`./arena-data`. A saved token belongs to its URL and is never sent elsewhere, nor is a token of the file to
another URL than the file's, if it has one. ARENA_CA, else `ca` of the file, goes before the CA that was saved
with the URL.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from arena.core.folder import DataFolder, is_held
from arena.core.private_file import write_private
from arena.core.running import read_state
from engines.places import user_folder
from workers.core.config_file import config_file, file_values
from workers.core.data_dir import DATA_DIR_VARIABLE, USUAL_DATA_DIR
from workers.core.errors import SettingsError

URL_VARIABLE, TOKEN_VARIABLE, CA_VARIABLE = "ARENA_URL", "ARENA_TOKEN", "ARENA_CA"
DEFAULT_URL = "http://127.0.0.1:8080"


class Credentials(NamedTuple):
    """An arena's URL, a token for it if there is one, and where the two come from, in words.

    `ca` is the file of the CA that its certificate is believed of besides the usual ones.
    """

    url: str
    token: str | None
    source: str
    ca: Path | None = None


def credentials_file() -> Path:
    """Where `arena auth login` keeps what it was told."""
    return user_folder("config", "arena") / "credentials.json"


def find_credentials(url: str | None = None, named: Path | None = None) -> Credentials:
    """The arena to talk to: that of a URL that was given, else in the order that the module's words give.

    `named` is the data folder, where ARENA_DATA_DIR is not what names it.

    Raises:
        SettingsError: the file with settings cannot be used.
    """
    saved, of_file = _saved(), _of_file(named)
    told, theirs = url or os.environ.get(URL_VARIABLE), of_file.get("url")
    if url := told or theirs:
        known = saved if saved and saved.url == url.rstrip("/") else Credentials(url, None, "")
        found = known._replace(url=url, source=URL_VARIABLE if told else str(config_file(named)))
    else:
        folder = named or os.environ.get(DATA_DIR_VARIABLE)
        here = _local(folder) if folder else None
        found = here or saved or _local(USUAL_DATA_DIR) or Credentials(DEFAULT_URL, None, "default")
    if theirs and theirs.rstrip("/") != found.url.rstrip("/"):
        of_file = {}  # what the file says is of another arena
    if token := os.environ.get(TOKEN_VARIABLE) or of_file.get("token"):
        found = found._replace(token=token)
    if ca := os.environ.get(CA_VARIABLE) or of_file.get("ca"):
        found = found._replace(ca=Path(ca))
    return found


def _of_file(named: Path | None) -> dict[str, str]:
    """What the file with settings says of an arena.

    Raises:
        SettingsError: the file cannot be used, or says that by something else than text.
    """
    found = {key: value for key, value in file_values(named).items() if key in {"url", "token", "ca"}}
    path = config_file(named)
    if wrong := [key for key, value in found.items() if not isinstance(value, str)]:
        raise SettingsError(f"{path}: {' and '.join(wrong)} must be text, between quotes")
    if path and "ca" in found:
        found["ca"] = str(path.parent / found["ca"])  # no file that lies where a command happens to be given
    return found


def save_credentials(url: str, token: str, ca: Path | None = None) -> Path:
    """Keep the URL, its token and its CA's certificate, readable by nobody else; returns the file."""
    path = credentials_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = {"url": url.rstrip("/"), "token": token} | ({"ca": str(ca)} if ca else {})
    write_private(path, json.dumps(known).encode())
    return path


def _saved() -> Credentials | None:
    path = credentials_file()
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        ca = Path(value["ca"]) if value.get("ca") else None
        return Credentials(str(value["url"]), str(value["token"]), str(path), ca)
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None


def _local(path: str | Path) -> Credentials | None:
    folder = DataFolder.at(Path(path))
    state = read_state(folder)
    if state is None or not is_held(folder):
        return None
    try:
        token: str | None = folder.admin_token.read_text(encoding="utf-8").strip()
    except OSError:
        token = None
    return Credentials(state.url, token, str(folder.root))
