"""One turn of a bot, or of what it plays until the other side is to be asked: for games against people.

The bot is started, told the whole game so far as its opening, asked as in any match, and ended. Nothing of it
is needed for its next turn: a request holds the whole position, and whoever is free can put the next one.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from bots.protocol.messages import Answer, Ready
from engines.game import play_all
from engines.solvers import SolverError
from engines.solvers.oracle import Progress, no_progress
from workers.core.contract import MatchResult, MatchSpec, Seat
from workers.core.halt import Halt
from workers.core.host_limits import check_limits
from workers.core.stderr import Stderr
from workers.play import referee
from workers.play.hints import hint
from workers.play.kept import SessionPool
from workers.play.player import Fault, Player, Reply
from workers.sandbox.confinement import Startable


class Absent:
    """The other side: it is ready at once, and ends the turn by giving up when it is asked."""

    def begin(self, hello: Mapping[str, Any]) -> None:
        """Hear nothing."""

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        """Be ready."""
        del startup_ms
        return Ready("", "", reusable=False), 0

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        """Give up."""
        del request, allowed_ns
        return Reply(Answer(None, None), 0)

    def end(self, message: Mapping[str, Any]) -> None:
        """Hear nothing."""

    def stderr(self) -> Stderr:
        """Nothing."""
        return Stderr("", "", 0)


def play_turn(
    spec: MatchSpec, seat: Seat, program: Startable, pool: SessionPool, halt: Halt | None = None
) -> MatchResult:
    """What the bot at `seat` plays after the opening of `spec`, which is the game so far.

    The result has its moves after those of the opening, with passes between them. Unless that ends the game
    it ends by the other side's giving up, which says nothing; or by the bot's fault, or its resignation.
    Afterwards nothing of the bot is left running, but where `spec` says that it may be kept in `pool`.

    Raises:
        SpecError: the game so far is impossible, or a limit is above what this host gives.
        LaunchError: the process cannot be started.
        HaltError: `halt` broke it off.
    """
    check_limits(spec.limits)
    whose = spec.bots[seat], spec.game.model_dump_json()
    session = pool.take(program, spec.limits, whose, halt)
    players: tuple[Player, Player] = (session, Absent()) if seat == 0 else (Absent(), session)
    try:
        result = referee.play(spec, players, socket.gethostname())
    except BaseException:
        session.kill()
        raise
    if any(forfeit.seat == seat for forfeit in result.forfeits) or not spec.reuse:
        session.kill()
    else:
        pool.release(program, spec.limits, session, whose)
    return result


def hint_after(spec: MatchSpec, progress: Progress = no_progress, halt: Halt | None = None) -> dict[str, Any]:
    """What is best after the opening of `spec`, as `workers.play.hints` tells it, or why nothing is known.

    Raises:
        SpecError: the game is none that is here.
        GameError: the moves so far cannot be played.
        HaltError: `halt` broke it off.
    """
    game = referee.game_of(spec)
    state = play_all(game, spec.opening)
    try:
        return hint(game, state, progress, halt)
    except SolverError as error:
        return {"unsolved": str(error)}
