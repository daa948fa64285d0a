"""Circle Nim's document plays against itself with its own code, taken out of its text when this runs."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from benchmarks.peers import MissingPeerError, Player, Totals

NAME = "document's Python"
FUNCTIONS = ("genChoice", "computerRound", "choiceExtract", "com_vs_com")
ROWS = 5


def player(text: Path | None) -> Player:
    """The document's `com_vs_com`, which plays one game between two random players.

    Raises:
        MissingPeerError: no document was given, or it is not the one with that code.
    """
    if text is None:
        raise MissingPeerError(f"{NAME}: give the document's text with --document PATH")
    blocks = re.findall(r"```\n(.*?)```", text.read_text(encoding="utf-8"), re.DOTALL)
    found = [next((block for block in blocks if f"def {name}(" in block), "") for name in FUNCTIONS]
    if not all(found):
        raise MissingPeerError(f"{NAME}: {text} does not have the functions {', '.join(FUNCTIONS)}")
    names: dict[str, Any] = {}
    exec("\n".join(found), names)  # noqa: S102 - it is this code that is to be measured
    play_one = names[FUNCTIONS[-1]]

    def play(games: int, _match: int) -> Totals:
        started = time.process_time()
        for _ in range(games):
            play_one(ROWS)
        return Totals(games, time.process_time() - started)

    return Player(NAME, play)
