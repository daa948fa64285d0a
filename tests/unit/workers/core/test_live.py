"""Moves as workers write them while a match goes on."""

from __future__ import annotations

import pytest

from workers.core.contract import CpuContention, MoveRecord
from workers.core.live import MAX_LINE_BYTES, LivePly, line_of, place, ply_of


def test_a_ply_comes_back_without_what_is_private() -> None:
    """Seat, move and what it was charged are told; what the bot wrote about it is not."""
    move = MoveRecord(
        ply=3,
        seat=1,
        move="é\n1",
        wall_ns=5_999_999,
        debug="secret",
        off_turn_ns=1_000_000,
        strain=CpuContention(lost_ns=2_000_000),
    )
    line = line_of(move)
    assert b"secret" not in line
    assert line.count(b"\n") == 1
    assert line.isascii()
    printable = line_of(MoveRecord(ply=0, seat=0, move="é1", asked=False))
    assert ply_of(printable) == LivePly(0, "é1", False, 0)
    with pytest.raises(ValueError, match="short text"):
        ply_of(line)


@pytest.mark.parametrize(
    "line",
    [
        *(
            b"",
            b"x",
            b"{}",
            b"[]",
            b"[0,1,2]",
            b'[2,"a",1,0]',
            b'[0,"",1,0]',
            b'[0,"a",2,0]',
            b'[0,"a",1,-1]',
        ),
        *(b'[true,"a",1,0]', b"[0,7,1,0]", b'[0,"a\\u001b",1,0]', b'[0,"a",1,1e999]', b'[0,"a",1,0,0]'),
        *(b'[0,"' + b"a" * 201 + b'",1,0]', b"[" * 1500, b'[0,"a",1,' + b"9" * MAX_LINE_BYTES + b"]"),
    ],
)
def test_what_no_worker_writes_is_refused(line: bytes) -> None:
    """Whoever can write to the broker cannot make a move of anything else."""
    with pytest.raises(ValueError):  # noqa: PT011  (its words are for the log)
        ply_of(line)


def test_the_place_follows_from_the_token_and_not_the_other_way_round() -> None:
    """Each token has its place, and the place does not tell it."""
    assert place("a") != place("b")
    assert "a" * 32 not in place("a" * 32)
