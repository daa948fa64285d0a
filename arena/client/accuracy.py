"""How accurately the bots of a tournament have moved, and having its games analysed."""

from __future__ import annotations

from collections.abc import Iterator

from arena.client.connection import LONG, Connection, quoted
from arena.client.watching import again_and_again
from arena.schemas.accuracy import AccuracyOut, LeftOut


class AccuracyClient(Connection):
    """The part of the client that is about accuracy. Methods raise `ClientError`."""

    def accuracy(self, name: str) -> AccuracyOut:
        """How accurately the bots have moved, by the games that are analysed."""
        return self._ask(AccuracyOut, "GET", f"/tournaments/{quoted(name)}/accuracy", timeout=LONG)

    def analyse_all(self, name: str) -> LeftOut:
        """Have all games of a tournament analysed."""
        return self._ask(LeftOut, "POST", f"/tournaments/{quoted(name)}/analyses", timeout=LONG)

    def watch_analyses(self, name: str, pause: float = 3.0, patience: float = 30.0) -> Iterator[LeftOut]:
        """How far that is, again and again until none is left."""
        path = f"/tournaments/{quoted(name)}/analyses"
        return again_and_again(lambda: self._ask(LeftOut, "GET", path), pause, patience)
