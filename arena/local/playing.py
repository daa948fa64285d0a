"""A game at the terminal: a person against any bot, or two people, with the referee between them.

The referee asks until the game is over. Where a person takes a move back, begins again or has another bot
play, it begins anew after the moves that stand, and so does the bot; clocks go on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from arena.core.words import say
from arena.local.endings import ending
from bots.protocol.messages import Answer, Ready
from engines.game import play_all
from engines.stream import derive
from workers.core.contract import (
    RESIGNED,
    BotRef,
    FaultCode,
    GameSpec,
    MatchRecord,
    MatchResult,
    MatchSpec,
    MoveRecord,
    Seat,
    TimeControl,
)
from workers.core.stderr import Stderr
from workers.play import referee
from workers.play.clock import Clock
from workers.play.player import Fault, Player, Reply
from workers.play.starting import session_of
from workers.play.undo import undone

if TYPE_CHECKING:
    from arena.local.players import Player as Bot
    from engines.game import Game

SEATS: tuple[Seat, Seat] = (0, 1)
AN_HOUR_MS = 3600 * 1000
YOU = "you"


@dataclass(frozen=True)
class Undo:
    """Take back the last move that a person chose."""


@dataclass(frozen=True)
class Restart:
    """Begin the game again."""


@dataclass(frozen=True)
class Against:
    """Have another bot play from now on."""

    bot: Bot


@dataclass(frozen=True)
class Leave:
    """Give up; where the game is over, go."""


Act = Undo | Restart | Against | Leave


class Talk(Protocol):
    """What is said to whoever sits there, and what they say."""

    def show(self, table: Table) -> None:
        """Show a person whose turn it is where the game stands, and what was played meanwhile."""

    def listen(self, table: Table, legal: Sequence[str]) -> str | Act | None:
        """A legal move, or what else a person wants; None where what they said was answered, or nothing."""

    def tell(self, table: Table, record: MatchRecord) -> None:
        """Tell how a game has ended."""


class _ActedError(Exception):
    """A person whose turn it is wants something else than to move."""

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act


@dataclass
class Table:
    """Where a game is played: who sits there, by which clock, and the moves so far.

    Where no time control was chosen there is an hour for a move. `seed` decides the bot's luck. Of a person
    who is to move `due_ns` is when the move is due, and `thought_ns` what of the time was used before the
    referee began anew.
    """

    game: Game[Any]
    bot: Bot | None
    seat: Seat
    control: TimeControl | None
    talk: Talk
    seed: int = 0
    now: Callable[[], int] = time.monotonic_ns
    moves: list[MoveRecord] = field(default_factory=list)
    due_ns: int = 0
    thought_ns: int = 0
    has_left: bool = False
    _begun: int = 0

    @property
    def people(self) -> tuple[bool, bool]:
        """Of each seat whether a person sits there."""
        return (self._is_person(0), self._is_person(1))

    @property
    def names(self) -> Mapping[Seat, str]:
        """Who sits where."""
        bot = YOU if self.bot is None else self.bot.name
        return {seat: YOU if self._is_person(seat) else bot for seat in SEATS}

    @property
    def state(self) -> Any:
        """The position."""
        return play_all(self.game, [move.move for move in self.moves])

    @property
    def left_ns(self) -> int:
        """How long the person to move has left for it."""
        return self.due_ns - self.now()

    @property
    def can_undo(self) -> bool:
        """Whether there is a move of a person to take back."""
        return undone(self.moves, self.people) is not None

    def clock(self, seat: Seat) -> Clock:
        """A side's clock as its moves have left it."""
        clock = Clock(self._control)
        for move in self.moves:
            if move.asked and move.seat == seat:
                clock.charge(move.charged_ns)
        return clock

    def play(self, keep: Callable[[MatchRecord], None]) -> None:
        """Play until the person leaves; every game that comes to its end is told, and given to `keep`.

        Raises:
            WorkerError: a bot cannot be started here.
        """
        goes_on = True
        while goes_on:
            record = self._go_on()
            if record is not None:
                self.talk.tell(self, record)
                keep(record)
                goes_on = not self.has_left and self._goes_on_after(record)

    def _is_person(self, seat: Seat) -> bool:
        return self.bot is None or seat == self.seat

    @property
    def _control(self) -> TimeControl:
        return self.control or TimeControl(move_ms=AN_HOUR_MS, extension_ms=AN_HOUR_MS)

    def _go_on(self) -> MatchRecord | None:
        """Play on until the game is over, or None where a person has changed it."""
        spec, person = self._spec(), Person(self)
        session = None if self.bot is None else session_of(self.bot.command, spec.limits)
        other: Player = session or person
        players = (person, other) if self.seat == 0 else (other, person)
        try:
            return MatchRecord(spec=spec, result=referee.play(spec, players, moves=self.moves))
        except _ActedError as wanted:
            self._do(wanted.act)
            return None
        finally:
            if session is not None:
                session.kill()

    def _spec(self) -> MatchSpec:
        """A bot that begins anew has luck of its own, so that it need not repeat what was taken back."""
        more = (self._begun,) if self._begun else ()
        self._begun += 1
        return MatchSpec(
            match="at-the-terminal",
            game=GameSpec(name=self.game.name, params=self.game.params, version=self.game.version),
            bots=(BotRef(name=self.names[0]), BotRef(name=self.names[1])),
            seeds=(derive("game play", self.seed, 0, *more), derive("game play", self.seed, 1, *more)),
            time=self._control,
        )

    def _goes_on_after(self, record: MatchRecord) -> bool:
        """Whether the game goes on when that has ended, or is begun again; else the person goes."""
        by_moves = not record.result.forfeits and record.result.reason != RESIGNED
        while True:
            act = self.talk.listen(self, ())
            if isinstance(act, Leave):
                return False
            if act is not None and not isinstance(act, str):
                self._do(act)
                if not (by_moves and isinstance(act, Against)):
                    return True

    def _do(self, act: Act) -> None:
        if isinstance(act, Against):
            if self.bot is None:
                self.seat = self.game.to_move(self.state)
            self.bot = act.bot
            return
        self.thought_ns = 0
        self.moves = (undone(self.moves, self.people) or []) if isinstance(act, Undo) else []


class Person:
    """Whoever sits at the terminal, as the referee's player."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def begin(self, hello: Mapping[str, Any]) -> None:
        """Hear nothing."""

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        """Be ready."""
        del startup_ms
        return Ready(YOU, "", reusable=True), 0

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        """The move that is typed, in time; whatever else is typed is answered, or ends the asking."""
        table = self._table
        start = table.now() - table.thought_ns
        table.due_ns, table.thought_ns = start + allowed_ns, 0
        table.talk.show(table)
        while True:
            said = table.talk.listen(table, request["legal"])
            wall_ns = table.now() - start
            if wall_ns > allowed_ns:
                return Reply(Fault(FaultCode.TIMEOUT, "has not moved in time"), wall_ns)
            if isinstance(said, Leave):
                table.has_left = True
                return Reply(Answer(None, None), wall_ns)
            if isinstance(said, str):
                return Reply(Answer(said, None), wall_ns)
            if said is not None:
                table.thought_ns = wall_ns
                raise _ActedError(said)

    def end(self, message: Mapping[str, Any]) -> None:
        """Hear nothing."""

    def stderr(self) -> Stderr:
        """Nothing."""
        return Stderr("", "", 0)


def told(game: Game[Any], result: MatchResult, names: Mapping[Seat, str]) -> str:
    """How it ended, in a line below the position."""
    shown = game.draw(play_all(game, [move.move for move in result.moves]))
    reason = ending(game.name, result.reason)
    if result.winner is None:
        return say(
            "{shown}\nA draw ({reason}), score {what} to {what2}.",
            shown=shown,
            reason=reason,
            what=result.score[0],
            what2=result.score[1],
        )
    score = say("score {what} to {what2}", what=result.score[0], what2=result.score[1])
    return say(
        "{shown}\nSeat {winner} ({what}) wins ({reason}), {score}.",
        shown=shown,
        winner=result.winner,
        what=names[result.winner],
        reason=reason,
        score=score,
    )
