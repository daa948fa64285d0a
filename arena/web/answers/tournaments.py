"""Tournaments, their entries, and what was done to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import ConfigDict, Field
from sqlalchemy.orm import Session

from arena.core.errors import Worded
from arena.core.terms import OVER, MatchState, TournamentState
from arena.schemas.amendments import LogLine
from arena.schemas.tournaments import EntriesMade, EntryOut, LeftOutOut, PendingEntryOut, TournamentOut
from arena.store import events, freezes, summaries
from arena.store import tournaments as store
from arena.store.database import is_frozen
from arena.store.matches import UNFINISHED
from arena.store.models import Entry, Event, Tournament
from arena.tournaments import heroes
from arena.tournaments.entering import Entered
from arena.tournaments.pending import Awaited
from arena.web.answers.copying import copied
from arena.web.answers.matches import seat_of
from arena.web.http.visibility import Viewer
from workers.core.contract import GameSpec


class ShownTournament(TournamentOut):
    """The same with why it stands still for pages, which say so in the reader's language."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    standstill: Worded | None = Field(exclude=True)


def shown(session: Session, viewer: Viewer, rows: Sequence[Tournament]) -> list[ShownTournament]:
    """Tournaments as `viewer` may see them, with how many entries and matches each has.

    Those that are frozen to the viewer are as they were.
    """
    hidden = [row.id for row in rows if row.frozen_at and not is_frozen(session) and not viewer.runs(row)]
    kept = _kept(session, viewer, hidden) if hidden else {}
    as_they_are = [row for row in rows if row.name not in kept]
    told = {each.name: each for each in _shown(session, viewer, as_they_are)} | kept
    return [told[row.name] for row in rows]


def _kept(session: Session, viewer: Viewer, hidden: Sequence[int]) -> dict[str, ShownTournament]:
    """Frozen tournaments as they were, by their names."""
    with freezes.beside(session) as there:
        return {each.name: each for each in _shown(there, viewer, store.of_ids(there, hidden))}


def _shown(session: Session, viewer: Viewer, rows: Sequence[Tournament]) -> list[ShownTournament]:
    entries = summaries.entry_counts(session, rows)
    matches = summaries.match_counts(session, rows)
    return [
        _tournament(session, viewer, row, entries.get(row.id, 0), matches.get(row.id, {})) for row in rows
    ]


def _tournament(
    session: Session, viewer: Viewer, row: Tournament, entries: int, matches: Mapping[MatchState, int]
) -> ShownTournament:
    over = row.state in OVER
    stands = _standstill(session, row, matches)
    return copied(
        ShownTournament,
        row,
        game=GameSpec(name=row.game, params=row.params, version=row.game_version),
        options=heroes.options_of(row),
        heroes=heroes.names_of(row),
        openings_drawn=len(row.opening_moves),
        seed=row.seed if over or viewer.runs(row) else None,
        entries=entries,
        matches=dict(matches),
        trouble=None if stands is None else str(stands),
        standstill=stands,
    )


def _standstill(session: Session, tournament: Tournament, matches: Mapping[MatchState, int]) -> Worded | None:
    """Why it stands still, if it does: only then is the log looked through."""
    stands = tournament.state == TournamentState.RUNNING and not matches.keys() & set(UNFINISHED)
    return events.stuck(session, tournament) if stands else None


def entry_of(entry: Entry) -> EntryOut:
    """The entry without its results."""
    seat = seat_of(entry)
    return copied(EntryOut, entry, bot=seat.bot, version=seat.version, owner=seat.owner)


def pending_of(awaited: Awaited) -> PendingEntryOut:
    """A bot that enters by itself."""
    bot, version = awaited.pending.bot, awaited.version
    return PendingEntryOut(
        bot=bot.name,
        owner=bot.owner.name,
        version=version.number if version else None,
        state=version.state if version else None,
    )


def entered_of(entered: Entered) -> EntriesMade:
    """Who was entered of a class, and who was not."""
    return EntriesMade(
        entered=[entry_of(entry) for entry in entered.entries],
        left_out=[
            LeftOutOut(bot=each.bot.name, owner=each.bot.owner.name, why=each.why)
            for each in entered.left_out
        ],
    )


def log_line_of(event: Event) -> LogLine:
    """The event with its user's name and its match's number."""
    user, match = event.user, event.match
    return copied(LogLine, event, user=user.name if user else None, match=match.number if match else None)
