"""A bot of our own as a player without a process: the same object that its process would run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from bots.protocol.messages import Answer, Ready
from bots.sdk.arena_bot import RESIGN, Match, Request
from workers.core.stderr import Stderr
from workers.play.player import Fault, Reply


class InProcessPlayer:
    """Plays with `bot`, an object with `choose(request)` as the kit for bots describes it.

    For trusted code only: it is not confined, nothing interrupts it when its time is over, and an exception
    in it is not a forfeit but goes through to the caller.
    """

    def __init__(self, bot: Any) -> None:
        self._bot = bot

    def begin(self, hello: Mapping[str, Any]) -> None:
        """Start a match; what the bot does to get ready is not billed."""
        self._match = Match(dict(hello))
        if hasattr(self._bot, "start"):
            self._bot.start(hello)

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        """The bot's name and version; it is ready already."""
        del startup_ms
        name = getattr(self._bot, "name", type(self._bot).__name__)
        return Ready(name, str(getattr(self._bot, "version", "")), reusable=True), 0

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        """The bot's choice, timed; the caller's clock judges whether it came in time."""
        del allowed_ns
        cpu, start = time.thread_time_ns(), time.monotonic_ns()
        choice = self._bot.choose(Request(dict(request), self._match))
        wall, cpu = time.monotonic_ns() - start, time.thread_time_ns() - cpu
        move, debug = choice if isinstance(choice, tuple) else (choice, None)
        return Reply(Answer(None if move is RESIGN else move, debug), wall, cpu)

    def end(self, message: Mapping[str, Any]) -> None:
        """Tell the bot how it ended, if it wants to know."""
        if hasattr(self._bot, "end"):
            self._bot.end(message)

    def stderr(self) -> Stderr:
        """Nothing: such a bot writes to this process's own stderr."""
        return Stderr("", "", 0)
