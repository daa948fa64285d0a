"""Tournaments, their entries, and what was done to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from arena.core.terms import MatchState, TournamentState
from arena.schemas.amendments import LogLine
from arena.schemas.tournaments import EntryOut, TournamentOut
from arena.store import events, summaries
from arena.store.matches import UNFINISHED
from arena.store.models import Entry, Event, Tournament
from arena.tournaments import heroes
from arena.web.answers.copying import copied
from arena.web.answers.matches import seat_of
from arena.web.http.visibility import Viewer
from workers.core.contract import GameSpec


def shown(session: Session, viewer: Viewer, rows: Sequence[Tournament]) -> list[TournamentOut]:
    """Tournaments as `viewer` may see them, with how many entries and matches each has."""
    entries = summaries.entry_counts(session, rows)
    matches = summaries.match_counts(session, rows)
    return [
        _tournament(session, viewer, row, entries.get(row.id, 0), matches.get(row.id, {})) for row in rows
    ]


def _tournament(
    session: Session, viewer: Viewer, row: Tournament, entries: int, matches: Mapping[MatchState, int]
) -> TournamentOut:
    over = row.state in {TournamentState.FINISHED, TournamentState.CANCELLED}
    return copied(
        TournamentOut,
        row,
        game=GameSpec(name=row.game, params=row.params, version=row.game_version),
        options=heroes.options_of(row),
        heroes=heroes.names_of(row),
        openings_drawn=len(row.opening_moves),
        seed=row.seed if over or viewer.is_staff else None,
        entries=entries,
        matches=dict(matches),
        trouble=_trouble(session, row, matches),
    )


def _trouble(session: Session, tournament: Tournament, matches: Mapping[MatchState, int]) -> str | None:
    """Why it stands still, if it does: only then is the log looked through."""
    stands = tournament.state == TournamentState.RUNNING and not matches.keys() & set(UNFINISHED)
    return events.stuck(session, tournament) if stands else None


def entry_of(entry: Entry) -> EntryOut:
    """The entry without its results."""
    seat = seat_of(entry)
    return copied(EntryOut, entry, bot=seat.bot, version=seat.version, owner=seat.owner)


def log_line_of(event: Event) -> LogLine:
    """The event with its user's name and its match's number."""
    user, match = event.user, event.match
    return copied(LogLine, event, user=user.name if user else None, match=match.number if match else None)
