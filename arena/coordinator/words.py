"""What workers say, as it is kept."""

from __future__ import annotations

from arena.core.terms import MAX_HOST_CHARS

MAX_TROUBLE_CHARS = 2000


def told_by(host: str, trouble: str) -> str:
    """What a worker says has befallen its work."""
    return f"{plain(host, MAX_HOST_CHARS)}: {plain(trouble, MAX_TROUBLE_CHARS)}"


def plain(text: str, limit: int) -> str:
    """`text` as any database can hold it."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")[:limit]
