"""The values of a game as its page shows them, and where somebody asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter
from fastapi.responses import Response
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.schemas.analyses import AnalysisOut, EstimatedPositionOut, LostOut, ValuedOut
from arena.store.models import Analysis, Match, Move
from arena.tournaments import analyses, matches
from arena.tournaments.analyses import Played
from arena.web.answers.analyses import analysis_of, played_of
from arena.web.http.dependencies import InServices, InSession, InTournament, MatchNumber
from arena.web.http.web_sessions import Visitor
from arena.web.pages.forms import see

State = Literal["offered", "waiting", "given_up", "done"]
HALF = 20
"""The height of a bar of the graph that says won, above the middle or below it."""
LEAST = 6
"""The height of one that is won, or led, by least."""
LEVEL = 4
"""The height of one that nobody wins."""

router = APIRouter()


@dataclass(frozen=True)
class Bar:
    """What the position after a ply is worth: to one side, to nobody, or not known (`look`).

    An estimate is `guessed`.
    """

    ply: int
    look: Literal["fill-cross", "fill-nought", "even", "unknown"]
    y: float
    height: float
    guessed: bool = False


@dataclass(frozen=True)
class Shown:
    """What is known of a game's values; without any, how far that is.

    `values` are by ply, and so are `guesses`, of what is not solved; `lost` is told only where who stood lost
    has lost, and `otherwise` is who else did.
    """

    state: State
    told: AnalysisOut | None = None
    values: Mapping[int, ValuedOut] | None = None
    guesses: Mapping[int, EstimatedPositionOut] | None = None
    bars: Sequence[Bar] = ()
    lost: LostOut | None = None
    otherwise: int | None = None

    def better(self, ply: int, move: str | None) -> list[str]:
        """The places of that best move after so many plies; none where it is none of them."""
        value = self.values.get(ply) if self.values else None
        guess = self.guesses.get(ply) if self.guesses else None
        best = value.best if value else [guess.best] if guess else []
        return next((each.places for each in best if each.move == move), [])


def shown(session: Session, match: Match, moves: Sequence[Move]) -> Shown | None:
    """What a page shows of a match's analysis; None where there is and will be none."""
    offered = bool(moves) and analyses.is_offered(session, match)
    return _shown(analyses.find(session, match), played_of(match, moves), offered=offered)


def shown_played(session: Session, played: Played) -> Shown | None:
    """The same of a game that is no match's."""
    offered = bool(played.moves) and analyses.has_solver(played.game.name, played.game.version)
    return _shown(analyses.find_played(session, played), played, offered=offered)


def _shown(row: Analysis | None, played: Played, *, offered: bool) -> Shown | None:
    if row is None:
        return Shown("offered") if offered else None
    if row.answer is None:
        return Shown("given_up" if row.state == MatchState.PARKED else "waiting")
    told = analysis_of(row, played)
    if told is None:
        return None
    values = {each.ply: each for each in told.positions}
    guesses = {each.ply: each for each in told.estimated.positions} if told.estimated else {}
    lost = told.lost
    really = lost is not None and played.winner == 1 - lost.seat
    return Shown(
        "done",
        told,
        values,
        guesses,
        bars(values, guesses, told.plies),
        lost if really else None,
        lost.seat if lost is not None and not really else None,
    )


def bars(
    values: Mapping[int, ValuedOut], guesses: Mapping[int, EstimatedPositionOut], plies: int
) -> list[Bar]:
    """A bar for the position after each ply: up where the first side wins, the higher the more it wins by.

    Of an estimate it is up where the first side is ahead.
    """
    margins = [abs(each.margin or 0) for each in values.values()]
    most = max([*margins, *(abs(each.ahead) for each in guesses.values())], default=0)
    return [
        _guess_bar(ply, guesses[ply].ahead, most) if ply in guesses else _bar(ply, values.get(ply), most)
        for ply in range(plies + 1)
    ]


def _guess_bar(ply: int, ahead: float, most: float) -> Bar:
    if ahead == 0:
        return Bar(ply, "even", HALF - LEVEL // 2, LEVEL, guessed=True)
    return _standing(ply, _height(ahead, most), first=ahead > 0, guessed=True)


def _bar(ply: int, value: ValuedOut | None, most: float) -> Bar:
    if value is None:
        return Bar(ply, "unknown", HALF - 1, 2)
    if value.value == "drawn":
        return Bar(ply, "even", HALF - LEVEL // 2, LEVEL)
    height = HALF if value.margin is None else _height(value.margin, most)
    return _standing(ply, height, first=(value.value == "won") == (value.seat == 0))


def _height(margin: float, most: float) -> float:
    """Of a bar that stands for so many points of `most`."""
    return round(LEAST + (HALF - LEAST) * abs(margin) / most, 1)


def _standing(ply: int, height: float, *, first: bool, guessed: bool = False) -> Bar:
    """A bar up for the first side, or down for the other one."""
    if first:
        return Bar(ply, "fill-cross", HALF - height, height, guessed)
    return Bar(ply, "fill-nought", HALF, height, guessed)


@router.post("/my/games/{name}/{number}/analysis")
def ask(
    session: InSession, services: InServices, visitor: Visitor, cup: InTournament, number: MatchNumber
) -> Response:
    """Have a game analysed, and go back to it."""
    match = matches.get_shown(session, visitor, cup, number)
    analyses.ask(session, visitor, match, services.settings.analyses)
    folder = f"/my/games/{cup.name}" if cup.frozen_at else f"/tournaments/{cup.name}/matches"
    return see(f"{folder}/{match.number}#values")
