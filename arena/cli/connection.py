"""The API client of a command, with the credentials that were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.failures import LoginError

if TYPE_CHECKING:
    from arena.client import ArenaClient


def connect() -> ArenaClient:
    """A client for what everybody may see; it shows a token if there is one."""
    from arena.client import ArenaClient  # noqa: PLC0415  (HTTP is read only by commands that use it)
    from arena.credentials import find_credentials  # noqa: PLC0415

    found = find_credentials()
    return ArenaClient(found.url, found.token)


def connect_with_token() -> ArenaClient:
    """A client for what needs a token.

    Raises:
        LoginError: there is none.
    """
    from arena.client import ArenaClient  # noqa: PLC0415
    from arena.credentials import find_credentials  # noqa: PLC0415

    found = find_credentials()
    if not found.token:
        raise LoginError(f"there is no token for {found.url}; use `arena auth login`, or set ARENA_TOKEN")
    return ArenaClient(found.url, found.token)
