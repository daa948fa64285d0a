"""Bots that nobody listens to: one whose worker is killed, one that is kept for its next match."""

from __future__ import annotations

import os
import time

from tests.hostile.bots.ending import ignore_all, spend
from tests.hostile.bots.kit import REFUSED, first_question, hear, note, play_on, say, talk


@talk("timeout")
def bots() -> None:
    """Starts what it may, all of it deaf to signals and in sessions of its own, and never answers."""
    first_question()
    ignore_all()
    try:
        for _ in range(4):
            if os.fork() == 0:
                os.setsid()
    except OSError as error:
        note(f"{REFUSED} a child: {error}")
    os.closerange(3, 64)
    while True:
        time.sleep(60)


@talk()
def idler() -> None:
    """Asks to be kept for its next match, and computes until it begins."""
    hear()
    say(type="ready", protocol="arena/1", reusable=True)
    play_on(hear())
    spend(600)
