"""Commands that messages and pages tell to be typed."""

from __future__ import annotations

import shlex


def replay_command(record: str, bot: str, seat: int, plies: int) -> str:
    """The command that asks `bot` what a seat of a recorded match was asked in so many plies."""
    words = ("arena", "match", "replay", record, "--to", bot, "--seat", str(seat), "--until", str(plies))
    return shlex.join(words)
