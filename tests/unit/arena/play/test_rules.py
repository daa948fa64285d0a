"""What follows from a game's moves: turns, passes, ends and clocks."""

from __future__ import annotations

import pytest

from arena.play import rules
from arena.play.rules import ClockTime, MoveTime
from engines.game import IllegalMoveError, UnreadableMoveError
from engines.games import find_game
from workers.core.contract import MoveRecord

NIM = find_game("heap_nim", {"heaps": [1, 1, 1]})
REVERSI = find_game("reversed_reversi", {"size": 4})
L_GAME = find_game("l_game")


def _played(game: object, *texts: str) -> list[MoveRecord]:
    moves: list[MoveRecord] = []
    for text in texts:
        moves = rules.played(game, moves, text, rules.NS)  # type: ignore[arg-type]
    return moves


def test_moves_are_the_turns_of_both_sides() -> None:
    """Each move is its side's, takes what it took, and the last one ends the game."""
    moves = _played(NIM, "1:1", "2:1", "3:1")
    assert [(move.ply, move.seat, move.move) for move in moves] == [
        (0, 0, "1:1"),
        (1, 1, "2:1"),
        (2, 0, "3:1"),
    ]
    at = rules.position_of(NIM, [move.move for move in moves])
    assert at.outcome is not None
    assert at.outcome.winner == 0


@pytest.mark.parametrize(
    ("text", "error"),
    [("1:2", IllegalMoveError), ("take", UnreadableMoveError), ("9:1", UnreadableMoveError)],
)
def test_what_the_rules_forbid_is_refused(text: str, error: type[Exception]) -> None:
    """A move that is not legal, or none at all, is refused, and nothing is played."""
    with pytest.raises(error):
        rules.played(NIM, [], text, 0)


def test_nobody_moves_after_the_end() -> None:
    """A game that is over takes no move."""
    moves = _played(NIM, "1:1", "2:1", "3:1")
    with pytest.raises(IllegalMoveError):
        rules.played(NIM, moves, "1:1", 0)


def test_a_pass_without_a_choice_is_played() -> None:
    """Where the rules leave only a pass it follows by itself, and nobody was asked for it."""
    moves: list[MoveRecord] = []
    seen = False
    while (at := rules.position_of(REVERSI, [move.move for move in moves])).outcome is None:
        legal = REVERSI.legal_moves(at.state)
        moves = rules.played(REVERSI, moves, REVERSI.move_to_text(legal[0]), 0)
        seen = seen or any(not move.asked for move in moves)
    assert seen
    assert all(move.asked == (move.move != "pass") for move in moves)


def test_a_game_that_comes_back_is_drawn() -> None:
    """The same position for the third time draws, as in a match, and an undo goes on from before it."""
    texts: list[str] = []
    there_and_back = _cycle()
    while rules.position_of(L_GAME, texts).outcome is None:
        texts.append(there_and_back[len(texts) % len(there_and_back)])
        assert len(texts) < 50
    outcome = rules.position_of(L_GAME, texts).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, "repetition")
    assert rules.position_of(L_GAME, texts[:-1]).outcome is None


def _cycle() -> list[str]:
    """Moves of the L-Game that lead back to its beginning: each side puts its L away and back."""
    start = L_GAME.initial()
    for one in L_GAME.legal_moves(start):
        first = L_GAME.play(start, one)
        for two in L_GAME.legal_moves(first):
            second = L_GAME.play(first, two)
            for three in L_GAME.legal_moves(second):
                third = L_GAME.play(second, three)
                back = [each for each in L_GAME.legal_moves(third) if L_GAME.play(third, each) == start]
                if back:
                    return [L_GAME.move_to_text(move) for move in (one, two, three, back[0])]
    raise AssertionError


def test_a_clock_counts_what_was_asked_for() -> None:
    """What a side thought is taken off, and each of its moves adds the increment."""
    moves = [
        MoveRecord(0, 0, "a", wall_ns=3 * rules.NS),
        MoveRecord(1, 1, "b", wall_ns=2 * rules.NS),
        MoveRecord(2, 0, "pass", asked=False),
    ]
    clock = ClockTime(10, 1)
    assert rules.left_seconds(clock, moves, 0) == 8
    assert rules.left_seconds(clock, moves, 1) == 9
    assert rules.used_seconds(moves, 0) == 3


def test_a_clock_for_a_move_has_extensions() -> None:
    """Who has extensions has their time for a move; each move that spent one takes it off its side's."""
    moves = [
        MoveRecord(0, 0, "a", wall_ns=90 * rules.NS, extension=True),
        MoveRecord(1, 1, "b", wall_ns=9 * rules.NS),
    ]
    clock = rules.clock_of({"move": 60, "extensions": 1, "extension": 120})
    assert isinstance(clock, MoveTime)
    assert [rules.extensions_left(clock, moves, seat) for seat in (0, 1)] == [0, 1]
    assert [rules.left_seconds(clock, moves, seat) for seat in (0, 1)] == [60, 120]
    assert rules.clock_of({"seconds": 10, "increment": 1}) == ClockTime(10, 1)
    assert rules.clock_of(None) is None
