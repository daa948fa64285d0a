"""What a position is worth and what is best there, in the words of `arena game hint`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from arena.core.words import language, say, say_many

if TYPE_CHECKING:
    from engines.game import Game


def hint_lines(game: Game[Any], state: Any, told: Mapping[str, Any]) -> Iterator[str]:
    """The hint in words, below a drawing of the position."""
    from engines.games import find_presentation

    presentation = find_presentation(game.name)
    yield game.draw(state)
    yield ""
    ended = "" if told["moves"] else say("; the game is over")
    plies = (
        ""
        if told["plies"] is None or ended
        else say_many(" in {number} ply", " in {number} plies", told["plies"])
    )
    score = presentation.hint_score(told).said(language())
    yield say(
        "seat {seat} is to move: {result}{plies}{ended}",
        seat=told["seat"],
        result=say(told["result"]) if told["result"] else say("not solved"),
        plies=plies,
        ended=ended,
    ) + (score and f". {score}")
    for move in told["moves"]:
        words = presentation.hint_words(move).said(language())
        yield f"  {move['move']}{words and '  ' + words}"
