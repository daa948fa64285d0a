"""Positions that are not solved, as they were estimated, in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arena.core.words import say

if TYPE_CHECKING:
    from workers.play.estimating import Estimated, EstimatedPosition

SHOWN = 0.05
"""What costs less than so many points, or is a lead of fewer, is shown as nothing."""


def estimate_lines(told: Estimated, ply: int, bots: Sequence[str], *, fewest: bool) -> Iterator[str]:
    """What there is to say below the board after so many plies; nothing where it is solved.

    `fewest` says that the lower score wins.
    """
    found = {each.ply: each for each in told.positions}
    if (before := found.get(ply - 1)) and before.points and before.points >= SHOWN:
        yield say(
            "{move}: {points:.1f} points worse, estimated, depth {depth}",
            move=before.played,
            points=before.points,
            depth=told.depth,
        )
    if position := found.get(ply):
        yield say(
            "for {bot}, to move: {stands} ({margin:+.1f}), estimated, depth {depth}; best: {best}",
            bot=bots[position.seat],
            stands=_stands(position, fewest=fewest),
            margin=position.margin,
            depth=told.depth,
            best=position.best,
        )


def story_lines(told: Estimated, bots: Sequence[str], *, fewest: bool) -> Iterator[str]:
    """The curve of the estimates, since when one side was behind, and the costliest move."""
    from workers.play.estimating import ahead

    if not told.positions:
        return
    yield say(
        "estimated, depth {depth}: points by which {bot} is ahead, from before ply 1 on: {curve}",
        depth=told.depth,
        bot=bots[0],
        curve=" ".join(f"{round(ahead(each, 0, fewest=fewest)):+d}" for each in told.positions),
    )
    if told.behind:
        bot, ply = bots[told.behind.seat], told.behind.ply
        yield (
            say(
                "estimated, depth {depth}: {bot} is behind from ply {ply} on",
                depth=told.depth,
                bot=bot,
                ply=ply,
            )
            if ply
            else say(
                "estimated, depth {depth}: {bot} is behind before it has a choice", depth=told.depth, bot=bot
            )
        )
    costliest = told.costliest
    before = next((each for each in told.positions if costliest and each.ply + 1 == costliest.ply), None)
    if before and before.points and before.points >= SHOWN:
        yield say(
            "estimated, depth {depth}: {bot}'s costliest move is {move} at ply {ply}: {points:.1f} points",
            depth=told.depth,
            bot=bots[before.seat],
            ply=before.ply + 1,
            move=before.played,
            points=before.points,
        )


def _stands(position: EstimatedPosition, *, fewest: bool) -> str:
    from workers.play.estimating import ahead

    lead = ahead(position, position.seat, fewest=fewest)
    return say("level") if abs(lead) < SHOWN else say("ahead") if lead > 0 else say("behind")
