"""One match from spec to result with real processes, and the same match again for one bot alone."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bots.protocol.messages import Answer, Ready
from workers.core import tracing
from workers.core.contract import MatchRecord, MatchResult, MatchSpec, MoveRecord, Seat
from workers.core.halt import Halt
from workers.core.host_limits import check_limits
from workers.core.stderr import Stderr
from workers.play import referee
from workers.play.player import Fault, Reply
from workers.play.starting import session_of
from workers.sandbox.confinement import Confinement, Startable

if TYPE_CHECKING:
    from workers.play.kept import SessionPool
    from workers.play.session import Session


def play_match(
    spec: MatchSpec,
    programs: tuple[Startable, Startable],
    *,
    pool: SessionPool | None = None,
    confinement: Confinement | None = None,
    halt: Halt | None = None,
    moves: list[MoveRecord] | None = None,
) -> MatchResult:
    """Play one match between two programs; afterwards nothing of them is left running.

    Whoever gives an empty list of `moves` sees it grow. With a `pool`, processes of bots that say they are
    reusable are kept in it for the next match of the same bot at the same game, and it is the pool that has a
    confinement.

    Raises:
        SpecError: the game or the opening is impossible, or a limit is above what this host gives.
        LaunchError: a process cannot be started.
        HaltError: `halt` broke it off.
    """
    check_limits(spec.limits)
    game = spec.game.model_dump_json()
    one, other = (
        pool.take(program, spec.limits, (bot, game), halt)
        if pool
        else session_of(program, spec.limits, confinement, halt)
        for program, bot in zip(programs, spec.bots, strict=True)
    )
    one.beside, other.beside = other, one
    try:
        with tracing.span("play"):
            result = referee.play(spec, (one, other), socket.gethostname(), moves)
    except BaseException:
        one.kill()
        other.kill()
        raise
    for seat, (program, session) in enumerate(zip(programs, (one, other), strict=True)):
        if any(forfeit.seat == seat for forfeit in result.forfeits):
            session.kill()
        elif pool:
            lent = cast("Session", session)  # a pool lends no others
            pool.release(program, spec.limits, lent, (spec.bots[seat], game))
        else:
            session.close()
    return result


def play_fairly(play: Callable[[], MatchResult]) -> MatchResult:
    """The result of `play`, or of playing once more where that one is void; its evidence is kept."""
    result = play()
    return play().model_copy(update={"voided": result.forfeits}) if result.void else result


class ReplayStep(NamedTuple):
    """One request of a recorded match, what the bot answers to it now, and what was recorded.

    Where the recorded answer lost the match there is no recorded move; `stderr` is all so far.
    """

    ply: int
    request: Mapping[str, Any]
    answer: Answer | Fault
    wall_ns: int
    recorded_move: str | None
    stderr: Stderr


class ReplayStartError(Exception):
    """The bot did not get ready for a replay; the message says what it did instead."""


def replay(
    record: MatchRecord,
    seat: Seat,
    program: Startable,
    until: int | None = None,
    confinement: Confinement | None = None,
) -> Iterator[ReplayStep]:
    """Feed a bot exactly what the player at `seat` was sent, up to ply `until`, whatever it answers.

    Raises:
        SpecError: the recorded match is impossible under the rules here.
        LaunchError: the process cannot be started.
        ReplayStartError: the bot did not get ready.
    """
    side = _requests_of(record, seat)
    session = session_of(program, record.spec.limits, confinement)
    try:
        session.begin(side.hello)
        ready, _ = session.ready(record.spec.time.startup_ms)
        if isinstance(ready, Fault):
            raise ReplayStartError(f"{ready.detail}\n{session.stderr().head}".strip())
        for request, allowed_ns, recorded in side.asked:
            if until is not None and request["ply"] > until:
                break
            reply = session.ask(request, allowed_ns)
            move = recorded.move if recorded else None
            yield ReplayStep(request["ply"], request, reply.outcome, reply.wall_ns, move, session.stderr())
            if isinstance(reply.outcome, Fault):
                break
    finally:
        session.kill()


def _requests_of(record: MatchRecord, seat: Seat) -> _Recorded:
    """Everything that the referee sent to `seat`, worked out by refereeing the recorded answers again."""
    sides = (_Recorded(record.result, 0), _Recorded(record.result, 1))
    referee.play(record.spec, sides)
    return sides[seat]


class _Recorded:
    """A player that repeats its recorded answers in their recorded times, then resigns."""

    def __init__(self, result: MatchResult, seat: Seat) -> None:
        self.hello: Mapping[str, Any] = {}
        self.asked: list[tuple[Mapping[str, Any], int, MoveRecord | None]] = []
        self._moves = [move for move in result.moves if move.seat == seat and move.asked]

    def begin(self, hello: Mapping[str, Any]) -> None:
        self.hello = hello

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        del startup_ms
        return Ready("", "", reusable=False), 0

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        number = len(self.asked)
        move = self._moves[number] if number < len(self._moves) else None
        self.asked.append(({**request, "history": list(request["history"])}, allowed_ns, move))
        answer = Answer(move.move if move else None, None)
        if move is None:
            return Reply(answer, 0)
        return Reply(answer, move.wall_ns, off_turn_ns=move.off_turn_ns, strain=move.strain)

    def end(self, message: Mapping[str, Any]) -> None:
        del message

    def stderr(self) -> Stderr:
        return Stderr("", "", 0)
