"""The API client of a command, with the credentials that were found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.shared.failures import LoginError
from arena.cli.shared.output import note
from arena.core.words import say

if TYPE_CHECKING:
    from arena.client.credentials import Credentials
    from arena.client.http import ArenaClient


def credentials_here() -> Credentials:
    """The arena and the token that were found; a note says so where what was saved cannot be read."""
    from arena.client.credentials import credentials_file, find_credentials

    saved = credentials_file()
    if _is_damaged(saved):
        note(say("{saved} is damaged and not used; `arena auth login` makes it anew", saved=saved))
    return find_credentials()


def _is_damaged(saved: Path) -> bool:
    try:
        value = json.loads(saved.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError):
        return True
    return not isinstance(value, dict) or not {"url", "token"} <= value.keys()


def connect() -> ArenaClient:
    """A client for what everybody may see; it shows a token if there is one."""
    from arena.client.http import ArenaClient

    credentials = credentials_here()
    return ArenaClient(credentials.url, credentials.token, on_wait=_say_that_it_takes_long, ca=credentials.ca)


def _say_that_it_takes_long() -> None:
    note(say("this takes the arena a while to work out; waiting for it"))


def connect_with_token() -> ArenaClient:
    """A client for what needs a token.

    Raises:
        LoginError: there is none.
    """
    from arena.client.http import ArenaClient

    credentials = credentials_here()
    if not credentials.token:
        raise LoginError(
            say(
                "there is no token for {url}; use `arena auth login`, or set ARENA_TOKEN", url=credentials.url
            )
        )
    return ArenaClient(credentials.url, credentials.token, on_wait=_say_that_it_takes_long, ca=credentials.ca)
