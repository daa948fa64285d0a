"""What an undo takes back."""

from __future__ import annotations

from workers.core.contract import MoveRecord
from workers.play.undo import undone


def test_undo_takes_back_what_a_person_chose_last() -> None:
    """Against a bot its answer goes too; between two people only the last move; a bot's first move stays."""
    moves = [MoveRecord(0, 0, "2:1"), MoveRecord(1, 1, "1:1"), MoveRecord(2, 0, "3:1")]
    assert undone(moves, (True, True)) == moves[:2]
    assert undone(moves, (True, False)) == moves[:2]
    assert undone(moves, (False, True)) == moves[:1]
    assert undone(moves[:1], (False, True)) is None
    assert undone([], (True, True)) is None


def test_a_pass_is_not_what_a_person_chose() -> None:
    """An undo goes back to before the last move that was asked for."""
    moves = [
        MoveRecord(0, 0, "a"),
        MoveRecord(1, 1, "b"),
        MoveRecord(2, 0, "pass", asked=False),
        MoveRecord(3, 1, "c"),
    ]
    assert undone(moves, (True, False)) == []
