"""The algorithms of circle Nim's document, against their definition spelt out on plain lists."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engines.game import Seat
from engines.games.circle_nim import CircleNim, State, lines
from engines.games.heap_nim import HeapNim
from engines.strategies import StrategyError, find_strategy
from engines.strategies.algorithms import Algorithm
from engines.strategies.records import make
from engines.stream import Stream, game_stream
from tests.integration.engines.strategies.test_records import games_of
from tests.unit.engines.strategies.scripted import Scripted

SEATS: tuple[Seat, Seat] = (0, 1)


class Spelt:
    """An algorithm by its definition: lists of records, filtered from the first to the last."""

    def __init__(self, game: CircleNim, player: Algorithm) -> None:
        self.game, self.player = game, player
        self.lists = {
            which.seat * 2 + which.won: games_of(make(which))
            for which in (player.record_set(seat, won=won) for seat in SEATS for won in (True, False))
        }

    def choose(self, state: State, history: Sequence[int], stream: Stream) -> int:
        """The move of the first strategy that says something."""
        nexts: list[list[int]] = []
        for won in (True, False):
            games = self.lists[state.seat * 2 + won]
            nexts.append([game[len(history)] for game in games if list(game[: len(history)]) == history])
        legal = list(self.game.legal_moves(state))
        if nexts[0]:
            return stream.choice(nexts[0])
        if self.player.number > 1 and nexts[1]:
            rest = [move for move in legal if move not in nexts[1]]
            return self.by_count(rest if self.of(rest, 1) else legal, stream)
        if self.player.number == 3:
            if state.left.bit_count() % 2 == 1 and self.of(legal, 2):
                return stream.choice(self.of(legal, 2))
            if state.left.bit_count() % 2 == 0 and self.of(legal, 3):
                return stream.choice(self.of(legal, (1, 3)[stream.below(2)]))
        return self.by_count(legal, stream)

    def of(self, moves: Sequence[int], circles: int) -> list[int]:
        """Those that take so many circles."""
        return [move for move in moves if lines(self.game.rows).masks[move].bit_count() == circles]

    def by_count(self, moves: Sequence[int], stream: Stream) -> int:
        """The random player's draw."""
        if self.of(moves, 2):
            return stream.choice(self.of(moves, 1 + stream.below(3 if self.of(moves, 3) else 2)))
        return stream.choice(self.of(moves, 1))


@pytest.mark.parametrize("rows", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("count", [1, 20, 400])
def test_an_algorithm_plays_by_its_definition(rows: int, number: int, count: int) -> None:
    """In both seats, against the random player and itself, with the same draws as spelt out on lists."""
    check_by_definition(CircleNim(rows), f"algo{number}:{count}:9")


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("size", ["400/1", "1/400"])
def test_it_does_so_with_other_numbers_of_losing_records(number: int, size: str) -> None:
    """Likewise, with as many records of each kind as its name says."""
    check_by_definition(CircleNim(4), f"algo{number}:{size}:9")


def check_by_definition(game: CircleNim, name: str) -> None:
    """Play 60 games, and compare every move and every draw with the lists."""
    player = find_strategy(name, game)
    assert isinstance(player, Algorithm)
    spelt, other = Spelt(game, player), find_strategy("random", game)
    for index in range(60):
        state, history = game.initial(), list[int]()
        stream, shadow = game_stream(1, index), game_stream(1, index)
        seats = ((player, other), (other, player), (player, player))[index % 3]
        while game.outcome(state) is None:
            mover = seats[state.seat]
            move = mover.choose(state, history, stream)
            assert (spelt if mover is player else other).choose(state, history, shadow) == move
            state = game.play(state, move)
            history.append(move)
        assert stream.word() == shadow.word()


@pytest.mark.parametrize(
    ("left", "numbers", "move", "bounds"),
    [
        ("1 2 3 4 5", (4,), "2-5", [7]),
        ("1 4 6", (1,), "4", [3]),
        ("1 2 4 9", (0, 3), "9", [2, 4]),
        ("1 2 4 9", (1, 0), "1-2-4", [2, 1]),
        ("1 2 6 9", (1, 0), "1-2", [2, 2]),
    ],
)
def test_the_odd_rule_draws_as_defined(
    left: str, numbers: tuple[int, ...], move: str, bounds: list[int]
) -> None:
    """Two of an odd number, one or three of an even one; as the random player where that is not to be had.

    The history is one that no record begins with.
    """
    game = CircleNim(4)
    state = State(sum(1 << int(number) - 1 for number in left.split()), 0)
    stream = Scripted(numbers)
    assert game.move_to_text(find_strategy("algo3:1", game).choose(state, (0,) * 9, stream)) == move
    assert stream.bounds == bounds


def test_a_text_is_completed_to_the_player_s_name() -> None:
    """Defaults are filled in, so that equal names play equally."""
    game = CircleNim(3)
    names = [
        find_strategy(text, game).name for text in ("algo1", "algo2:5", "algo3:1000000:9007199254740991")
    ]
    assert names == ["algo1:10000:0", "algo2:5:0", "algo3:1000000:9007199254740991"]


def test_two_numbers_are_those_of_won_and_of_lost_games() -> None:
    """Each kind has its own; two equal ones are the player that one number names, by the same name."""
    game = CircleNim(3)
    texts = "algo2:5/7", "algo3:70/7:3", "algo3_vs_hum:5/7:1", "algo3:60/60:3"
    names = [find_strategy(text, game).name for text in texts]
    assert names == ["algo2:5/7:0", "algo3:70/7:3", "algo3_vs_hum:5/7:1", "algo3:60:3"]
    player = find_strategy(names[1], game)
    assert isinstance(player, Algorithm)
    assert [player.record_set(1, won=won).size for won in (True, False)] == [70, 7]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("algo1:5/7", "algo1 has records of won games only, as in algo1:10000:7, not '5/7'"),
        ("algo2:0/7", "the number of winning records of algo2 is a whole number from 1 to 1000000, not '0'"),
        ("algo3:5/", "the number of losing records of algo3 is a whole number from 1 to 1000000, not ''"),
        ("algo3:5/1000001", "the number of losing records of algo3 is .* not '1000001'"),
        ("algo3_vs_hum:5/7/9", "the number of losing records of algo3_vs_hum is .* not '7/9'"),
        ("algo3:5:7/9", "the seed of algo3 is .* not '7/9'"),
    ],
)
def test_wrong_numbers_of_either_kind_are_refused(text: str, refusal: str) -> None:
    """The message says which of the two is wrong; the first algorithm has no losing records."""
    with pytest.raises(StrategyError, match=refusal):
        find_strategy(text, CircleNim(3))


@pytest.mark.parametrize(
    "text",
    [
        "algo1:0", "algo1:-1", "algo1:1000001", "algo1:many", "algo1:", "algo1:1:", "algo1:01", "algo1:1.5",
        "algo1:1e3", "algo1: 1", "algo1:٣", "algo1:1:-1", "algo1:1:9007199254740992", "algo1:1:2:3",
        "algo4:1", "algo1:" + "9" * 5000,
    ],
)  # fmt: skip
def test_wrong_parameters_are_refused(text: str) -> None:
    """No records, too many, no number, a second way to write one, and too much of them."""
    with pytest.raises(StrategyError, match=r"whole number from|as in algo1|there are algo1"):
        find_strategy(text, CircleNim(3))


def test_other_games_are_refused() -> None:
    """The algorithms know circle Nim only."""
    with pytest.raises(StrategyError, match=r"heap_nim has no player 'algo3:100'; there are .*xor"):
        find_strategy("algo3:100", HeapNim())
