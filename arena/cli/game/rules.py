"""A game's rules and its notation, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from arena.cli.shared.columns import filled
from arena.core.words import language, say, say_many
from engines.games import find_presentation
from workers.core.contract import Policy
from workers.play.policy import policy_of

if TYPE_CHECKING:
    from engines.game import Game

WIDTH = 80


def wrapped(text: str) -> str:
    """A paragraph in lines of a terminal."""
    return "\n".join(filled(text, WIDTH))


def rule_paragraphs(game: Game[Any]) -> Iterator[str]:
    """How the game goes, when a match of it is drawn, and how its moves are written."""
    yield find_presentation(game.name).rules(game).said(language())
    if game.can_repeat:
        policy = policy_of(game, Policy()).model_dump()
        yield say(
            "A match is drawn when a position comes up {repetition}, and after {max_plies}.",
            repetition=say_many("{number} time", "{number} times", policy["repetition"]),
            max_plies=say_many("{number} ply", "{number} plies", policy["max_plies"]),
        )
    yield notation(game)


def notation(game: Game[Any]) -> str:
    """How its moves are written."""
    return say("Moves: {notation}", notation=find_presentation(game.name).notation(game).said(language()))
