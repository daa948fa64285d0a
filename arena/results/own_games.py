"""The games of one team's bots: how each ended for its own side, and the last of every bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.core.terms import Outcome
from arena.store import teams as store
from arena.store.models import Bot, Match
from arena.store.teams import Sought
from workers.core.contract import FaultCode

FORM = 8
"""So many results of a bot are its form."""
FAULTS = frozenset(code.value for code in FaultCode)
OUTCOMES = {0: Outcome.LOST, 1: Outcome.DRAWN, 2: Outcome.WON}


@dataclass(frozen=True)
class OwnGame:
    """A recorded match as the bot in `seat` sees it."""

    match: Match
    seat: int
    outcome: Outcome


@dataclass(frozen=True)
class Result:
    """One result of a bot's form, by the match that made it."""

    tournament: str
    match: int
    outcome: Outcome


def games(
    session: Session, bots: Sequence[Bot], sought: Sought, offset: int, limit: int
) -> tuple[list[OwnGame], int]:
    """A part of the bots' recorded matches, the last first, and how many there are in all."""
    ids = [bot.id for bot in bots]
    rows = store.results(session, ids, sought, offset, limit)
    matches = store.matches(session, {row.match_id for row in rows})
    found = [_own(matches[row.match_id], row.seat) for row in rows]
    return found, store.count_results(session, ids, sought)


def form(session: Session, bots: Sequence[Bot]) -> dict[int, list[Result]]:
    """The last results of each bot, the last first, by the bot's id."""
    rows = store.form(session, [bot.id for bot in bots], FORM)
    return {
        bot: [Result(row.name, row.number, outcome_of(row.half_points, row.reason)) for row in found]
        for bot, found in rows.items()
    }


def outcome_of(half_points: int, reason: str) -> Outcome:
    """How a match ended for the side that got so many half points in it."""
    outcome = OUTCOMES[half_points]
    return Outcome.FORFEIT if outcome is Outcome.LOST and reason in FAULTS else outcome


def _own(match: Match, seat: int) -> OwnGame:
    result = match.result
    assert result is not None  # noqa: S101  (only recorded ones are listed)
    half_points = (result.first_half_points, result.second_half_points)[seat]
    return OwnGame(match, seat, outcome_of(half_points, result.reason))
