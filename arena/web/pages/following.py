"""What pages that tell of a tournament follow, so that they change while they are looked at."""

from __future__ import annotations

from typing import NamedTuple

from arena.core.terms import OVER, TournamentState
from arena.store.models import Tournament

REFRESH_SECONDS, AGAIN_SECONDS = 5, 2
"""So often a page without scripts is read again while games are played; and one that follows no stream."""


class Live(NamedTuple):
    """A stream to follow, the revision that a page shows, and when it is read again without scripts.

    With `again_seconds` a page follows no stream: it is read again so often.
    """

    address: str
    revision: int
    refresh_seconds: int | None
    closely: bool = False
    again_seconds: int | None = None


ARENA = Live("/api/v1/events", -1, None, closely=False)
"""All of the arena: whatever changes in a tournament, the page is read again."""


def live(tournament: Tournament, *, closely: bool = False) -> Live | None:
    """What a page of the tournament follows; nothing once it is over.

    A page that follows `closely` also tells what is being played, with its moves.
    """
    if tournament.state in OVER:
        return None
    refresh = REFRESH_SECONDS if tournament.state == TournamentState.RUNNING else None
    address = f"/api/v1/tournaments/{tournament.name}/events{'?moves=true' if closely else ''}"
    return Live(address, tournament.revision, refresh, closely)


def again(*, going: bool) -> Live | None:
    """What a page of experiments follows while one of them goes on: itself, as no event tells of a chunk."""
    return Live("", 0, REFRESH_SECONDS, again_seconds=AGAIN_SECONDS) if going else None
