"""Seasons: made and changed by those who run them, and their table, as whoever asks may see it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, NotFoundError
from arena.core.terms import Leaving, TournamentState
from arena.people import classes
from arena.results import views
from arena.schemas.seasons import By, NewSeason, Scoring, SeasonChange
from arena.store import events
from arena.store import seasons as store
from arena.store.database import is_reading
from arena.store.models import Season, Tournament, User
from arena.store.models.season_events import SeasonChanged, SeasonMade, SeasonRemoved
from arena.store.paging import page
from arena.theory.standings import season as theory
from arena.theory.standings.season import Result, SeasonLine, season_table
from arena.theory.standings.teams import team_places
from arena.tournaments import lifecycle

MAX_KEPT = 256
"""Tournaments of a database whose results are kept: those of 100 teams take some 20 KB."""

Version = tuple[int, frozenset[int]]
"""What a tournament's results depend on: its revision, and which of its entries are the staff's."""


@dataclass(frozen=True)
class Counted:
    """A tournament of a season: whether it is in the table, and whether that is for its staff alone."""

    tournament: Tournament
    counts: bool
    behind_freeze: bool


@dataclass(frozen=True)
class Table:
    """A season's tournaments, and its lines, which have a part for each of these."""

    season: Season
    tournaments: Sequence[Counted]
    lines: Sequence[SeasonLine]


class _Cache:
    """What the teams made of some tournaments of one database, as of one version each."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[int, tuple[Version, tuple[Result, ...]]] = OrderedDict()

    def get(self, tournament: Tournament, staff: frozenset[int]) -> tuple[Result, ...] | None:
        with self._lock:
            version, results = self._kept.get(tournament.id, (None, ()))
            if version != (tournament.revision, staff):
                return None
            self._kept.move_to_end(tournament.id)
            return results

    def put(self, tournament: Tournament, staff: frozenset[int], results: tuple[Result, ...]) -> None:
        with self._lock:
            self._kept[tournament.id] = (tournament.revision, staff), results
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)


_CACHES: WeakKeyDictionary[Engine, _Cache] = WeakKeyDictionary()


def get(session: Session, name: str) -> Season:
    """The season of that name.

    Raises:
        NotFoundError: there is none.
    """
    season = store.by_name(session, name)
    if season is None:
        raise NotFoundError("there is no season %(name)r", name=name)
    return season


def list_seasons(session: Session, offset: int, limit: int) -> tuple[Sequence[Season], int]:
    """One page of the seasons, newest first, and how many there are."""
    return page(session, store.listed(), offset, limit)


def list_own(session: Session, actor: User, offset: int, limit: int) -> tuple[Sequence[Season], int]:
    """One page of the seasons that somebody runs, newest first, and how many there are."""
    if permissions.is_admin(actor):
        return list_seasons(session, offset, limit)
    return page(session, store.run_by(actor.id, permissions.classes_of(actor)), offset, limit)


def create(session: Session, actor: User, new: NewSeason) -> Season:
    """A new season of tournaments that the actor runs.

    Raises:
        ForbiddenError: the actor is none of the staff, or does not run the class or one of the tournaments.
        NotFoundError: there is no such class, or no such tournament.
        ConflictError: the name is taken.
    """
    permissions.require_staff(actor)
    school_class = classes.chosen(session, actor, new.class_name)
    season = Season(
        name=new.name,
        title=new.title,
        owner_id=actor.id,
        class_id=school_class.id if school_class else None,
        scoring=new.scoring.model_dump(mode="json"),
        created_at=utc_now(),
    )
    try:
        with session.begin_nested():
            session.add(season)
    except IntegrityError:
        raise ConflictError(
            "there is a season %(name)r already; choose another name", name=new.name
        ) from None
    events.log(session, SeasonMade(season.name), actor=actor)
    _fill(session, actor, season, new)
    return season


def change(session: Session, actor: User, season: Season, wanted: SeasonChange) -> None:
    """Give a season another title, other tournaments, or another way of counting.

    Raises:
        ForbiddenError: the actor does not run the season, or a tournament that is new in it.
        NotFoundError: there is no such tournament, or the season was removed.
    """
    permissions.require_runner(actor, season)
    season = _locked(session, season)
    season.title, season.scoring = wanted.title, wanted.scoring.model_dump(mode="json")
    _fill(session, actor, season, wanted)


def _fill(session: Session, actor: User, season: Season, wanted: SeasonChange) -> None:
    there = {each.id for each in store.tournaments(session, season)}
    found = [lifecycle.get(session, name) for name in wanted.tournaments]
    for each in found:
        if each.id not in there:
            permissions.require_runner(actor, each)
    store.set_tournaments(session, season, [each.id for each in found])
    told = SeasonChanged(season.name, list(wanted.tournaments), season.scoring)
    events.log(session, told, actor=actor)
    session.flush()


def remove(session: Session, actor: User, season: Season) -> None:
    """Remove a season; its tournaments stay.

    Raises:
        ForbiddenError: the actor does not run it.
        NotFoundError: somebody else has removed it.
    """
    permissions.require_runner(actor, season)
    season = _locked(session, season)
    events.log(session, SeasonRemoved(season.name), actor=actor)
    store.remove(session, season)


def _locked(session: Session, season: Season) -> Season:
    """The season as it is now, for this transaction alone.

    Raises:
        NotFoundError: somebody else has removed it.
    """
    found = store.lock(session, season.id)
    if found is None:
        raise NotFoundError("there is no season %(name)r", name=season.name)
    return found


def scoring_of(season: Season) -> Scoring:
    """How a season is counted."""
    return Scoring.model_validate(season.scoring)


def table(session: Session, season: Season, viewer: User | None) -> Table:
    """The table of a season, as `viewer` may see it.

    A tournament counts when it is over and, if it was frozen, revealed; its staff sees it counted before.
    What was worked out of a tournament is kept for as long as it does not change.
    """
    counted = [_counted(each, viewer) for each in store.tournaments(session, season)]
    over = [each.tournament for each in counted if each.counts]
    staff = store.entered_by(session, over, permissions.STAFF)
    made = {each.id: _results_of(session, each, staff[each.id]) for each in over}
    results = [made.get(each.tournament.id, ()) for each in counted]
    return Table(season, counted, season_table(results, _theory(scoring_of(season))))


def _counted(tournament: Tournament, viewer: User | None) -> Counted:
    frozen = tournament.frozen_at is not None
    shown = not frozen or permissions.runs(viewer, tournament)
    counts = tournament.state is TournamentState.FINISHED and shown
    return Counted(tournament, counts, counts and frozen)


def _theory(scoring: Scoring) -> theory.Scoring:
    points = tuple(map(Fraction, scoring.points)) if scoring.by is By.PLACES else None
    return theory.Scoring(points, Fraction(scoring.whole), scoring.best)


def _results_of(session: Session, tournament: Tournament, staff: frozenset[int]) -> tuple[Result, ...]:
    """What every team made of a tournament, by the best placed of its bots, without the `staff`'s."""
    cache = _CACHES.setdefault(session.get_bind().engine, _Cache()) if is_reading(session) else None
    kept = cache.get(tournament, staff) if cache else None
    if kept is not None:
        return kept
    lines = [line for line in views.leaderboard(session, tournament) if line.entry not in staff]
    made = tuple(
        Result(each.team, *_made(lines[each.line], each.place))
        for each in team_places([(line.owner, line.rank) for line in lines])
    )
    if cache:
        cache.put(tournament, staff, made)
    return made


def _made(line: Any, place: int) -> tuple[int | None, Fraction | None]:
    expelled = line.left_as == Leaving.DISQUALIFIED
    share = Fraction(line.points - line.byes) / line.games if line.games else None
    return None if expelled else place, share
