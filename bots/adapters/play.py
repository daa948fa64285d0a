"""The adapter's loop: what the referee asks, told to the bot in its own words, and back."""

from __future__ import annotations

import importlib
import json
import sys

from bots.adapters.inner import UnreadableError
from bots.adapters.wire import Garbage, Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

KINDS = {
    "kaggle": ("kaggle", "Kaggle"),
    "botzone": ("botzone", "Botzone"),
    "botzone-keep-running": ("botzone", "KeptRunning"),
    "nboard": ("nboard", "NBoard"),
    "edax": ("edax", "Edax"),
    "ugi": ("ugi", "Ugi"),
    "gtp": ("gtp", "Gtp"),
    "lines": ("lines", "Lines"),
}
OWN = "{python}"
"""In the bot's command, this adapter's own interpreter with its options."""


def main(options: str, command: Sequence[str]) -> None:
    """Play one match."""
    told = json.loads(options)
    module, kind = KINDS[told["protocol"]]
    if command[0] == OWN:
        here = sys.orig_argv.index(sys.argv[0])
        command = [*sys.orig_argv[:here], *command[1:]]
        command[0] = sys.executable
    bot = getattr(importlib.import_module(f"bots.adapters.{module}"), kind)(told, command)
    _converse(bot, Wire())


def _converse(bot: Any, wire: Wire) -> None:
    for message in wire.messages():
        kind = message.get("type")
        try:
            if kind == "hello":
                bot.begin(message)
                wire.ready(bot.name)
            elif kind == "move":
                wire.answer(message, bot.choose(message))
            elif kind == "end":
                bot.end()
                return
        except UnreadableError as error:
            wire.answer(message, Garbage(error.received))
