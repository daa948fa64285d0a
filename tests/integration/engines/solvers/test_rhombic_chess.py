"""Rhombic chess solved, against plain deduction by the rules and against its document's table."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from typing import Any

import pytest

from engines.games.rhombic_chess import POINTS, STONES, RhombicChess, State
from engines.kernels import rhombic_graph
from engines.solvers import Value, find_oracle
from engines.solvers.rhombic_chess import analyse
from engines.solvers.rhombic_layers import DOCUMENT
from engines.solvers.rhombic_positions import LAYER_STARTS, graph_of, layer_size, number_of

GAME = RhombicChess()
Boards = tuple[int, int]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """The analysis."""
    return analyse(GAME)


def layer(stones: int) -> list[Boards]:
    """Every position with so many stones, as (mover's, other's) boards."""
    return [
        (sum(1 << at for at in own), sum(1 << at for at in other))
        for own in combinations(range(POINTS), stones // 2)
        for other in combinations([at for at in range(POINTS) if at not in own], stones - stones // 2)
    ]


def state_of(boards: Boards) -> State:
    """The position with the seat to move that the number of stones says."""
    own, other = boards
    return State(own, other, 1 if own.bit_count() != other.bit_count() else 0)


def by_plain_deduction() -> dict[Boards, Value]:
    """The values by the rules: rounds of deduction for ten stones, then layer by layer to the empty board."""
    after = {}
    for boards in layer(2 * STONES):
        state = state_of(boards)
        after[boards] = [GAME.play(state, move)[:2] for move in GAME.legal_moves(state)]
    values: dict[Boards, Value] = {}
    waiting, distance, decided = list(after), 0, True
    while decided:
        new = {}
        for boards in waiting:
            results = [values[each].result if each in values else 0 for each in after[boards]]
            if -1 in results or set(results) <= {1}:
                new[boards] = Value(1 if -1 in results else -1, distance)
        values |= new
        waiting = [boards for boards in waiting if boards not in new]
        distance, decided = distance + 1, bool(new)
    values |= dict.fromkeys(waiting, Value(0, None))
    for stones in range(2 * STONES - 1, -1, -1):
        for own, other in layer(stones):
            free = (1 << at for at in range(POINTS) if not (own | other) >> at & 1)
            reached = [values[other, own | point] for point in free]
            worst = min(value.result for value in reached)
            result = -worst
            plies = [value.distance or 0 for value in reached if value.result == -result]
            chosen = min(plies) if result > 0 else max(plies)
            values[own, other] = Value(result, chosen + 1 if result else None)
    return values


@pytest.mark.long
def test_values_are_those_of_plain_deduction(found: dict[str, Any]) -> None:
    """Another method gives every row of the table, and every fifth of the 364,820 results and distances."""
    values = by_plain_deduction()
    oracle = find_oracle(GAME)
    assert all(
        oracle.value(state_of(boards)) == value for boards, value in islice(values.items(), 0, None, 5)
    )
    counted: dict[int, Counter[int]] = {stones: Counter() for stones in range(11)}
    for (own, other), value in values.items():
        counted[(own | other).bit_count()][value.result] += 1
    for row in found["layers"]:
        counts = counted[row["stones"]]
        assert [row["won"], row["lost"], row["drawn"]] == [counts[1], counts[-1], counts[0]]
        assert row["positions"] == counts.total()


def test_every_position_has_a_number_of_its_own() -> None:
    """The plain reading of a state and the kernel number alike, layer after layer, without gaps."""
    boards = rhombic_graph.positions()
    assert len(boards) == LAYER_STARTS[0] + 1
    for stones in range(11):
        positions = layer(stones)
        numbers = [number_of(state_of(each)) for each in positions[::7]]
        assert len(positions) == layer_size(stones)
        assert all(0 <= number - LAYER_STARTS[stones] < len(positions) for number in numbers)
        assert [tuple(map(int, boards[number])) for number in numbers] == positions[::7]


def test_the_graph_is_that_of_the_rules() -> None:
    """The successors of positions in every layer are those that the rules give, each once."""
    graph = graph_of()
    for stones in range(11):
        for boards in layer(stones)[::97]:
            state = state_of(boards)
            number = number_of(state)
            after = graph.successors[graph.starts[number] : graph.starts[number + 1]]
            moves = GAME.legal_moves(state)
            assert sorted(map(int, after)) == sorted(number_of(GAME.play(state, move)) for move in moves)


def test_the_second_player_wins(found: dict[str, Any]) -> None:
    """The document's theorem, and that the first two stones of each side cannot spoil it."""
    theorem = found["theorem"]
    assert theorem["second_player_wins"]
    assert theorem["first_two_stones_do_not_matter"]
    assert find_oracle(GAME).value(GAME.initial()) == Value(-1, theorem["plies"])


def test_differences_from_the_document_are_told(found: dict[str, Any]) -> None:
    """Rows 10 and 5 to 1 agree; rows 9 to 6 differ, and the difference added to ours gives the document's."""
    keys = ("positions", "won", "lost", "drawn")
    for row in found["layers"]:
        assert tuple(row[key] + row["document_minus_exact"][key] for key in keys) == DOCUMENT[row["stones"]]
    differing = [row["stones"] for row in found["layers"] if any(row["document_minus_exact"].values())]
    assert differing == [9, 8, 7, 6, 0]


def test_the_exact_rule_gives_the_exact_table(found: dict[str, Any]) -> None:
    """Carrying values back by the right rule agrees with the solver: the rules stand on one footing."""
    exact = found["rules"][0]
    assert exact["rule"] == "exact"
    assert exact["layers"] == [
        {key: row[key] for key in ("stones", "positions", "won", "lost", "drawn")} for row in found["layers"]
    ]


def test_a_rule_gives_every_row_of_the_document(found: dict[str, Any]) -> None:
    """The two slips together give all rows but that of no stones, and neither of them alone does."""
    matching = {rule["rule"]: rule["rows_as_in_the_document"] for rule in found["rules"]}
    assert matching.pop("last successor, from the centre, sides exchanged") == list(range(10, 0, -1))
    assert all(7 not in rows and 6 not in rows for rows in matching.values())
    assert matching["last successor, from the centre"] == [10, 9, 8, 5, 4, 3, 2, 1]
