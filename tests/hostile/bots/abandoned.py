"""A bot for a worker that is killed: what it leaves behind, nobody is there to end."""

from __future__ import annotations

import os
import time

from tests.hostile.bots.ending import ignore_all
from tests.hostile.bots.kit import REFUSED, first_question, note, talk


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
