"""What a bot has done over all tournaments, and how a ladder stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.client.connection import LONG, Connection, quoted
from arena.schemas.careers import CareerOpponent, CareerOut, CareerPlace
from arena.schemas.ladders import LadderOut
from arena.schemas.paging import Page

MAX_PLACES = 20


class CareerClient(Connection):
    """The part of the client that is about careers and ladders. Methods raise `ClientError`."""

    def career(self, bot: str) -> CareerOut:
        """What a bot's games came to, and its last ones."""
        return self._ask(CareerOut, "GET", f"/bots/{quoted(bot)}/career")

    def met(self, bot: str) -> Iterator[CareerOpponent]:
        """What a bot's games with each other bot came to."""
        return self._pages(Page[CareerOpponent], f"/bots/{quoted(bot)}/opponents")

    def places(self, bot: str) -> Sequence[CareerPlace]:
        """The newest tournaments that a bot is entered in, with its places there."""
        path = f"/bots/{quoted(bot)}/tournaments"
        return self._ask(Page[CareerPlace], "GET", path, params={"limit": MAX_PLACES}, timeout=LONG).items

    def ladder(self, name: str) -> LadderOut:
        """How a ladder stands."""
        return self._ask(LadderOut, "GET", f"/tournaments/{quoted(name)}/ladder", timeout=LONG)
