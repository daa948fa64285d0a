"""Why games ended, in the reader's language."""

from __future__ import annotations

from arena.core.words import N_, language, say
from engines.games import find_presentation

NOT_THE_GAMES = (
    N_("repetition"),
    N_("ply_limit"),
    N_("resign"),
    N_("withdrawn"),
    N_("disqualified"),
    N_("manual"),
)
"""Ends that no game has of its own; besides those there are the faults of bots, `FaultCode`."""


def ending(game: str, code: str) -> str:
    """The code of a result's reason in English, as the protocol has it, and elsewhere in words.

    One without words stands for itself.
    """
    tag, words = language(), find_presentation(game).reasons.get(code)
    return say(code) if words is None or tag == "en" else words.said(tag)
