"""The opponent: it plays the first legal move, after the pause that it was told."""

from __future__ import annotations

import time

from tests.hostile.bots.kit import answer, first_question, given, hear, talk


@talk()
def honest() -> None:
    """Plays, and does nothing else."""
    question = first_question()
    while question["type"] == "move":
        time.sleep(given("pause_ms") / 1000)
        answer(question)
        question = hear()
