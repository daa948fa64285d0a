"""What a host of workers has since it was enrolled: a folder with its own key, and whom it knows as what.

The latter is one line: the arena's public key, and the name by which the arena knows the host.
"""

from __future__ import annotations

import socket
from functools import cache
from pathlib import Path

from workers.core.errors import NotEnrolledError
from workers.core.settings import get_settings
from workers.core.signing import SigningKey, is_key, read_key

OWN, ARENA = "key", "arena-key"


@cache
def own_key() -> SigningKey:
    """The key of this host.

    Raises:
        NotEnrolledError: it has none.
    """
    path = get_settings().key_dir / OWN
    try:
        return read_key(path)
    except (OSError, ValueError) as error:
        raise NotEnrolledError(_words(path, error)) from None


@cache
def arena_key() -> str:
    """The public key of the arena that this host works for.

    Raises:
        NotEnrolledError: it was never told, or has another name since.
    """
    path = get_settings().key_dir / ARENA
    try:
        public, _, host = path.read_text("utf-8").strip().partition(" ")
    except (OSError, ValueError) as error:
        raise NotEnrolledError(_words(path, error)) from None
    if not is_key(public):
        raise NotEnrolledError(f"this host is not enrolled: {path} is no public key")
    if host != (name := socket.gethostname()):
        raise NotEnrolledError(
            f"this host was enrolled as {host!r} and is called {name!r} now, so that the arena would not"
            " believe it: give it its name back, or have it revoked and enrolled anew"
        )
    return public


def write_arena_key(folder: Path, public: str, host: str) -> None:
    """Remember whom this host works for, and by which name; no link of whose folder it is leads elsewhere.

    Raises:
        OSError: it cannot be written.
    """
    fresh = folder / f"{ARENA}.new"
    fresh.unlink(missing_ok=True)
    with fresh.open("x", encoding="utf-8") as file:
        file.write(f"{public} {host}\n")
    fresh.replace(folder / ARENA)


def _words(path: Path, error: Exception) -> str:
    why = error.strerror if isinstance(error, OSError) else "it is no key"
    return (
        f"this host is not enrolled ({path}: {why}): have an administrator make a code with"
        " `arena worker enrol`, and use it here with `arena worker join`"
    )
