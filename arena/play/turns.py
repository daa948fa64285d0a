"""A bot's turn as work that is given out: what a worker is told, and which time the bot has."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.terms import MatchState
from arena.play import rules
from arena.play.rules import MoveTime
from arena.play.seats import Sitting, bot_ref
from arena.store.database import has_news
from arena.store.models import PlayGame, PlayTurn
from engines.game import Game, Seat
from engines.stream import derive
from workers.core.contract import GameSpec, Limits, MatchSpec, MoveRecord, TimeControl
from workers.programs.serving import needs

MOVE_MS = 5000
"""So long a bot may think about a move against a person, also where its clock leaves more."""
LIMITS = Limits(cpu_seconds=120, wall_seconds=300)


def ask(session: Session, row: PlayGame, game: Game[Any], seat: Seat | None) -> PlayTurn:
    """Have the bot at `seat` play its turn, or with None a hint found, once this is committed."""
    sitting = None if seat is None else row.seats[seat]
    turn = PlayTurn(
        game_id=row.id,
        player=row.player,
        seat=seat,
        ply=len(row.moves),
        spec=_spec(row, game, seat).model_dump(mode="json"),
        needs=needs([sitting["language"]] if sitting and sitting["language"] else []),
        created_at=utc_now(),
        state=MatchState.PENDING,
    )
    session.add(turn)
    session.flush()
    has_news(session)
    return turn


def spec_of(turn: PlayTurn) -> MatchSpec:
    """What a worker is told: the game so far is the opening."""
    return MatchSpec.model_validate(turn.spec | {"match": str(turn.id)})


def _spec(row: PlayGame, game: Game[Any], seat: Seat | None) -> MatchSpec:
    """Its luck is drawn anew for each turn: a bot that is started for every one would else repeat itself."""
    sitting = [Sitting(**each) for each in row.seats]  # type: ignore[typeddict-item]
    seed = derive(row.seed, "play", len(row.moves))
    return MatchSpec(
        match="0",
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        bots=(bot_ref(sitting[0]), bot_ref(sitting[1])),
        opening=tuple(each["move"] for each in row.moves),
        seeds=(derive(seed, 0), derive(seed, 1)),
        time=_time(row, seat),
        limits=LIMITS,
        reuse=seat is not None and sitting[seat]["archive"] is None,
    )


def _time(row: PlayGame, seat: Seat | None) -> TimeControl:
    """What is left on the bot's clock, and in no case more than a bot has for a move."""
    clock, moves = rules.clock_of(row.clock), [MoveRecord(**each) for each in row.moves]
    if clock is None or seat is None:
        return TimeControl(move_ms=MOVE_MS, extensions=0, extension_ms=0)
    if not isinstance(clock, MoveTime):
        move_ms = _at_most(rules.left_seconds(clock, moves, seat))
        return TimeControl(move_ms=move_ms, extensions=0, extension_ms=0)
    move_ms, extension_ms = _at_most(clock.move), _at_most(clock.extension)
    extensions = rules.extensions_left(clock, moves, seat) if extension_ms > move_ms else 0
    return TimeControl(move_ms=move_ms, extensions=max(0, extensions), extension_ms=extension_ms)


def _at_most(seconds: float) -> int:
    return max(1, min(MOVE_MS, round(1000 * seconds)))
