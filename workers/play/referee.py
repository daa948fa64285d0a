"""The referee: a loop over a game, two players and their clocks. It reads nothing from the environment.

A player's fault ends the match as a forfeit with its evidence; nothing that a player sends can raise.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

from bots.protocol import PROTOCOL
from bots.protocol.messages import READY_FORM, Answer, Ready, answer_form
from engines.game import Game, GameError, Move, UnreadableMoveError
from engines.games import find_game
from engines.stream import Stream, conceal
from workers.core import tracing
from workers.core.contract import (
    RESIGNED,
    FaultCode,
    Forfeit,
    MatchResult,
    MatchSpec,
    MoveRecord,
    Seat,
    SeatUse,
)
from workers.core.errors import SpecError
from workers.core.escape import escape_bytes
from workers.play.clock import Clock, excused
from workers.play.player import Fault, Player, Reply
from workers.play.policy import policy_of, watch_of
from workers.play.run import Put, Run, run_of

SEATS: tuple[Seat, Seat] = (0, 1)
TAIL_CHARS = 2000
ID_BITS = 30
OFF_TURN_TOLD_NS = 1_000_000


def game_of(spec: MatchSpec) -> Game[Any]:
    """The game that `spec` asks for.

    Raises:
        SpecError: there is no such game, or not in that version or with those parameters.
    """
    try:
        game = find_game(spec.game.name, spec.game.params)
    except GameError as error:
        raise SpecError(str(error)) from error
    if game.version != spec.game.version:
        raise SpecError(f"{game.name} is here in version {game.version}, not {spec.game.version}")
    return game


def play(
    spec: MatchSpec, players: tuple[Player, Player], host: str = "", moves: list[MoveRecord] | None = None
) -> MatchResult:
    """Play the match and return its result; the players are told how it ended.

    Its moves are appended to `moves` as they are made: a list that others may read meanwhile. Where it has
    some the game goes on after them, and each side's clock as they have left it.

    Raises:
        SpecError: the game or the opening of `spec`, or what was played before, is impossible.
    """
    return _Match(spec, players, host, [] if moves is None else moves).play()


class _Match:
    """One match while it is being played."""

    def __init__(
        self, spec: MatchSpec, players: tuple[Player, Player], host: str, moves: list[MoveRecord]
    ) -> None:
        self.spec = spec
        self.players = players
        self.host = host
        self.game: Game[Hashable] = game_of(spec)
        self.state = self.game.initial()
        self.watch = watch_of(self.game, spec.policy)
        self.clocks = (Clock(spec.time), Clock(spec.time))
        self.ready: list[tuple[Ready | Fault, int]] = []
        self.history: list[str] = []
        self.moves = moves
        self.ids = Stream("requests", conceal(*spec.seeds))  # nobody guesses them, nor the other's seed
        self.run = run_of(self.game, players, self.clocks, spec) if self.watch is None else None
        if moves:
            self._play_before()
        else:
            self._play_opening()

    def _play_before(self) -> None:
        """Go through what was played before, which stands in `moves`."""
        for record in self.moves:
            self._play_given(record.move, "what was played before")
            if record.asked:
                self.clocks[record.seat].charge(record.charged_ns)
            self._follow(record.move)

    def _play_opening(self) -> None:
        for text in self.spec.opening:
            seat = self.game.to_move(self.state)
            self._play_given(text, "the opening")
            self._note(MoveRecord(ply=len(self.history), seat=seat, move=text, asked=False))

    def _play_given(self, text: str, what: str) -> None:
        try:
            self.state = self.game.play(self.state, self.game.move_from_text(text))
        except GameError as error:
            raise SpecError(f"{what} cannot be played: {error}") from error

    def _note(self, record: MoveRecord) -> None:
        """Write down a ply; the state is the one after it."""
        self.moves.append(record)
        self._follow(record.move)

    def _follow(self, text: str) -> None:
        self.history.append(text)
        if self.watch is not None:
            self.watch.played(self.state)

    def play(self) -> MatchResult:
        with tracing.span("start"):
            forfeits = self._handshake()
        if forfeits:
            return self._end_by_forfeit(*forfeits)
        while True:
            if self.run is not None and (end := self._play_on(self.run)) is not None:
                return end
            if not (legal := self.game.legal_moves(self.state)):
                break
            if self.watch is not None and self.watch.reason is not None:
                return self._end(None, self.watch.reason, self.game.draw_score())
            seat = self.game.to_move(self.state)
            forced = self.game.forced_pass(self.state) if len(legal) == 1 else None
            if forced is not None:
                text = self.game.move_to_text(forced)
                self.state = self.game.play(self.state, forced)
                self._note(MoveRecord(ply=len(self.history), seat=seat, move=text, asked=False))
            elif (end := self._turn(seat, legal)) is not None:
                return end
        outcome = self.game.outcome(self.state)
        if outcome is None:
            raise SpecError(f"{self.game.name} has no legal move and no outcome here")
        return self._end(outcome.winner, outcome.reason, outcome.score)

    def _play_on(self, run: Run[Hashable]) -> MatchResult | None:
        """Play what compiled code can play; the result if the question that it left open ended the match."""
        played = run.on(self.state, self.ids, self.history)
        if played is None:
            return None
        rows, self.state, self.ids, put = played
        for seat, move, asked, wall_ns, cpu_ns, lag_ns, off_turn_ns in rows:
            record = MoveRecord(len(self.history), seat, move, asked, wall_ns)
            if asked:
                self.clocks[seat].charge(wall_ns + off_turn_ns)
                record.cpu_ns, record.lag_ns, record.off_turn_ns = cpu_ns, lag_ns, off_turn_ns
            self._note(record)
        if put is None:
            return None
        return self._turn(self.game.to_move(self.state), self.game.legal_moves(self.state), put)

    def _handshake(self) -> list[Forfeit]:
        forfeits, shared = [], self._hello()
        for seat, player in zip(SEATS, self.players, strict=True):  # in turn: each gets ready undisturbed
            hello = shared | {"seat": seat, "seed": self.spec.seeds[seat]}
            player.begin(hello)
            answer, took_ns = player.ready(self.spec.time.startup_ms)
            self.ready.append((answer, took_ns))
            if isinstance(answer, Fault):
                forfeits.append(self._forfeit(seat, answer, READY_FORM, Reply(answer, took_ns), hello))
        return forfeits

    def _hello(self) -> dict[str, Any]:
        """What both players are told; the seat and its seed are not filled in."""
        spec = self.spec
        return {
            "type": "hello",
            "protocols": [PROTOCOL],
            "match": spec.match,
            "game": {"name": self.game.name, "params": self.game.params, "version": self.game.version},
            "seat": None,
            "seed": None,
            "time": spec.time.model_dump(exclude={"grace_ms"}),
            "limits": spec.limits.model_dump(include={"line_bytes", "output_bytes", "memory_mb", "ponder"}),
            "policy": policy_of(self.game, spec.policy).model_dump(),
        }

    def _turn(self, seat: Seat, moves: tuple[Move, ...], put: Put | None = None) -> MatchResult | None:
        """Ask the player at `seat` for one of `moves` and play it; the result if that ended the match.

        Where the question has been `put` already, only its reply is waited for.
        """
        game, clock, ply = self.game, self.clocks[seat], len(self.history)
        legal = [*map(game.move_to_text, moves)]
        request_id = put.number if put else self.ids.word() >> 64 - ID_BITS
        request = {
            "type": "move",
            "id": request_id,
            "ply": ply,
            "state": game.state_to_json(self.state),
            "legal": legal,
            "history": self.history,
            "time": clock.shown(),
        }
        allowed_ns = clock.allowed_ns()
        reply = put.reply(allowed_ns) if put else self.players[seat].ask(request, allowed_ns)
        outcome, wall_ns, cpu_ns, lag_ns, off_turn_ns, strain, _ = reply
        in_time, extension = clock.charge(max(0, wall_ns + off_turn_ns - strain.lost_ns))
        if isinstance(outcome, Fault) or not in_time or outcome.move not in legal:
            verdict = self._judge(reply, in_time=in_time)
            if isinstance(verdict, Answer):
                return self._end(SEATS[1 - seat], RESIGNED, game.forfeit_score(seat))
            if verdict.code is FaultCode.TIMEOUT:
                verdict = self._late(verdict, reply, allowed_ns, extension=extension)
            form = answer_form(request_id, legal)
            return self._end_by_forfeit(self._forfeit(seat, verdict, form, reply, request))
        chosen = legal.index(outcome.move)
        self.state = game.play(self.state, moves[chosen])
        self._note(
            MoveRecord(
                ply=ply,
                seat=seat,
                move=legal[chosen],
                wall_ns=wall_ns,
                cpu_ns=cpu_ns,
                extension=extension,
                lag_ns=lag_ns,
                debug=outcome.debug,
                off_turn_ns=off_turn_ns,
                strain=strain,
            )
        )
        return None

    def _judge(self, reply: Reply, *, in_time: bool) -> Answer | Fault:
        """What is wrong with a reply that brought no legal move in time; its answer if it resigns."""
        outcome = reply.outcome
        if isinstance(outcome, Fault):
            return outcome
        if not in_time:
            return Fault(FaultCode.TIMEOUT, "answered too late", reply.received)
        if outcome.move is None:
            return outcome
        received = reply.received or json.dumps(outcome.move).encode()
        try:
            self.game.move_from_text(outcome.move)
        except UnreadableMoveError as error:
            return Fault(FaultCode.ILLEGAL_MOVE, f"not a move of this game: {error}", received)
        return Fault(FaultCode.ILLEGAL_MOVE, f"{outcome.move!r} is not allowed here", received)

    def _late(self, fault: Fault, reply: Reply, allowed_ns: int, *, extension: bool) -> Fault:
        """A timeout that says what it took, what was allowed, and whether the host explains it."""
        time, lost_ns = self.spec.time, reply.strain.lost_ns
        due = f"{time.move_ms} ms" + ("" if time.bank_ms is None else " and what its bank held")
        extended = (
            f"even with one of its extensions ({time.extension_ms} ms in all)"
            if extension
            else f"and none of its {time.extensions} extensions was left"
        )
        words = f"{fault.detail}: {reply.wall_ns / 1e6:.0f} ms had passed, {due} were allowed, {extended}"
        if lost_ns:
            words += f"; {lost_ns / 1e6:.0f} ms of it were lost to others on its host"
        if reply.off_turn_ns > OFF_TURN_TOLD_NS:
            words += f"; {reply.off_turn_ns / 1e6:.0f} ms of processor time between its turns were charged"
        return fault._replace(detail=words, strain=reply.strain, excused=excused(lost_ns, allowed_ns))

    def _forfeit(
        self, seat: Seat, fault: Fault, expected: str, reply: Reply, request: Mapping[str, Any]
    ) -> Forfeit:
        stderr = self.players[seat].stderr()
        return Forfeit(
            seat=seat,
            code=fault.code,
            ply=len(self.history),
            id=request.get("id"),
            detail=fault.detail,
            expected=expected,
            received=escape_bytes(fault.received),
            request=json.dumps(request, ensure_ascii=False),
            clock_ns=reply.wall_ns,
            cpu_ns=reply.cpu_ns,
            strain=fault.strain,
            excused=fault.excused,
            stderr_tail=(stderr.head + stderr.tail)[-TAIL_CHARS:],
        )

    def _end_by_forfeit(self, *forfeits: Forfeit) -> MatchResult:
        first = forfeits[0]
        worst = self.game.forfeit_score(first.seat)
        if len(forfeits) == 1:
            return self._end(SEATS[1 - first.seat], first.code.value, worst, forfeits)
        other = self.game.forfeit_score(SEATS[1 - first.seat])
        score = (worst[0], other[1]) if first.seat == 0 else (other[0], worst[1])
        return self._end(None, first.code.value, score, forfeits)

    def _end(
        self, winner: Seat | None, reason: str, score: tuple[int, int], forfeits: tuple[Forfeit, ...] = ()
    ) -> MatchResult:
        for seat, player in enumerate(self.players):
            word = "draw" if winner is None and not forfeits else "win" if winner == seat else "loss"
            player.end({"type": "end", "result": word, "reason": reason, "score": score})
        return MatchResult(
            match=self.spec.match,
            winner=winner,
            reason=reason,
            score=score,
            forfeits=forfeits,
            moves=tuple(self.moves),
            seats=(self._use(0), self._use(1)),
            host=self.host,
        )

    def _use(self, seat: Seat) -> SeatUse:
        answer, startup_ns = self.ready[seat]
        asked = [move for move in self.moves if move.seat == seat and move.asked]
        clock = self.clocks[seat]
        stderr = self.players[seat].stderr()
        return SeatUse(
            bot_name=answer.name if isinstance(answer, Ready) else "",
            bot_version=answer.version if isinstance(answer, Ready) else "",
            startup_ns=startup_ns,
            wall_ns=clock.total_ns,
            cpu_ns=sum(move.cpu_ns or 0 for move in asked),
            slowest_ns=clock.slowest_ns,
            answers=len(asked),
            extensions_used=self.spec.time.extensions - clock.extensions_left,
            bank_left_ms=clock.bank_ms,
            stderr_head=stderr.head,
            stderr_tail=stderr.tail,
            stderr_bytes=stderr.size,
        )
