"""The strong Reversi player: it takes what is forced, judges sensibly, and keeps to its time."""

from __future__ import annotations

import time

import pytest

from bots.reference.endgame import Endgame, OutOfTimeError
from bots.reference.midgame import WON, Child, Midgame
from bots.reference.strong import MOST_SECONDS, thinking_seconds
from bots.reference.values import ORDINARY, square_weights
from bots.sdk.arena_bot import Time
from engines.games.reversed_reversi import SIZES, ReversedReversi, State
from tests.unit.bots.reference.questions import ask, endings, started, walks

NO_HURRY = float("inf")


@pytest.mark.parametrize("flag", [True, False])
def test_it_plays_endings_perfectly(flag: bool) -> None:
    """With seven squares left its move reaches the exact value of the position."""
    game = ReversedReversi(reversed=flag)
    bot = started("strong", game)
    for state in endings(game, 10, empty=7):
        after = game.play(state, game.move_from_text(ask(bot, game, state, 5000)))
        assert -exact(game, after) == exact(game, state)


def exact(game: ReversedReversi, state: State) -> int:
    """The mover's final advantage."""
    solver = Endgame(game.size, fewest=game.reversed)
    solver.deadline = NO_HURRY
    moves = 0
    for move in game.legal_moves(state):
        moves |= 1 << move if move < game.size**2 else 0
    return solver.value(state.own, state.opp, moves, -100, 100)


@pytest.mark.parametrize("flag", [True, False])
def test_a_search_to_the_end_agrees_with_the_solver(flag: bool) -> None:
    """Searched deep enough, the midgame's value is the solver's, with the premium for winning."""
    game = ReversedReversi(reversed=flag)
    for state in endings(game, 10, empty=6):
        search = Midgame(8, 58, fewest=flag)
        _, value = search.deepen(search.root(state.own, state.opp), 6, NO_HURRY)
        margin = exact(game, state)
        premium = WON if margin > 0 else -WON if margin < 0 else 0
        assert value == 100 * margin + premium


def test_pruning_changes_no_value() -> None:
    """The search with its table, order and windows finds what plain minimax of its own children finds."""
    for state in list(walks(ReversedReversi(), 2))[::9]:
        search = Midgame(8, 30, fewest=True)
        children = search.root(state.own, state.opp)
        for depth in (1, 2):
            ordered, value = search.deepen(children, depth, NO_HURRY)
            values = {child.square: -plain(search, child, depth) for child in children}
            assert value == max(values.values()) == values[ordered[0].square]


def plain(search: Midgame, child: Child, depth: int) -> int:
    """The new mover's value of a child, by minimax."""
    _, _, own, opp, moves, weight = child
    if not moves:
        replies = search._find(opp, own)
        if not replies:
            return search._final(own, opp)
        return -plain(search, Child(0, 0, opp, own, replies, -weight), depth)
    grandchildren = search._children(own, opp, moves, weight)
    if depth == 1:
        return max(grandchild.judged for grandchild in grandchildren)
    return max(-plain(search, grandchild, depth - 1) for grandchild in grandchildren)


@pytest.mark.parametrize("size", SIZES)
def test_weights_have_the_board_s_symmetry(size: int) -> None:
    """Turning or mirroring the board changes no square's weight, and corners are corners."""
    weights = square_weights(size, ORDINARY[0])
    rows = [tuple(weights[i : i + size]) for i in range(0, size * size, size)]
    assert rows == rows[::-1] == [row[::-1] for row in rows] == list(zip(*rows, strict=True))
    assert rows[0][0] == ORDINARY[0].corner


@pytest.mark.parametrize("move_ms", [1, 50, 400])
def test_it_obeys_the_clock(move_ms: int) -> None:
    """The processor time of an answer stays below the limit, or is next to nothing where that is tiny."""
    game = ReversedReversi()
    bot = started("strong", game)
    for state in list(walks(game, 1))[::6]:
        before = time.process_time()
        ask(bot, game, state, move_ms)
        assert time.process_time() - before < max(move_ms / 1000, 0.1)


def test_a_deadline_stops_the_search() -> None:
    """A search that is out of time says so instead of guessing."""
    own, opp, _ = ReversedReversi().initial()
    search = Midgame(8, 4, fewest=True)
    with pytest.raises(OutOfTimeError):
        search.deepen(search.root(own, opp), 9, time.monotonic() + 0.01)


@pytest.mark.parametrize(
    ("move_ms", "bank_ms", "most"),
    [(1000, None, 0.8), (1000, 0, 0.8), (10, 60_000, 2.1), (1, None, 0.0), (60_000, None, MOST_SECONDS)],
)
def test_the_share_of_the_time(move_ms: int, bank_ms: int | None, most: float) -> None:
    """Most of the move's own time, little of the bank, nothing of the extensions, and never too long."""
    control = {"extension_ms": 120_000, "increment_ms": 0}
    ledger = {"move_ms": move_ms, "extensions_left": 3, "bank_ms": bank_ms, "last_ms": 0}
    assert most * 0.85 <= thinking_seconds(Time(control, ledger)) <= most


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("flag", [True, False])
def test_every_board_is_played(size: int, flag: bool) -> None:
    """On every size and under both rules its move is legal."""
    game = ReversedReversi(size=size, reversed=flag)
    bot = started("strong", game)
    for state in list(walks(game, 1))[::7]:
        assert game.move_from_text(ask(bot, game, state, 40)) in game.legal_moves(state)
