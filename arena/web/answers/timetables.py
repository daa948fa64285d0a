"""Timetables and reveals."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.schemas.timetables import MomentOut, RevealLineOut, RevealOut, TimetableOut
from arena.store import timetables as store
from arena.store.models import Tournament
from arena.theory.standings.reveal import Reveal, RevealRow
from arena.tournaments import timetables
from arena.web.answers.copying import copied
from arena.web.http.visibility import Viewer


def timetable_of(session: Session, viewer: Viewer, tournament: Tournament) -> TimetableOut:
    """A tournament's timetable, as `viewer` may see it: what could not be done is for its staff.

    The others are not told of moments at which nothing happened, and nothing will.
    """
    moments = [*store.of_tournament(session, tournament).values()]
    if viewer.runs(tournament):
        told = [copied(MomentOut, moment) for moment in moments]
    else:
        ahead = timetables.to_come(tournament, moments)
        told = [
            MomentOut(act=each.act, at=each.at, done_at=None if each in ahead else each.done_at, trouble=None)
            for each in moments
            if each in ahead or (each.done_at is not None and each.trouble is None)
        ]
    return TimetableOut(
        tournament=tournament.name,
        moments=told,
        own=tournament.shows_own,
        frozen_at=tournament.frozen_at,
    )


def reveal_of(tournament: Tournament, reveal: Reveal) -> RevealOut:
    """How far a reveal has come."""
    return copied(
        RevealOut,
        reveal,
        tournament=tournament.name,
        frozen_at=tournament.frozen_at,
        items=[_line(line) for line in reveal.lines],
    )


def _line(line: RevealRow) -> RevealLineOut:
    standing = line.standing
    return RevealLineOut(
        entry=standing.number,
        bot=standing.bot,
        owner=standing.owner,
        games=standing.games,
        points=standing.points,
        shown=line.shown,
        place=line.place,
        gained=line.gained,
    )
