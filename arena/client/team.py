"""One's own team: its bots, what they could enter, and their games."""

from __future__ import annotations

from collections.abc import Iterator

from arena.client.connection import Connection, quoted
from arena.schemas.paging import Page
from arena.schemas.team import OpeningOut, OwnBot, OwnGameOut


class TeamClient(Connection):
    """The part of the client that is about one's own team. Methods raise `ClientError`."""

    def own_bots(self) -> Iterator[OwnBot]:
        """The bots of one's team."""
        return self._pages(Page[OwnBot], "/me/bots")

    def openings(self) -> Iterator[OpeningOut]:
        """The tournaments that one's team may enter now."""
        return self._pages(Page[OpeningOut], "/me/openings")

    def own_matches(self, **sought: str) -> Iterator[OwnGameOut]:
        """The recorded matches of one's team, the last first; of an `outcome`, a `bot`, a `tournament`."""
        return self._pages(Page[OwnGameOut], "/me/matches", **sought)

    def archive(self, bot: str, version: int) -> Iterator[bytes]:
        """The files of a version, as a zip."""
        return self._stream(f"/bots/{quoted(bot)}/versions/{version}/archive")
