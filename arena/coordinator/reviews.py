"""Analyses of games by exact solvers, as work that is given out: behind matches and turns against people.

Their queues come after those, and at most half of the workers' places are given to them. Who asks takes turns
with others who do. What nobody asks for by itself comes in idle time into what is left of that half, keeps no
other out of it, and gives way to other work. What is not over in time, or was lost too often, is parked; it
may be asked for again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy.orm import Session, object_session

from arena.coordinator.idle_reviews import IdleReviews
from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import ReviewMessage
from arena.coordinator.result_validation import UnfitResultError, require, unreadable
from arena.coordinator.sharing import Turns, giving_way, half
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState
from arena.results import accuracy
from arena.store import analyses as store
from arena.store import leases, matches
from arena.store.models import Analysis
from arena.tournaments.specs import match_spec
from engines.game import Game, GameError
from workers.core.contract import MatchSpec
from workers.core.errors import SpecError
from workers.play import analysis
from workers.play.estimating import Estimated, is_fewest, read_estimates, sight_of
from workers.play.referee import game_of
from workers.programs.serving import REVIEWS

MAX_SECONDS = 600
"""So long an analysis may take, from its first sign of life on; what it searches is limited by itself."""
TOO_LONG = f"the analysis was not over after {MAX_SECONDS // 60} minutes"
MAX_LOST = 2
"""After so many losses an analysis is parked."""
NOBODY = ({"name": "first"}, {"name": "second"})
"""Who has played a game that is no match's is nothing to those who analyse it."""


class Found(NamedTuple):
    """What a worker has found out of a game, and what is kept of it to tell how well its bots have moved."""

    told: analysis.Analysis
    accuracy: list[Any] | None


class Reviews(WorkType[Analysis, ReviewMessage, Found]):
    """Given out in the turns of those who ask; any host can do it."""

    kind = REVIEWS
    model = Analysis
    unfit = "the reported analysis does not fit"

    def __init__(self) -> None:
        self._turns = Turns[int]()
        self._idle = IdleReviews()

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is an analysis to give out, a host, and room for it."""
        there = bool(store.pending_of(session))
        if "" not in self.served(session, settings) or _room(session, settings, idle=not there) <= 0:
            return False
        return there or self._idle.are_due(session, settings)

    def due(self, session: Session, settings: Settings) -> Sequence[Analysis]:
        """The next analyses of those whose turn it is."""
        there = store.pending_of(session)
        room = _room(session, settings, idle=not there)
        if room <= 0 or "" not in self.served(session, settings):
            return []
        if not there:
            return self._idle.due(session, settings, room)
        issued = store.issued_of(session)
        parts = self._turns.parts_of(room, {each: issued.get(each, 0) for each in sorted(there)}, there)
        return [
            row
            for each in sorted(parts)
            if parts[each]
            for row in store.lock_pending(session, each, parts[each])
        ]

    def issued(self, session: Session, row: Analysis, token: str) -> ReviewMessage:
        """The message has the whole game."""
        del session
        return ReviewMessage(_spec_of(row), row.attempt, token)

    def rest(self) -> None:
        """Look for games to be analysed in idle time from the beginning."""
        self._idle = IdleReviews()

    def ousted(self, session: Session, settings: Settings, now: dt.datetime) -> set[str]:
        """The tokens of idle ones in hand where other work could be that has waited for a while."""
        return giving_way(session, settings, store.idle_in_hand(session), now)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> object:
        """The analyses, with the matches of those that are of one."""
        del counting
        return store.lock_all(session, [number for (number,) in keys])

    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[Analysis | None, Analysis | None]:
        """The analysis of that number, which keeps its own ledger."""
        row = session.get(Analysis, key)
        return row, row

    def needs(self, row: Analysis) -> str:
        """No language."""
        del row
        return ""

    def alive(self, session: Session, row: Analysis, host: str) -> None:
        """The lease is not renewed beyond the moment at which the analysis must be over."""
        super().alive(session, row, host)
        if row.ends_at is None:
            row.ends_at = utc_now() + dt.timedelta(seconds=MAX_SECONDS)
        row.lease_until = min(row.lease_until or row.ends_at, row.ends_at)

    def overdue(self, row: Analysis, now: dt.datetime) -> str | None:
        """An analysis that is not over although it must be is given up."""
        return None if row.ends_at is None or row.ends_at >= now else TOO_LONG

    def lost(self, session: Session, row: Analysis, trouble: str) -> None:
        """It is to be done again, or is given up."""
        del session
        row.trouble = trouble
        if row.lost > MAX_LOST:
            row.release(MatchState.PARKED)

    def fit(self, row: Analysis, report: Mapping[str, Any]) -> Found:
        """The values of the last positions of just this game, with best moves that can be played.

        What was at stake fits the values, and what is estimated are the positions before these.
        """
        try:
            told = analysis.Analysis.model_validate(report)
        except ValidationError as error:
            raise unreadable("analysis", error) from None
        match = row.match
        if match is not None:
            now = match.result.attempt if match.result else None
            require(now == row.result_attempt, "the game is another one by now")
        spec, seen, estimated = _spec_of(row), told.estimates, None
        require(told.first + len(told.values) == len(spec.opening) + 1, "it is not as long as the game")
        try:
            game, opening = game_of(spec), len(match.opening) if match else 0
            reading = analysis.read(game, spec.opening, opening, told)
            if seen is not None:
                require(len(seen.values) == told.first, "not just what is not solved is estimated")
                require(sight_of(game, seen.depth) is not None, "nothing estimates positions of that game")
                estimated = read_estimates(game, spec.opening, opening, seen, reading.lost)
                require(_can_be_scored(game, estimated), "positions are estimated as no score can be")
        except (GameError, SpecError) as error:
            raise UnfitResultError(f"it cannot be read beside the game: {error}") from None
        require(_is_possible(game, told, reading), "its values, or what it says was at stake, cannot be")
        return Found(told, accuracy.kept(reading, told, estimated) if match else None)

    def write(self, session: Session, row: Analysis, fit: Found, gathered: Any) -> Verdict:
        """Keep what was found out."""
        del session, gathered
        row.finish()
        row.trouble = None
        row.answer, row.accuracy = fit.told.model_dump(mode="json", exclude_defaults=True), fit.accuracy
        return Verdict.TAKEN


def _is_possible(game: Game[Any], told: analysis.Analysis, reading: analysis.Reading) -> bool:
    """Whether no move won anything, or lost it where none could, and nothing is at stake where all is lost.

    A position is worth what its best move leads to, so that none leads to more; and who wins has the better
    score.
    """
    for each in told.values:
        if each.margin is not None:
            lead = -each.margin if is_fewest(game) else each.margin
            if abs(lead) > _most(game) or (lead > 0) - (lead < 0) != each.result:
                return False
    for here, there in pairwise(reading.positions):
        if here.value and there.value:
            result = there.value.result if there.seat == here.seat else -there.value.result
            if result > here.value.result:
                return False
    given = (each.choice for each in reading.positions if each.judgement and each.judgement.gave_away)
    return False not in given and not any(each.stake and each.result < 0 for each in told.values)


def _can_be_scored(game: Game[Any], estimated: Estimated) -> bool:
    """Whether no position is worth more than the board has, and the best move costs nothing."""
    return all(
        abs(each.margin) <= _most(game)
        and (each.points or 0) <= (0 if each.best == each.played else 2 * _most(game))
        for each in estimated.positions
    )


def _most(game: Game[Any]) -> int:
    """By how much one side can be ahead of the other at the end."""
    own, other = game.forfeit_score(0)
    return abs(own - other)


def _room(session: Session, settings: Settings, *, idle: bool) -> int:
    """How many more may be given out: `idle` ones take no place from those that somebody asks for."""
    given = leases.issued_of(session, Analysis.asked_by) if idle else store.issued_of(session)
    return half(session, settings) - sum(given.values())


def _spec_of(row: Analysis) -> MatchSpec:
    """What a worker is told: the game that was played is the opening."""
    if row.match is None:
        return MatchSpec.model_validate(
            {"match": str(row.id), "game": row.game, "bots": NOBODY, "opening": row.moves}
        )
    session = object_session(row)
    assert session is not None  # noqa: S101  (it was just locked there)
    played = tuple(move.move for move in matches.moves(session, row.match))
    return match_spec(row.match).model_copy(update={"match": str(row.id), "opening": played})


WORK = Reviews()
