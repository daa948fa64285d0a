"""Scrimmages: games that a team has played for itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.client.connection import Connection, quoted
from arena.schemas.classes import ClassOut
from arena.schemas.paging import Page
from arena.schemas.scrimmages import BotConsent, OpponentsOut, ScrimmageGameDetail, ScrimmageOut


class ScrimmageClient(Connection):
    """The part of the client that is about scrimmages. Methods raise `ClientError`."""

    def ask_scrimmage(self, **wish: Any) -> ScrimmageOut:
        """Have some games played, as `arena.schemas.scrimmages.NewScrimmage` says them."""
        return self._ask(ScrimmageOut, "POST", "/me/scrimmages", json=wish)

    def scrimmages(self, side: str) -> Iterator[ScrimmageOut]:
        """Those that one's team `asked` for, or others did `against` its bots; the last first."""
        return self._pages(Page[ScrimmageOut], "/me/scrimmages", side=side)

    def scrimmage(self, number: int) -> ScrimmageOut:
        """One of them."""
        return self._ask(ScrimmageOut, "GET", f"/me/scrimmages/{number}")

    def scrimmage_game(self, number: int, game: int) -> ScrimmageGameDetail:
        """One of its games, with its moves."""
        return self._ask(ScrimmageGameDetail, "GET", f"/me/scrimmages/{number}/games/{game}")

    def cancel_scrimmage(self, number: int) -> ScrimmageOut:
        """Call off what is not over of it."""
        return self._ask(ScrimmageOut, "POST", f"/me/scrimmages/{number}/cancel")

    def opponents(self, game: str | None = None) -> OpponentsOut:
        """Whom one's team may play against, besides its own bots, and how many games are left to it."""
        return self._ask(OpponentsOut, "GET", "/me/opponents", params={"game": game} if game else {})

    def set_bot_scrimmages(self, bot: str, *, allowed: bool) -> BotConsent:
        """Let others of the class play against a bot, or no more."""
        told = {"allowed": allowed}
        return self._ask(BotConsent, "PUT", f"/me/bots/{quoted(bot)}/scrimmages", json=told)

    def set_class_scrimmages(self, name: str, *, allowed: bool) -> ClassOut:
        """Let a class have scrimmages, or none."""
        return self._ask(ClassOut, "PUT", f"/classes/{quoted(name)}/scrimmages", json={"allowed": allowed})
