"""The retrograde solver on any graph and any game, against the plain reading of what a value is."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.game import Seat
from engines.games import find_game
from engines.games.circle_nim import CircleNim, State
from engines.solvers.oracle import SolverError, Value, before, decoded, encoded, rank
from engines.solvers.retrograde import Graph, explore, moves_into, solve

Successors = list[list[int]]


def graph_of(successors: Successors, ends: list[int]) -> Graph:
    """The arrays that the solver takes."""
    starts = np.cumsum([0, *map(len, successors)])
    flat = [each for those in successors for each in those]
    return Graph(starts.astype(np.int64), np.array(flat, np.int32), np.array(ends, np.int8))


def by_rounds(successors: Successors, ends: list[int]) -> list[Value]:
    """The values by definition: what is decided in round n, from the rounds before, is at distance n."""
    found: dict[int, Value] = {
        position: Value(end, 0) for position, end in enumerate(ends) if not successors[position] and end
    }
    waiting = [position for position, after in enumerate(successors) if after]
    distance = 0
    while True:
        distance += 1
        lost = {position for position, value in found.items() if value.result < 0}
        won = {position for position, value in found.items() if value.result > 0}
        new = {}
        for position in waiting:
            if lost & set(successors[position]):
                new[position] = Value(1, distance)
            elif won >= set(successors[position]):
                new[position] = Value(-1, distance)
        if not new:
            return [found.get(position, Value(0, None)) for position in range(len(ends))]
        found |= new
        waiting = [position for position in waiting if position not in new]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Successors, list[int]]:
    """Small graphs with cycles, moves in double, loops, and ends of every kind."""
    count = draw(st.integers(1, 12))
    successors = st.lists(st.integers(0, count - 1), max_size=4)
    ends = st.sampled_from([-1, -1, 0, 1])
    return (
        draw(st.lists(successors, min_size=count, max_size=count)),
        draw(st.lists(ends, min_size=count, max_size=count)),
    )


@given(graphs())
def test_any_graph_is_solved_as_by_definition(drawn: tuple[Successors, list[int]]) -> None:
    """Results and distances are those that rounds of plain deduction find."""
    found = solve(graph_of(*drawn))
    assert [decoded(int(code)) for code in found] == by_rounds(*drawn)


@given(graphs(), st.sets(st.integers(0, 11)))
def test_moves_into_a_set_are_counted(drawn: tuple[Successors, list[int]], chosen: set[int]) -> None:
    """Each move counts, also those that lead to the same position."""
    successors, ends = drawn
    flags = np.array([position in chosen for position in range(len(ends))])
    counted = moves_into(graph_of(successors, ends), flags)
    assert counted.tolist() == [sum(after in chosen for after in those) for those in successors]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("circle_nim", {"rows": 3}),
        ("heap_nim", {"heaps": [2, 3, 4]}),
        ("heap_nim", {"heaps": [2, 3, 4], "misere": True}),
    ],
)
def test_any_game_is_solved_by_its_own_rules(name: str, params: dict[str, Any]) -> None:
    """Games that end in the mover's win and in its loss have the values of a plain look-ahead."""
    game = find_game(name, params)

    @cache
    def looked_ahead(state: Any) -> Value:
        outcome = game.outcome(state)
        if outcome is not None:
            return Value(1 if outcome.winner == game.to_move(state) else -1, 0)
        after = [looked_ahead(game.play(state, move)) for move in game.legal_moves(state)]
        return before(max(after, key=rank))

    numbers, graph = explore(game, 10_000)
    codes = solve(graph)
    assert len(numbers) == len(codes)
    assert {decoded(int(codes[number])) for number in numbers.values()} == set(map(looked_ahead, numbers))
    assert all(decoded(int(codes[number])) == looked_ahead(state) for state, number in numbers.items())


def test_a_game_with_too_many_positions_is_refused() -> None:
    """The limit is kept, and named."""
    with pytest.raises(SolverError, match="more than 100 positions"):
        explore(find_game("circle_nim", {"rows": 4}), 100)


class OneSided(CircleNim):
    """A game in which seat 0 moves again and again."""

    name: ClassVar[str] = "one_sided"

    def to_move(self, state: State) -> Seat:
        """Always seat 0."""
        del state
        return 0


def test_a_game_without_turns_is_refused() -> None:
    """A value changes sides with every move, so a side that moves twice cannot be solved here."""
    with pytest.raises(SolverError, match="twice in turn"):
        explore(OneSided(3), 100)


def chain(length: int) -> Graph:
    """Positions in a row, the first one an end that is lost."""
    return graph_of([[], *([number] for number in range(length))], [-1] * (length + 1))


def test_a_byte_reaches_126_plies() -> None:
    """The farthest distance is told right, and one ply more is refused instead of being told wrong."""
    assert decoded(int(solve(chain(126))[126])) == Value(-1, 126)
    with pytest.raises(SolverError, match="too far"):
        solve(chain(127))


@given(st.sampled_from([-1, 0, 1]), st.integers(0, 126))
def test_codes_are_read_as_they_were_written(result: int, distance: int) -> None:
    """A value comes back from its code, which is a byte and not the mark of no position."""
    value = Value(result, distance if result else None)
    assert decoded(encoded(value)) == value
    assert 0 <= encoded(value) < 255


def test_a_win_without_a_distance_has_no_code() -> None:
    """It is refused, not taken for another."""
    with pytest.raises(ValueError, match="distance"):
        encoded(Value(1, None))


def test_moves_are_ranked_by_result_then_by_speed() -> None:
    """Fast wins come first, then slow wins, draws, slow losses, fast losses."""
    order = [Value(-1, 0), Value(-1, 4), Value(0, None), Value(1, 5), Value(1, 1)]
    mixed = [order[at] for at in (3, 0, 4, 2, 1)]
    assert sorted(mixed, key=rank, reverse=True) == order
