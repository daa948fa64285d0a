"""Games judged by trying every move to the end: what the arena's own judges are held against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from engines.game import Game, Move

WORDS = {1: "won", 0: "drawn", -1: "lost"}


class Ply(NamedTuple):
    """A move by the plain judge: what was there before it and after it for the side that made it.

    `worse` says whether a move had a worse value than the best, and `choice` whether one had a worse result.
    """

    number: int
    seat: int
    before: int
    after: int
    worse: bool
    choice: bool
    chosen: bool
    bot: str


class Story(NamedTuple):
    """Seat and ply of the last move that gave something away, and of who stood lost, by the plain judge."""

    turning: tuple[int, int] | None
    lost: tuple[int, int] | None


class PlainJudge:
    """Tries every move to the end by the rules alone; a value is the mover's margin, or 1 or -1."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.sign = -1 if game.score_sense == "fewest" else 1
        self._known: dict[Any, int] = {}

    def value(self, state: Any) -> int:
        """What the position is worth to the side to move, of which more is better."""
        if state not in self._known:
            moves = self.game.legal_moves(state)
            self._known[state] = max(map(self.after(state), moves)) if moves else self._end(state)
        return self._known[state]

    def after(self, state: Any) -> Any:
        """What a move leads to, for the side that makes it."""

        def value(move: Move) -> int:
            then = self.game.play(state, move)
            same = self.game.to_move(then) == self.game.to_move(state)
            return self.value(then) if same else -self.value(then)

        return value

    def best(self, state: Any) -> list[str]:
        """All moves that keep the value."""
        moves = self.game.legal_moves(state)
        return sorted(
            self.game.move_to_text(move) for move in moves if self.after(state)(move) == self.value(state)
        )

    def plies(self, line: dict[str, Any]) -> Iterator[Ply]:
        """Every move of a recorded game."""
        state, bots = self.game.initial(), [line["players"][player] for player in line["seats"]]
        for number, text in enumerate(line["moves"], start=1):
            move, moves = self.game.move_from_text(text), self.game.legal_moves(state)
            chosen = number > line["opening_plies"] and self.game.forced_pass(state) is None
            values, seat = [self.after(state)(each) for each in moves], self.game.to_move(state)
            yield Ply(
                number,
                seat,
                self.value(state),
                self.after(state)(move),
                min(values) < max(values),
                sign(min(values)) < sign(max(values)),
                chosen,
                bots[seat],
            )
            state = self.game.play(state, move)

    def story(self, line: dict[str, Any]) -> Story:
        """What there is to tell of a recorded game that was played to its end."""
        turning, since = None, [0, 0]
        for ply in self.plies(line):
            if ply.before >= 0 > ply.after:
                since[ply.seat] = ply.number if ply.chosen else 0
            if ply.chosen and sign(ply.after) < sign(ply.before):
                turning = ply.seat, ply.number
        lost = None if ply.after == 0 else ply.seat if ply.after < 0 else 1 - ply.seat
        return Story(turning, None if lost is None else (lost, since[lost]))

    def _end(self, state: Any) -> int:
        outcome, mover = self.game.outcome(state), self.game.to_move(state)
        assert outcome is not None
        if self.game.score_sense is None:
            return 1 if outcome.winner == mover else -1
        return self.sign * (outcome.score[mover] - outcome.score[1 - mover])


def sign(value: int) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)
