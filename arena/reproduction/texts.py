"""Comments on comparisons, whose words are data."""

from __future__ import annotations

from arena.documents.texts import filled, read
from arena.reproduction.findings import Comment


def comment(document: str, key: str, about: tuple[str, ...], /, **numbers: object) -> Comment:
    """The comment ``key`` in ``comments/DOCUMENT.toml``, with its numbers, on the comparisons `about`."""
    return Comment(about, filled(read("comments", document)[key], numbers))
