"""What positions were worth and what moves have done, in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.local.analysis import Analysed, Judged, Position


def worth_of(position: Position) -> str:
    """What a position was worth to the side to move."""
    worth = say(position.value)
    if position.distance:
        worth += say(" in {distance}", distance=position.distance)
    if position.margin is not None:
        worth += f" ({position.margin:+d})"
    return worth


def best_of(position: Position) -> str:
    """Its best moves; empty where the game is over."""
    more = say(" and {more} more", more=position.more) if position.more else ""
    return " ".join(position.best) + more


def deed_of(judged: Judged | None) -> str:
    """What a move has cost; empty where it cost nothing, or that is not known."""
    if judged is None:
        return ""
    points = (
        say("{points} worse", points=say_many("{number} point", "{number} points", judged.points))
        if judged.points
        else ""
    )
    if judged.before == judged.after:
        return points
    return say("{before} before, {after} after", before=say(judged.before), after=say(judged.after)) + (
        f", {points}" if points else ""
    )


def lines_of(told: Analysed, ply: int, bots: Sequence[str]) -> Iterator[str]:
    """What there is to say below the board after so many plies; nothing where it is not solved."""
    position = next((each for each in told.positions if each.ply == ply), None)
    if position is None:
        return
    if deed := deed_of(position.judgement):
        yield f"{position.move}: {deed}"
    bot, worth, best = bots[position.seat], worth_of(position), best_of(position)
    if best:
        yield say("for {bot}, to move: {worth}; best: {best}", bot=bot, worth=worth, best=best)
    else:
        yield say("for {bot}: {worth}", bot=bot, worth=worth)


def loser_of(told: Analysed, bots: Sequence[str], winner: int | None) -> str:
    """Who stood lost at the end of a game that the `winner` won, and since when."""
    lost = told.lost
    if lost is None:
        return say("nobody stood lost at the end")
    bot = bots[lost.seat]
    if winner != 1 - lost.seat:
        return say("{bot} stood lost at the end, but that is not how the game ended", bot=bot)
    if lost.ply is None:
        return say("{bot} stood lost as far back as that is known", bot=bot)
    if lost.ply == 0:
        return say("{bot} stood lost before it had a choice", bot=bot)
    return say("{bot} lost it by ply {ply}, {told}", bot=bot, ply=lost.ply, told=_move(told, lost.ply))


def turn_of(told: Analysed, bots: Sequence[str]) -> str:
    """The last move that gave a result away; empty where `loser_of` names it, or there is none."""
    turning = told.turning
    if turning is None or turning == told.lost:
        return ""
    bot, ply = bots[turning.seat], turning.ply
    return say("the last to give something away was {bot} at ply {ply}", bot=bot, ply=ply)


def _move(told: Analysed, ply: int) -> str:
    return next(str(each.move) for each in told.positions if each.ply == ply)
