"""While a tournament runs: when it is over, and how sure that is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.settings import Settings
from arena.core.terms import OVER, MatchState, Source, TournamentState
from arena.planning.durations import DurationSample
from arena.planning.forecast import Resources, Span, rest_of, runs_of
from arena.planning.local_time import later, zone_of
from arena.planning.longest import longest_match, most_answers
from arena.planning.monte_carlo import (
    Points,
    Progress,
    by_chance,
    depends_on_results,
    level,
    stages,
)
from arena.planning.observed import Capacity, capacity, known
from arena.planning.replay_warning import ReplayWarning, Setting, replay_warning
from arena.planning.stages import Stage, joined, stage_of, worst
from arena.store import durations as store
from arena.store import freezes
from arena.store import tournaments as tournament_store
from arena.store.database import is_frozen
from arena.store.models import Entry, Tournament
from arena.theory.pairing.contract import Entrant, Kind, Meeting
from arena.theory.pairing.format import Format
from arena.theory.pairing.formats import find_format
from arena.tournaments import history, lifecycle, rounds
from workers.core.contract import Limits, TimeControl

BEGUN = (TournamentState.RUNNING, TournamentState.PAUSED)


@dataclass(frozen=True)
class Eta:
    """What is left of a tournament, and when it is over.

    `left` are the matches that can be played now, `later` those of rounds to come (the mean where it depends
    on results), `parked` those that wait for the staff and are not counted, and `voids` how many attempts did
    not count. `sharing` other tournaments take their part of the workers. `span` and `worst` are seconds from
    `now` on: None without workers, or in a tournament without end. It is over when these have passed, unless
    it is paused.
    """

    state: TournamentState
    now: dt.datetime
    left: int
    later: float
    parked: int
    voids: int
    capacity: Capacity
    sharing: int
    source: Source
    source_matches: int
    endless: bool
    span: Span | None
    worst: float | None
    replays: ReplayWarning | None

    def at(self, seconds: float) -> dt.datetime:
        """The moment so many seconds from now."""
        return later(self.now, seconds)


def eta(session: Session, settings: Settings, tournament: Tournament) -> Eta:
    """How long a tournament still takes.

    Raises:
        ConflictError: it has not begun, is over, or is frozen to whoever the session is for.
    """
    _require_begun(tournament)
    _require_shown(session, tournament)
    entered = lifecycle.entries(session, tournament)
    versions = [entry.version for entry in entered]
    there = capacity(session, settings, {version.language for version in versions})
    fmt = rounds.format_of(tournament)
    rest = _Rest(session, tournament, fmt, entered)
    game, time = lifecycle.game_of(tournament), TimeControl.model_validate(tournament.time)
    evidence = known(session, game, time, versions, tournament).under(time)
    begin = tournament.opening_moves if tournament.openings else [[]]
    answers = max(most_answers(game, opening) for opening in begin)
    longest = longest_match(time, Limits.model_validate(tournament.limits), answers)
    sharing = _sharing(session, tournament)
    share = _Share.of(there.workers, sharing)
    random = np.random.default_rng(0)
    ahead = [] if rest.endless else list(rest.after(random))
    span = most = None
    if there.workers and not rest.endless:
        bots, resources = [version.bot_id for version in versions], Resources(share.workers, longest)
        span = share.stretched(rest.span(bots, evidence, resources))
        most = share.stretch * worst(rest.longest(random), share.workers, longest)
    return Eta(
        state=tournament.state,
        now=utc_now().astimezone(zone_of(settings)),
        left=len(rest.open),
        later=float(sum(stage.matches for stage in ahead)),
        parked=rest.parked,
        voids=store.voids(session, tournament),
        capacity=there,
        sharing=sharing,
        source=evidence.source,
        source_matches=evidence.games,
        endless=rest.endless,
        span=span,
        worst=most,
        replays=replay_warning(
            session,
            lambda openings: find_format(tournament.format, _options(fmt), openings),
            Setting(tournament.openings, len(entered), game),
            versions,
            tournament,
        ),
    )


def _sharing(session: Session, tournament: Tournament) -> int:
    """How many other tournaments run; one that has ended behind a freeze is thought to run on."""
    running = len(tournament_store.in_state(session, TournamentState.RUNNING)) + freezes.count_ended(session)
    return running - (tournament.state == TournamentState.RUNNING)


def _require_begun(tournament: Tournament) -> None:
    if tournament.state in BEGUN:
        return
    if tournament.state in OVER:
        raise ConflictError(
            "%(name)r is %(state)s; nothing is left to be played",
            name=tournament.name,
            state=tournament.state,
        )
    raise ConflictError(
        "%(name)r is %(state)s; `arena tournament estimate %(name)s` says how long it will take",
        name=tournament.name,
        state=tournament.state,
    )


def _require_shown(session: Session, tournament: Tournament) -> None:
    if is_frozen(session):
        raise ConflictError(
            "%(name)r is frozen; how far it is will be shown at the reveal", name=tournament.name
        )


def _options(fmt: Format) -> dict[str, Any]:
    return fmt.model_dump(exclude={"openings"})


@dataclass(frozen=True)
class _Share:
    """A whole number of workers, and how much longer it takes than with the part of one that is left over."""

    workers: int
    stretch: float

    @classmethod
    def of(cls, workers: int, others: int) -> _Share:
        """The share of one tournament where as many others run."""
        part = workers / (others + 1)
        whole = max(1, int(part))
        return cls(whole, whole / part if part else 1.0)

    def stretched(self, span: Span) -> Span:
        """What takes so long with whole workers, with those that there are."""
        return Span(*(self.stretch * seconds for seconds in span))


class _Rest:
    """What is left to be played: of the rounds that are paired, and of those that are not."""

    def __init__(
        self, session: Session, tournament: Tournament, fmt: Format, entered: Sequence[Entry]
    ) -> None:
        rows = store.unfinished(session, tournament)
        self._fmt = fmt
        self._unfinished = rows
        self._entrants: Sequence[Entrant] = history.entrants(session, tournament)
        self._places = {entry.number: place for place, entry in enumerate(entered)}
        self._tournament = tournament
        needed = depends_on_results(fmt) and not tournament.all_paired
        self._meetings = list(history.meetings(session, tournament)) if needed else []
        self.parked = sum(row.state == MatchState.PARKED for row in rows)
        self.open = [row for row in rows if row.state != MatchState.PARKED]
        self.endless = not tournament.all_paired and fmt.extent(max(2, len(entered))) is None
        now = utc_now()
        self.running = [
            (*self._seats(row), max(0.0, (now - row.since).total_seconds()))  # clocks may be set back
            for row in self.open
            if row.state == MatchState.RUNNING and row.since is not None
        ]

    def _seats(self, row: store.Open) -> tuple[int, int]:
        return self._places[row.first], self._places[row.second]

    def span(self, bots: Sequence[int], evidence: DurationSample, resources: Resources) -> Span:
        """How long it takes with them."""
        return rest_of(
            lambda drawn: list(self.stages(drawn)),
            bots,
            evidence,
            resources,
            running=self.running,
            runs=runs_of(self._fmt, len(self._places)),
        )

    def stages(self, random: np.random.Generator) -> Iterator[Stage]:
        """What no worker has begun yet, with results by chance."""
        begun = {row.number for row in self.open if row.state == MatchState.RUNNING and row.since is not None}
        waiting = (row for row in self.open if row.number not in begun)
        return self._joined(waiting, self.after(random))

    def longest(self, random: np.random.Generator) -> Iterator[Stage]:
        """All that is left, with results that make it as long as it can be."""
        return self._joined(self.open, self.after(random, level))

    def _joined(self, rows: Iterable[store.Open], ahead: Iterator[Stage]) -> Iterator[Stage]:
        first = stage_of(map(self._seats, rows), len(self._places))
        if self._goes_on:
            following = next(ahead, None)
            first = first if following is None else joined(first, following)
        yield first
        yield from ahead

    @property
    def _goes_on(self) -> bool:
        """Whether the next round does not wait for the results of this one."""
        return self._fmt.in_advance(self._entrants, self._tournament.rounds_paired + 1, self._tournament.seed)

    def after(self, random: np.random.Generator, points: Points | None = None) -> Iterator[Stage]:
        """The stages of the rounds that are not paired yet, results as `points` has them, else by chance."""
        if self._tournament.all_paired or self.endless:
            return
        points = points or by_chance(random)
        meetings = [*self._meetings, *self._supposed(points)]
        now = Progress(self._entrants, meetings, self._tournament.rounds_paired, self._tournament.seed)
        yield from stages(self._fmt, now, points, random)

    def _supposed(self, points: Points) -> Iterator[Meeting]:
        """What the pairings that are not over come to."""
        if not depends_on_results(self._fmt):
            return
        games: dict[tuple[int, str, frozenset[int]], list[store.Open]] = {}
        for row in self._unfinished:
            games.setdefault((row.round, row.phase, frozenset((row.first, row.second))), []).append(row)
        for (number, phase, _), rows in games.items():
            first = rows[0]
            yield Meeting(number, first.first, first.second, points(len(rows)), len(rows), Kind.PLAYED, phase)
