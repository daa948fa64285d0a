"""Plays the plies of a match in which nothing is unusual, many in one call of compiled code.

That code asks only bots that sleep, and takes only an answer in the usual form, in time, that names a legal
move. Before anything else it stops: a question that it has put but not judged is handed back with what was
heard, and all others are the referee's to put. So what is unusual is decided in one place, and where nothing
was compiled, for other games, with a bank of time or with a watch over repetitions, all of it is.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from engines.game import CompiledRules, Game
from engines.stream import Stream
from workers.core.contract import MatchSpec
from workers.play.asking import run_plies
from workers.play.clock import NS_PER_MS, Clock
from workers.play.player import Player, Reply
from workers.play.pressure import FRESH_NS
from workers.play.rest import LOOKS, MAX_STRAYED_NS
from workers.play.session import Session

if TYPE_CHECKING:
    from workers.play._exchange import Row, Side, SideTold, Turn

S = TypeVar("S", bound=Hashable)


class Put(NamedTuple):
    """A question that has been put to a bot: what was heard so far is for its session to judge."""

    session: Session
    number: int
    line: bytes
    turn: Turn

    def reply(self, allowed_ns: int) -> Reply:
        """What comes of it, waiting at most `allowed_ns` from the question on."""
        return self.session.judge(self.turn, self.line, self.number, allowed_ns)


class Played(NamedTuple, Generic[S]):
    """Some plies, the state after them, and the question that was put in it, if one was.

    `ids` goes on with the numbers of questions.
    """

    rows: list[Row]
    state: S
    ids: Stream
    put: Put | None


class Run(Generic[S]):
    """Plays on for one match between two sessions."""

    def __init__(
        self,
        rules: CompiledRules[S],
        sessions: tuple[Session, Session],
        clocks: tuple[Clock, Clock],
        spec: MatchSpec,
    ) -> None:
        self._rules = rules
        self._sessions = sessions
        self._clocks = clocks
        self._limits = spec.time.move_ms * NS_PER_MS, FRESH_NS, MAX_STRAYED_NS, spec.limits.line_bytes

    def on(self, state: S, ids: Stream, history: Sequence[str]) -> Played[S] | None:
        """Play on from `state`, which `history` has led to; None where something is unusual already."""
        one, other = (_side(*each) for each in zip(self._sessions, self._clocks, strict=True))
        if one is None or other is None:
            return None
        rows, position, drawn, sides, question = run_plies(
            self._rules.capsule,
            self._rules.size,
            self._rules.position(state),
            ids.state,
            len(history),
            json.dumps(history, separators=(",", ":"))[1:-1].encode(),
            self._limits,
            (one, other),
        )
        for session, side in zip(self._sessions, sides, strict=True):
            if side[0]:
                _note(session, side)
        put = Put(self._sessions[position[2]], *question) if question else None
        return Played(rows, self._rules.state(position), Stream.from_state(drawn), put)


def run_of(
    game: Game[S], players: tuple[Player, Player], clocks: tuple[Clock, Clock], spec: MatchSpec
) -> Run[S] | None:
    """What plays on in a match that only its game can end or draw; None where compiled code cannot."""
    rules, (one, other) = game.compiled, players
    if run_plies is None or rules is None or spec.time.bank_ms is not None:
        return None
    return Run(rules, (one, other), clocks, spec) if type(one) is type(other) is Session else None


def _side(session: Session, clock: Clock) -> Side | None:
    """What is to be known of a bot in order to ask it, its host looked at; None where it does not sleep."""
    rest, meter = session.rest, session.meter
    if not session.is_asleep or rest.probe is None or rest.clock_ns is None or meter.rested_ns is None:
        return None
    meter.renew()
    return (
        session.stdin,
        session.watched,
        rest.probe,
        meter.schedstat,
        LOOKS,
        int(min(meter.fresh_until_ns, session.halt.until_ns) if session.halt else meter.fresh_until_ns),
        rest.clock_ns,
        meter.rested_ns,
        meter.owed_ns,
        *session.spent.left(),
        clock.last_ns,
        json.dumps(clock.shown(), separators=(",", ":")).rpartition(":")[0].encode() + b":",
    )


def _note(session: Session, told: SideTold) -> None:
    """Have a session know of the turns of its bot, since the last of which it sleeps."""
    _, used, delay, answered, rested, clock, wall, cpu, output = told
    session.meter.began(used, delay)
    session.meter.ended(answered, rested)
    session.rest.fell_asleep(clock)
    session.spent.wall_ns += wall
    session.spent.cpu_ns += cpu
    session.spent.output += output
