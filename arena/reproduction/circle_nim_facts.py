"""What the circle-Nim document says beyond its tables, computed or played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.documents import circle_nim as document
from engines.game import Move, Seat
from engines.games.circle_nim import CircleNim, State, lines
from engines.solvers import find_oracle
from engines.strategies.algorithms import LAST, Algorithm, Size
from engines.strategies.circle_nim import Moves, RandomByCount, kinds
from engines.strategies.for_people import AgainstPeople
from engines.stream import Stream, game_stream, run_key

GAMES = 2_000
OFTEN_ROWS, OFTEN_RECORDS = 3, 10_000
"""Where strategy 2 comes up most often."""

ODD_ROWS = (3, 4, 5)


class Twice(NamedTuple):
    """How many of `games` used strategy 2, used it more than once, and the first of those in text."""

    games: int
    used: int
    more_than_once: int
    example: str


class People(NamedTuple):
    """Games that the program for people won, and in which it would have broken off, of `games`."""

    games: int
    won: int
    broken_off: int


class Example(NamedTuple):
    """Games of random play with as many plies as the document's example, and how many of them A lost.

    A makes the first ply.
    """

    games: int
    lost: int


class Even(NamedTuple):
    """Positions of five rows with an even number of circles left, and those with a pair and no line of three.

    And in `games` of the third algorithm its turns by strategy 3 with an even number left, how many of them
    were without a line of three, and in how many it took two.
    """

    positions: int
    open: int
    games: int
    turns: int
    without: int
    two: int


class Facts(NamedTuple):
    """`odd` is positions of single circles, and those of them that the odd rule gets wrong.

    `five` is the result (1, 0, -1) for the side that begins with five rows when both play perfectly, `fewer`
    the same with three rows and with four.
    """

    odd: tuple[int, int]
    twice: Twice
    even: Even
    people: People
    example: Example
    five: int
    fewer: tuple[int, int]


class Counting(Algorithm):
    """Counts how often strategy 2 speaks."""

    spoken = 0

    def avoid(self, moves: Moves, losing: Moves, stream: Stream) -> Move:
        """Strategy 2, counted."""
        self.spoken += 1
        return super().avoid(moves, losing, stream)


class Watched(Algorithm):
    """An algorithm that notes each turn of strategy 3 with an even number left.

    It notes whether there was a line of three, and how many circles it took.
    """

    def __init__(self, *of: Any) -> None:
        super().__init__(*of)
        self.noted: list[tuple[bool, int]] = []

    def by_parity(self, moves: Moves, left: int, stream: Stream) -> Move:
        """Strategy 3, noted."""
        move = super().by_parity(moves, left, stream)
        if left % 2 == 0:
            self.noted.append((bool(moves & kinds(5)[2]), lines(5).masks[move].bit_count()))
        return move


def facts(seed: int) -> Facts:
    """All of it."""
    three, four, five = (_result(CircleNim(rows)) for rows in ODD_ROWS)
    return Facts(
        odd_rule(), strategy_two(seed), even_left(seed), people(seed), example(seed), five, (three, four)
    )


def _result(game: CircleNim) -> int:
    """What perfect play comes to for the side that begins."""
    return find_oracle(game).value(game.initial()).result


def odd_rule() -> tuple[int, int]:
    """Positions without neighbouring circles, and those of them that the odd rule gets wrong."""
    checked = wrong = 0
    for rows in ODD_ROWS:
        game = CircleNim(rows)
        oracle = find_oracle(game)
        pairs = [mask for mask in lines(rows).masks if mask.bit_count() == 2]
        for left in range(1, 1 << game.circles):
            if not _has(left, pairs):
                checked += 1
                lost = oracle.value(State(left, 0)).result < 0
                wrong += lost != (left.bit_count() % 2 == 1)
    return checked, wrong


def strategy_two(seed: int) -> Twice:
    """How often the second algorithm comes to strategy 2 in a game."""
    game = CircleNim(OFTEN_ROWS)
    player, other = Counting(game, 2, Size(OFTEN_RECORDS, OFTEN_RECORDS), seed), RandomByCount(game)
    used = more = 0
    example = ""
    for index in range(GAMES):
        player.spoken = 0
        history = _play(game, (player, other), _stream("strategy 2", seed, index))[1]
        used += player.spoken > 0
        more += player.spoken > 1
        if player.spoken > 1 and not example:
            example = " ".join(map(game.move_to_text, history))
    return Twice(GAMES, used, more, example)


def even_left(seed: int) -> Even:
    """Where the third algorithm's code, with an even number left, may take two."""
    game = CircleNim(5)
    pairs, threes = ([mask for mask in lines(5).masks if mask.bit_count() == size] for size in (2, 3))
    even = [left for left in range(1, 1 << game.circles) if left.bit_count() % 2 == 0]
    free = sum(_has(left, pairs) and not _has(left, threes) for left in even)
    size = Size(document.PEOPLE_RECORDS, document.PEOPLE_RECORDS)
    player, other = Watched(game, LAST, size, seed), RandomByCount(game)
    for index in range(GAMES):
        _play(game, (player, other), _stream("even number left", seed, index))
    without = [taken for threes, taken in player.noted if not threes]
    return Even(len(even), free, GAMES, len(player.noted), len(without), without.count(2))


def _has(left: int, some: Sequence[int]) -> bool:
    """Whether any of these lines can be taken."""
    return any(left & mask == mask for mask in some)


def people(seed: int) -> People:
    """How well the program for people plays against random, and how often it would have broken off."""
    game = CircleNim(5)
    player = AgainstPeople(game, Size(document.PEOPLE_RECORDS, document.PEOPLE_RECORDS), seed)
    won = broken = 0
    for index in range(GAMES):
        winner, history = _play(game, (player, RandomByCount(game)), _stream("people", seed, index))
        won += winner == 0
        broken += _broke_off(game, player, history)
    return People(GAMES, won, broken)


def example(seed: int) -> Example:
    """Who loses the games that are as long as the one in the document's figure 3."""
    game, player = CircleNim(5), RandomByCount(CircleNim(5))
    games = lost = 0
    for index in range(GAMES):
        winner, history = _play(game, (player, player), _stream("example", seed, index))
        alike = len(history) == document.EXAMPLE_GAME_PLIES
        games += alike
        lost += alike and winner == 1
    return Example(games, lost)


def _broke_off(game: CircleNim, player: AgainstPeople, history: Sequence[Move]) -> bool:
    state = game.initial()
    for ply, move in enumerate(history):
        if ply % 2 == 0 and player.breaks_off(state, history[:ply]):
            return True
        state = game.play(state, move)
    return False


def _stream(purpose: str, seed: int, index: int) -> Stream:
    return game_stream(run_key(Stream("reproduction", purpose, seed).word() >> 11, 0), index)


def _play(
    game: CircleNim, players: Sequence[Algorithm | RandomByCount | AgainstPeople], stream: Stream
) -> tuple[Seat | None, list[Move]]:
    """The winner and the moves of a game."""
    state, history = game.initial(), list[Move]()
    while (outcome := game.outcome(state)) is None:
        move = players[state.seat].choose(state, history, stream)
        state = game.play(state, move)
        history.append(move)
    return outcome.winner, history
