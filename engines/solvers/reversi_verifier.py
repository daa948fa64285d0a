"""Checks a proof of a Reversi's value (the format is in `docs/solving.md`), and trusts nobody who wrote it.

Every position is replayed by the plain rules: each half begins with the position that the proof is about, the
game's first one unless the first line names another; what one line's moves lead to must each be a line below
it, and there is no other. What the leaves claim is solved again, of all or of some drawn by lot. Of this
project only the rules are used, and where leaves are not solved by the plain rules too (`plain`) the search
in machine code, which begins with an empty table.

It reads a line at a time. It keeps the positions that are to come yet, of one half, and the leaves drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from engines.game import GameError, Seat
from engines.games.reversed_reversi import ReversedReversi, State

FORMAT, VERSION = "bot-arena-proof", 1
LONGEST_SIDE = 8
KINDS = {"move": 4, "all": 3, "leaf": 3}
"""How many words a line of each kind has."""
HALVES: tuple[tuple[str, Seat], ...] = (("at least", 0), ("at most", 1))
FOLLOWS = ("at most ", "end ")
"""How the line begins that comes after each half."""
MEMORY = 1 << 26
"""The bytes of the search's table."""

Solver = Callable[[State, int], bool]
"""Tells whether a position is worth at least that to its mover."""
Lines = Iterator[tuple[int, str]]


class ProofError(GameError):
    """The proof is refused: the line, from 1, and the message why."""

    def __init__(self, line: int, message: str, **values: object) -> None:
        super().__init__(message, **values)
        self.line, self.why = line, super().__str__()

    def __str__(self) -> str:
        """The line, and why."""
        return f"line {self.line}: {self.why}"


class Verified(NamedTuple):
    """What a proof shows: the value for X, of the start or a `position`, and how far that was checked.

    `positions` and `leaves` count both halves, `solved` the leaves that were solved again, and `kept` the
    most positions that were in memory at once.
    """

    game: str
    params: dict[str, Any]
    position: dict[str, Any] | None
    value: int
    positions: int
    leaves: int
    solved: int
    kept: int


class _Leaf(NamedTuple):
    """A position that ends the proof, and what its side to move is said to reach, or not to."""

    line: int
    state: State
    at_least: int
    reached: bool


def verify(
    lines: Iterable[bytes],
    *,
    sample: int | None,
    seed: int = 0,
    plain: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Verified:
    """Check the lines of a proof, and solve `sample` of its leaves again, drawn by `seed`; None for all.

    `progress` is told how many of the leaves that were drawn are solved; they are solved in the end.

    Raises:
        ProofError: it proves nothing.
    """
    checking = _Checking(lines, sample, seed, plain=plain)
    checking.read()
    checking.solve_drawn(progress)
    return checking.verified()


class _Checking:
    """One proof that is being checked."""

    def __init__(self, lines: Iterable[bytes], sample: int | None, seed: int, *, plain: bool) -> None:
        self._checksum = sha256()
        self._lines = self._read(lines)
        self._sample = sample
        self._chance = Random(seed)  # noqa: S311 - who checks chooses the seed
        self._drawn: list[_Leaf] = []
        self._positions = self._leaves = self._solved = self._kept = 0
        self.game, self._start, self._value, self._frontier = _header(next(self._lines, (1, ""))[1])
        self._solver = Plain(self.game) if plain else Searching(self.game)

    def read(self) -> None:
        """Replay both halves, and compare the checksum."""
        for words, claimer in HALVES:
            number, text = self._next()
            if text != f"{words} {self._value}":
                raise ProofError(
                    number, "here stands no '%(words)s %(value)s'", words=words, value=self._value
                )
            self._half(claimer, -self._value if claimer else self._value)
        number, text = self._next()
        if text != f"end {self._checksum.hexdigest()}":
            raise ProofError(number, "the checksum is not that of the lines before it")
        if (after := next(self._lines, None)) is not None:
            raise ProofError(after[0], "something follows the end")

    def solve_drawn(self, progress: Callable[[int, int], None] | None) -> None:
        """Solve the leaves that were drawn, those first that come first."""
        for done, leaf in enumerate(sorted(self._drawn), start=1):
            self._solve(leaf)
            if progress is not None:
                progress(done, len(self._drawn))

    def verified(self) -> Verified:
        """What came out."""
        game, start = self.game, self._start
        return Verified(
            game.name,
            game.params,
            None if start == game.initial() else game.state_to_json(start),
            self._value,
            self._positions,
            self._leaves,
            self._solved,
            self._kept,
        )

    def _read(self, lines: Iterable[bytes]) -> Lines:
        """The lines with their numbers; the checksum is that of all before the last one read."""
        before = b""
        for number, line in enumerate(lines, start=1):
            self._checksum.update(before)
            before = line
            if not line.endswith(b"\n") or not line.isascii():
                raise ProofError(number, "it is not whole, or too long, or no line of text")
            yield number, line[:-1].decode()

    def _next(self) -> tuple[int, str]:
        found = next(self._lines, None)
        if found is None:
            raise ProofError(self._positions + 2, "the proof ends before its end")
        return found

    def _half(self, claimer: Seat, claim: int) -> None:
        """Replay the half in which the claimer is to reach at least the claim."""
        game = self.game
        due = {game.canonical(self._start): self._positions + 1}
        if claim <= -game.geometry.squares:  # nobody has less
            due = {}
        while due:
            number, text = self._next()
            if text.startswith(FOLLOWS[claimer]):
                missing, line = min(due.items(), key=lambda item: item[1])
                raise ProofError(
                    line, "it leads to %(position)s, which is no line below", position=self._shown(missing)
                )
            kind, state, move = self._position(number, text)
            place = game.canonical(state)
            if place not in due:
                raise ProofError(number, "no line above leads here, or it has stood here before")
            del due[place]
            self._positions += 1
            if kind == "leaf":
                self._leaf(number, state, claimer, claim)
            for after in self._after(number, kind, state, move, claimer):
                due.setdefault(game.canonical(after), number)
            self._kept = max(self._kept, len(due))

    def _after(
        self, number: int, kind: str, state: State, move: str | None, claimer: Seat
    ) -> Iterator[State]:
        """What a line's position leads to."""
        if kind == "leaf":
            return
        game = self.game
        legal = game.legal_moves(state)
        if not legal:
            raise ProofError(number, "the game is over here")
        if (state.seat == claimer) != (kind == "move"):
            raise ProofError(number, "one move is for the side that the half is about, all for the other")
        texts = [game.move_to_text(each) for each in legal]
        if kind == "move" and move not in texts:
            raise ProofError(number, "%(move)s is not allowed here", move=move)
        for each, text in zip(legal, texts, strict=True):
            if kind == "all" or text == move:
                yield game.play(state, each)

    def _position(self, number: int, text: str) -> tuple[str, State, str | None]:
        """A line's kind, its position, and its move if it is one of one move."""
        kind, *words = text.split(" ")
        if kind not in KINDS:
            raise ProofError(number, "here stands no line of %(kinds)s", kinds=", ".join(KINDS))
        if len(words) + 1 != KINDS[kind]:
            raise ProofError(number, "a line of %(kind)s has %(count)s words", kind=kind, count=KINDS[kind])
        columns, board = self.game.size, words[0]
        rows = [board[at : at + columns] for at in range(0, len(board), columns)]
        try:
            state = self.game.state_from_json({"board": rows, "to_move": words[1]})
        except GameError as error:
            raise ProofError(number, error.message, **error.values) from None
        return kind, state, words[2] if kind == "move" else None

    def _leaf(self, number: int, state: State, claimer: Seat, claim: int) -> None:
        """Take in a leaf: solve it if all are, else draw lots (Vitter's reservoir, algorithm R)."""
        if self.game.legal_moves(state) and _empty(self.game, state) > self._frontier:
            raise ProofError(
                number, "the proof ends here with more than %(most)s empty squares", most=self._frontier
            )
        reached = state.seat == claimer
        leaf = _Leaf(number, state, claim if reached else 1 - claim, reached)
        self._leaves += 1
        if self._sample is None:
            self._solve(leaf)
        elif len(self._drawn) < self._sample:
            self._drawn.append(leaf)
        elif (place := self._chance.randrange(self._leaves)) < self._sample:
            self._drawn[place] = leaf

    def _solve(self, leaf: _Leaf) -> None:
        if self._solver(leaf.state, leaf.at_least) != leaf.reached:
            if leaf.reached:
                raise ProofError(
                    leaf.line,
                    "the position is worth less than %(value)s to the side to move",
                    value=leaf.at_least,
                )
            raise ProofError(
                leaf.line,
                "the position is worth more than %(value)s to the side to move",
                value=leaf.at_least - 1,
            )
        self._solved += 1

    def _shown(self, state: State) -> str:
        told = self.game.state_to_json(state)
        return f"{''.join(told['board'])} {told['to_move']}"


class Searching:
    """Solves leaves by the search in machine code."""

    def __init__(self, game: ReversedReversi) -> None:
        from engines.solvers.reversi_search import Search

        columns, rows = game.sides
        self._search = Search(rows, columns, reversed=game.reversed, memory=MEMORY)

    def __call__(self, state: State, at_least: int) -> bool:
        """Whether a position is worth at least that to its mover."""
        return self._search.solve(state.own, state.opp, at_least - 1, at_least).low >= at_least


class Plain:
    """Solves leaves by the rules alone: every answer of one side, some answer of the other."""

    def __init__(self, game: ReversedReversi) -> None:
        self._game = game

    def __call__(self, state: State, at_least: int) -> bool:
        """Whether a position is worth at least that to its mover."""
        game = self._game
        after = [game.play(state, move) for move in game.legal_moves(state)]
        if not after:
            margin = state.own.bit_count() - state.opp.bit_count()
            return (-margin if game.reversed else margin) >= at_least
        after.sort(key=lambda each: len(game.legal_moves(each)))
        return any(not self(each, 1 - at_least) for each in after)


def _empty(game: ReversedReversi, state: State) -> int:
    return game.geometry.squares - (state.own | state.opp).bit_count()


def _header(text: str) -> tuple[ReversedReversi, State, int, int]:
    """The game, the position, the value that is claimed of it, and the most empty squares of a leaf."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or (told.get("format"), told.get("version")) != (FORMAT, VERSION):
        raise ProofError(
            1,
            "it does not say that this is a %(format)s of version %(version)s",
            format=FORMAT,
            version=VERSION,
        )
    named = told.get("game"), told.get("rules")
    if named != (ReversedReversi.name, ReversedReversi.version):
        raise ProofError(
            1, "the game is %(game)r with rules of version %(version)r", game=named[0], version=named[1]
        )
    try:
        game = ReversedReversi(**told["params"])
    except GameError as error:
        raise ProofError(1, "its parameters are none: %(error)s", error=error) from None
    except (KeyError, TypeError):
        raise ProofError(
            1, "its parameters are none of this game's: %(params)s", params=f"{told.get('params')!r:.80}"
        ) from None
    value, frontier = told.get("value"), told.get("frontier")
    if max(game.sides) > LONGEST_SIDE or type(value) is not int or type(frontier) is not int:
        raise ProofError(1, "it has no whole numbers as value and frontier, or its board is too large")
    if abs(value) > game.geometry.squares:
        raise ProofError(
            1, "nobody wins by more than %(most)s here, as its value says", most=game.geometry.squares
        )
    return game, _start(game, told.get("position")), value, frontier


def _start(game: ReversedReversi, position: Any) -> State:
    """The position that a proof is about: what its first line says, else the game's first one."""
    if position is None:
        return game.initial()
    if not isinstance(position, dict):
        raise ProofError(1, "its position is none: %(position)r", position=position)
    try:
        return game.state_from_json(position)
    except GameError as error:
        raise ProofError(1, "its position is none: %(error)s", error=error) from None
