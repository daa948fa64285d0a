"""How games are shown: their names in the languages of the pages, their boards, their analyses in words.

A game's row names a class derived from `Presentation`, all of whose parts have a default. What is said on
pages is said in every language of theirs, side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation.scenes import Board, Path, Picture, Piece, numbered
from engines.presentation.words import NOTHING, Words

__all__ = ["LEFT_THE_LAST", "NOTHING", "Presentation", "Words"]


LEFT_THE_LAST = Words("left the last one to the other side", "把最後一個留給對方")
PLAYERS = {"first": Words("first", "先手"), "second": Words("second", "後手")}
"""The sides as analyses name them, by the order in which they move."""


class Presentation:
    """How the game of that name is shown, by default: its name with blanks, and the terminal's drawing.

    `reasons` are the words for the reasons of `Game.outcome`, `parameters` those for its parameters. Rules,
    notation and what the game is in short are said in English by the game itself, and in Chinese here. A game
    that has a `board` also has `shown` and `path`; see `docs/adding-a-game.md`.
    """

    reasons: ClassVar[Mapping[str, Words]] = {}
    parameters: ClassVar[Mapping[str, Words]] = {}
    chinese_summary: ClassVar[str] = ""
    chinese_rules: ClassVar[str] = ""
    chinese_notation: ClassVar[str] = ""

    def __init__(self, name: str) -> None:
        self.name = name

    def title(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - parameters are others' to tell
        """What the game is called with these parameters."""
        plain = self.name.replace("_", " ")
        return Words(plain, plain)

    def aim(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - as above
        """What the scores are to be, in brackets, where that is not plain."""
        return NOTHING

    def summary(self, game: Game[Any]) -> Words:
        """What the game is, in a sentence; likewise in English only where nobody has said it in Chinese."""
        first = (type(game).__doc__ or "").partition("\n")[0]
        return Words(first, self.chinese_summary or first)

    def rules(self, game: Game[Any]) -> Words:
        """How the game goes; in English only where nobody has said it in Chinese."""
        return Words(game.rules, self.chinese_rules or game.rules)

    def notation(self, game: Game[Any]) -> Words:
        """How moves are written; likewise."""
        return Words(game.notation, self.chinese_notation or game.notation)

    def parameter(self, name: str) -> Words:
        """What a parameter is called; itself where it has no words."""
        return self.parameters.get(name, Words(name, name))

    def board(self, game: Game[Any]) -> Board | None:  # noqa: ARG002 - as above
        """What the board is made of; None where the terminal's drawing is shown instead."""
        return None

    def shown(self, game: Game[Any], state: Any, last: Move | None) -> Picture:
        """What lies where on the board in `state`, which the move `last` led to, if any did.

        Raises:
            NotImplementedError: the game has no board.
        """
        raise NotImplementedError

    def path(self, game: Game[Any], state: Any, move: Move) -> Path:  # noqa: ARG002 - as above
        """What is pointed at to make a legal move in `state`."""
        return Path()

    def symbol(self, seat: int) -> Piece:
        """The sign of a side."""
        return numbered(seat)

    def solution(self, result: Mapping[str, Any]) -> Iterator[str | Words]:
        """The lines that `arena solve` prints for what the solver's `analyse` found.

        A line that is a plain text is the same in every language, such as one of a board.
        """
        yield from json.dumps(result, ensure_ascii=False, indent=2).splitlines()

    def hinted(self, game: Game[Any], state: Any, move: Move) -> dict[str, Any]:  # noqa: ARG002 - as above
        """What a hint tells of a best move besides the move, fit for JSON."""
        return {}

    def hint_words(self, hinted: Mapping[str, Any]) -> Words:  # noqa: ARG002 - as above
        """The same in words."""
        return NOTHING

    def best(self, hinted: Iterable[Mapping[str, Any]]) -> Words:
        """The moves that a hint tells, each with these words where there are some."""
        told = [(each["move"], self.hint_words(each)) for each in hinted]
        return Words(
            ", ".join(f"{move} ({words.english})" if words.english else move for move, words in told),
            "、".join(f"{move}（{words.chinese}）" if words.chinese else move for move, words in told),
        )

    def hint_reason(self, game: Game[Any], state: Any) -> Words:  # noqa: ARG002 - as above
        """Why the best moves of a position are best, where that can be told without having solved it."""
        return NOTHING
