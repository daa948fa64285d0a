"""Commands that messages and pages tell to be typed."""

from __future__ import annotations

import shlex
from pathlib import Path


def replay_command(record: str, bot: str, seat: int, plies: int) -> str:
    """The command that asks `bot` what a seat of a recorded match was asked in so many plies."""
    words = ("arena", "match", "replay", record, "--to", bot, "--seat", str(seat), "--until", str(plies))
    return shlex.join(words)


def path_word(path: Path) -> str:
    """A path as a word of a command, which no shell takes apart and no command takes for an option."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)
