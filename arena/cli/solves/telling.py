"""What is said of a game that an arena's workers solve."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from arena.cli.shared.failures import CliError
from arena.cli.shared.output import note
from arena.cli.shared.solutions import solution_lines
from arena.core.terms import SolveState
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.solves import SolveOut, SolveStanding

TOLD_SECONDS = 10.0
"""So often it is told how far it is."""


def told(solve: SolveOut) -> str:
    """How a solve stands, in words."""
    trouble = (
        solve.staff.trouble if solve.staff and solve.state in {SolveState.FAILED, SolveState.PAUSED} else None
    )
    return say(
        "solve {id} is {state}: {answers}{what}",
        id=solve.id,
        state=solve.state,
        answers=say_many("{number:,} answer", "{number:,} answers", solve.answers),
        what=f"; {trouble}" if trouble else "",
    )


def lines_of(solve: SolveOut) -> Iterator[str]:
    """All that is known of a solve."""
    yield told(solve)
    if solve.standing is not None:
        known = {"params": solve.game.params, "position": solve.position, "value": solve.value}
        known |= solve.standing.model_dump()
        yield from solution_lines(solve.game.name, known)
    if solve.moves:
        yield say("Best first moves: {moves}", moves=" ".join(solve.moves))
    elif solve.moves is None and solve.standing is not None:
        yield _progress(solve.standing)
    yield say(
        "Positions searched: {nodes:,}, in {seconds:,.1f} s of the workers' processor time; {waiting} and "
        "{running} now",
        nodes=solve.nodes,
        seconds=solve.worker_seconds,
        waiting=say_many("{number:,} leaf waits", "{number:,} leaves wait", solve.waiting),
        running=say_many("{number:,} is searched", "{number:,} are searched", solve.running),
    )


def watch_live(client: ArenaClient, solve: SolveOut) -> SolveOut:
    """Show how far a solve is until it is over or paused; returns it as it then is.

    Raises:
        ClientError: the arena does not answer any more.
        CliError: Ctrl-C; the solve goes on, and the message says how to end it.
    """
    last, shown_at = solve, time.monotonic()
    try:
        for last in client.watch_solve(solve.id):
            if last.standing is not None and time.monotonic() >= shown_at + TOLD_SECONDS:
                note(_progress(last.standing))
                shown_at = time.monotonic()
    except KeyboardInterrupt:
        raise CliError(
            say(
                "no longer watching; solve {number} goes on: `arena solves watch {number}` shows it again, "
                "`arena solves cancel {number}` ends it",
                number=solve.id,
            )
        ) from None
    return last


def _progress(standing: SolveStanding) -> str:
    return say(
        "value {low} to {high}; at least {at_least}? {share:.2%} decided by {answers:,} answers; forecast "
        "{left:,.0f} more (it has moved from {least:,.0f} to {most:,.0f})",
        **standing.model_dump(exclude={"forecast"}) | standing.forecast.model_dump(),
    )
