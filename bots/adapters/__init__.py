"""Between `arena/1` and the protocols of other bots: a thin program that is started in front of such a bot.

It runs in the bot's sandbox, on the standard library of the interpreter for bots, and nothing else of the
arena is there: `start.py` is the program, and what it imports lies beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple


class Protocol(NamedTuple):
    """One protocol: its `title`, and the `games` that it can tell (none named: all).

    Of `bot.toml` it heeds `options`. A bot that is `imported` runs in the adapter's own process. `marks` are
    patterns that are all found in the files of nearly every program of that kind, and hardly in others.
    """

    title: str
    marks: tuple[str, ...]
    games: tuple[str, ...] = ()
    options: tuple[str, ...] = ("arguments",)
    imported: bool = False


REVERSI: Final = ("reversed_reversi",)

PROTOCOLS: Final = {
    "kaggle": Protocol(
        "Kaggle",
        (r"def \w+\(\s*(obs|observation)\b[^)]{0,200}\)|\bkaggle_environments\b",),
        options=("moves",),
        imported=True,
    ),
    "botzone": Protocol("Botzone", (r"[\"']requests[\"']", r"[\"']responses[\"']")),
    "botzone-keep-running": Protocol("Botzone, kept running", (r">>>BOTZONE_REQUEST_KEEP_RUNNING<<<",)),
    "nboard": Protocol("NBoard", (r"set myname",), REVERSI, ("arguments", "depth")),
    "edax": Protocol("Edax's console", (r"(?i)edax plays",), REVERSI),
    "ugi": Protocol("UGI", (r"\bugiok\b",), options=("arguments", "moves")),
    "gtp": Protocol("GTP", (r"\bgenmove\b",), options=("arguments", "moves")),
    "lines": Protocol(
        "CodinGame",
        (r"(?i)auto-generated code below aims at helping|write an? (action|answer) using|\bint\(input\(\)",),
        options=("arguments", "moves", "lines"),
    ),
}
"""Every protocol by the name that `bot.toml` gives it; what is recognised first stands first."""

MAX_READ_BYTES: Final = 2**20
OWN_WORDS: Final = re.compile(rb"arena/1|\barena_bot\b")
"""What a bot that speaks `arena/1` has in it."""


def recognised(files: Mapping[str, bytes], entry: str) -> str | None:
    """The protocol that a bot of these files, started by `entry`, looks like one of, if it looks like any."""
    others = (content for name, content in files.items() if name != entry)
    joined = b"\n".join((files[entry], *others))[:MAX_READ_BYTES]
    if OWN_WORDS.search(joined):
        return None
    text = joined.decode("utf-8", "replace")
    for name, protocol in PROTOCOLS.items():
        if all(re.search(mark, text) for mark in protocol.marks):
            return name
    return None
