"""What a host of workers has since it was enrolled: a folder with its own key and the arena's public one."""

from __future__ import annotations

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
        NotEnrolledError: it was never told.
    """
    path = get_settings().key_dir / ARENA
    try:
        public = path.read_text("ascii").strip()
    except (OSError, ValueError) as error:
        raise NotEnrolledError(_words(path, error)) from None
    if not is_key(public):
        raise NotEnrolledError(f"this host is not enrolled: {path} is no public key")
    return public


def write_arena_key(folder: Path, public: str) -> None:
    """Remember whom this host works for.

    Raises:
        OSError: it cannot be written.
    """
    (folder / ARENA).write_text(f"{public}\n", "ascii")


def _words(path: Path, error: Exception) -> str:
    why = error.strerror if isinstance(error, OSError) else "it is no key"
    return (
        f"this host is not enrolled ({path}: {why}): have an administrator make a code with"
        " `arena worker enrol`, and use it here with `arena worker join`"
    )
