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
        _tournament(
            row,
            entries.get(row.id, 0),
            matches.get(row.id, {}),
            trouble=_trouble(session, row, matches.get(row.id, {})),
            all_seen=viewer.is_staff,
        )
        for row in rows
    ]


def _tournament(
    tournament: Tournament,
    entries: int,
    matches: Mapping[MatchState, int],
    *,
    trouble: str | None,
    all_seen: bool,
) -> TournamentOut:
    """The tournament; `all_seen` shows the seed before the end too."""
    over = tournament.state in {TournamentState.FINISHED, TournamentState.CANCELLED}
    return copied(
        TournamentOut,
        tournament,
        game=GameSpec(name=tournament.game, params=tournament.params, version=tournament.game_version),
        options=heroes.options_of(tournament),
        heroes=heroes.names_of(tournament),
        openings_drawn=len(tournament.opening_moves),
        seed=tournament.seed if over or all_seen else None,
        entries=entries,
        matches=dict(matches),
        trouble=trouble,
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
