"""How games are shown: their names in the languages of the pages, their boards, their analyses in words.

A game's row names a class derived from `Presentation`, all of whose parts have a default. What is said on
pages is said in every language of theirs, side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from engines.game import Game, Move


class Words(NamedTuple):
    """The same in English and in Chinese as it is written in Taiwan."""

    english: str
    chinese: str

    def said(self, tag: str, **values: object) -> str:
        """What is said in the language of that tag (BCP 47), English if in none; `values` fill its braces."""
        text = self.chinese if tag.startswith("zh") else self.english
        return text.format(**values) if values else text


NOTHING = Words("", "")
LEFT_THE_LAST = Words("left the last one to the other side", "把最後一個留給對方")


class Presentation:
    """How the game of that name is shown, by default: its name with blanks, and the terminal's drawing.

    `board` is a Jinja template, as ``package:path``, with the macros ``board(position)`` and
    ``symbol(seat)``; see `docs/adding-a-game.md`. `reasons` are the words for the reasons of `Game.outcome`.
    """

    board: ClassVar[str | None] = None
    reasons: ClassVar[Mapping[str, Words]] = {}

    def __init__(self, name: str) -> None:
        self.name = name

    def title(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - parameters are others' to tell
        """What the game is called with these parameters."""
        plain = self.name.replace("_", " ")
        return Words(plain, plain)

    def aim(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - as above
        """What the scores are to be, in brackets, where that is not plain."""
        return NOTHING

    def solution(self, result: Mapping[str, Any]) -> Iterator[str]:
        """The lines that `arena solve` prints for what the solver's `analyse` found."""
        yield from json.dumps(result, ensure_ascii=False, indent=2).splitlines()

    def hinted(self, game: Game[Any], state: Any, move: Move) -> dict[str, Any]:  # noqa: ARG002 - as above
        """What a hint tells of a best move besides the move, fit for JSON."""
        return {}

    def hint_words(self, hinted: Mapping[str, Any]) -> str:  # noqa: ARG002 - as above
        """The same in words."""
        return ""
