"""Games that are analysed in idle time: when no other work waits for a worker, those that ended last first.

Which these are is not written down: a game is looked for when there is room for it. A tournament in which
there was none is passed over until something happens in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.core.settings import Settings
from arena.store import analyses as store
from arena.store import leases, matches
from arena.store.models import Analysis
from arena.tournaments import analyses


class IdleReviews:
    """Finds what is next; `_nothing_left` are revisions of tournaments, by their ids."""

    def __init__(self) -> None:
        self._nothing_left: dict[int, int] = {}

    def are_due(self, session: Session, settings: Settings) -> bool:
        """Whether there is a game to be analysed, and nothing else to do."""
        begun, wanted = store.any_idle(session), self._wanted(session, settings)
        if not (begun or wanted) or leases.anything_waits(session):
            return False
        return begun or bool(self._next(session, wanted, 1))

    def due(self, session: Session, settings: Settings, room: int) -> Sequence[Analysis]:
        """The next of them, locked."""
        if leases.anything_waits(session):
            return []
        found = list(store.lock_idle(session, room))
        for number in self._next(session, self._wanted(session, settings), room - len(found)):
            begun = analyses.begin_idle(session, matches.lock(session, number))
            found += [begun] if begun is not None else []
        return found

    def _wanted(self, session: Session, settings: Settings) -> list[store.Wanted]:
        """The tournaments in which there may be a game."""
        return [
            cup
            for cup in store.wanted(session, everywhere=settings.analyse == "idle")
            if self._nothing_left.get(cup.id) != cup.revision
            and analyses.has_solver(cup.game, cup.game_version)
        ]

    def _next(self, session: Session, wanted: Sequence[store.Wanted], limit: int) -> Sequence[int]:
        """The ids of the next matches, all of one tournament."""
        for cup in wanted if limit else ():
            if found := store.unanalysed(session, cup.id, limit):
                return found
            self._nothing_left[cup.id] = cup.revision
        return ()
