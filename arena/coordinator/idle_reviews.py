"""Games that are analysed in idle time: when no other work waits for a worker, those that ended last first.

Which these are is not written down. To look for them reads all of a tournament: so that is done only when one
could be given out, and what was found then is used up first. A tournament in which there was none is passed
over until something happens in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.core.settings import Settings
from arena.store import analyses as store
from arena.store import leases, matches
from arena.store.models import Analysis
from arena.tournaments import analyses

AT_ONCE = 200
"""So many games are looked for at once."""


class IdleReviews:
    """Finds what is next: `_found` are matches, by their ids, of the tournament of the id `_cup`.

    `_nothing_left` are revisions of tournaments, by their ids.
    """

    def __init__(self) -> None:
        self._cup = 0
        self._found: Sequence[int] = ()
        self._nothing_left: dict[int, int] = {}

    def are_due(self, session: Session, settings: Settings) -> bool:
        """Whether there is a game to be analysed, and nothing else to do."""
        back, wanted = store.any_idle(session), self._wanted(session, settings)
        if not (back or wanted) or leases.anything_waits(session):
            return False
        return back or bool(self._next(session, wanted))

    def due(self, session: Session, settings: Settings, room: int) -> Sequence[Analysis]:
        """The next of them, locked: of those that were begun and put back, else of others.

        What somebody else has locked is left for later. Others lock games and analyses in an order of their
        own, so whoever waited here could wait for one who waits for what is locked here.
        """
        if leases.anything_waits(session):
            return []
        if back := store.lock_idle(session, room):
            return back
        ids = self._next(session, self._wanted(session, settings))[:room]
        begun = [analyses.begin_idle(session, match) for match in matches.lock_free(session, ids)]
        return [each for each in begun if each is not None]

    def _wanted(self, session: Session, settings: Settings) -> list[store.Wanted]:
        """The tournaments in which there may be a game."""
        return [
            cup
            for cup in store.wanted(session, everywhere=settings.analyse == "idle")
            if self._nothing_left.get(cup.id) != cup.revision
            and analyses.has_solver(cup.game, cup.game_version)
        ]

    def _next(self, session: Session, wanted: Sequence[store.Wanted]) -> Sequence[int]:
        """What was found and is still to be analysed; where nothing is, what is found now."""
        if self._found and self._cup in {cup.id for cup in wanted}:
            self._found = store.unanalysed(session, self._cup, AT_ONCE, self._found)
            if self._found:
                return self._found
        for cup in wanted:
            self._cup, self._found = cup.id, store.unanalysed(session, cup.id, AT_ONCE)
            if self._found:
                return self._found
            self._nothing_left[cup.id] = cup.revision
        return ()
