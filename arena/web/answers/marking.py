"""Marks for messages that are translated where they are shown; the catalogues find them by these calls."""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802  (gettext's own name for it)
    """The message itself."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802  (likewise)
    """A message for one thing, and for several."""
    return one, many
