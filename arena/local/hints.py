"""What a position is worth and what is best there, in the words of `arena game hint`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from arena.core.words import language, say, say_many

if TYPE_CHECKING:
    from engines.game import Game
    from engines.presentation.words import Words


def reason(game: Game[Any], state: Any) -> Words:
    """Why the best moves of a position are best, where its game can tell."""
    from engines.games import find_presentation

    return find_presentation(game.name).hint_reason(game, state)


def worth(game: Game[Any], told: Mapping[str, Any]) -> str:
    """What a position, or a move, is worth and how soon that is decided, or what is expected of it."""
    from engines.games import find_presentation

    presentation, plies = find_presentation(game.name), told.get("plies")
    if told.get("estimate") is not None:
        return say("about {ahead}", ahead=presentation.ahead(told["estimate"]).said(language()))
    if told["result"] is None:
        return say("not solved")
    soon = "" if plies is None else say_many(" in {number} ply", " in {number} plies", plies)
    more = ""
    if told.get("chance") is not None:
        more = presentation.chance_words(told["chance"]).said(language())
    elif plies is None and told.get("margin"):
        more = presentation.ahead(told["margin"]).said(language())
    return say(told["result"]) + soon + (more and say("; {more}", more=more))


def hint_lines(game: Game[Any], state: Any, told: Mapping[str, Any]) -> Iterator[str]:
    """The hint in words: what the position is worth, the best moves, and why where that can be told."""
    from engines.games import find_presentation

    presentation = find_presentation(game.name)
    over = not told["moves"]
    yield say(
        "seat {seat} is to move: {worth}{ended}",
        seat=told["seat"],
        worth=say(told["result"]) if over else worth(game, {**told, "margin": None}),
        ended=say("; the game is over") if over else "",
    )
    if score := presentation.hint_score(told).said(language()):
        yield score
    for move in told["moves"]:
        words = presentation.hint_words(move).said(language())
        yield f"  {move['move']}{words and '  ' + words}"
    if told["moves"] and (why := reason(game, state).said(language())):
        yield why
