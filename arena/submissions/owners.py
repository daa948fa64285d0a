"""Whose a bot is."""

from __future__ import annotations

from arena.core.errors import ForbiddenError
from arena.store.models import Bot, User


def require_owner(actor: User, bot: Bot, instead: str | None = None) -> None:
    """Let go on who may do with a bot what its owner may; `instead` says what somebody else can do.

    Raises:
        ForbiddenError: the bot is another user's.
    """
    if not bot.is_open_to(actor):
        told = f"the bot {bot.name!r} belongs to {bot.owner.name!r}"
        raise ForbiddenError(told if instead is None else f"{told}; {instead}")
