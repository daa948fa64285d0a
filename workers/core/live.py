"""Moves of a match while it is played: how a worker writes them to the broker, and where others find them.

They are a text, a line a ply, that only grows, under a name that follows from the attempt's token: who knows
the token finds the text, and not the other way round. Whatever stands there is provisional: what counts is
what is reported at the end, and every move of that is played again.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from workers.core.contract import MoveRecord, Seat

PREFIX = "arena.live."
MAX_MOVE_CHARS = 200
MAX_LINE_BYTES = 2048
MAX_BYTES = 256 * 1024
"""So long the text may be; a longer match is shown no further until it is recorded."""


class LivePly(NamedTuple):
    """One ply as it is told while the match goes on: whether it was asked for, and what it was charged."""

    seat: Seat
    move: str
    asked: bool
    ms: int


def place(token: str) -> str:
    """The name under which the moves of an attempt stand."""
    return PREFIX + hashlib.sha256(f"live {token}".encode()).hexdigest()[:40]


def line_of(move: MoveRecord) -> bytes:
    """The line of a ply; ASCII, so that a text can be cut anywhere."""
    told = (move.seat, move.move, int(move.asked), move.charged_ns // 1_000_000)
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def steps_place(token: str) -> str:
    """The name under which the parts of a check that are done stand, for the attempt of that token."""
    return PREFIX + hashlib.sha256(f"check {token}".encode()).hexdigest()[:40]


def ply_of(line: bytes) -> LivePly:
    """The ply of a line, which anybody may have written.

    Raises:
        ValueError: no worker writes such a line.
    """
    if len(line) > MAX_LINE_BYTES:
        raise ValueError("the line is too long")
    try:
        told = json.loads(line)
    except RecursionError:
        raise ValueError("the line is nested") from None
    if not (isinstance(told, list) and len(told) == 4):
        raise ValueError("a ply has four parts")
    seat, move, asked, ms = told
    if not (type(seat) is type(asked) is type(ms) is int and seat in (0, 1) and asked in (0, 1)):
        raise ValueError("seat, asked and ms are numbers")
    if not (isinstance(move, str) and 0 < len(move) <= MAX_MOVE_CHARS and move.isprintable()):
        raise ValueError("a move is a short text")
    if not 0 <= ms < 2**40:
        raise ValueError("nobody thinks so long")
    return LivePly(1 if seat else 0, move, bool(asked), ms)
