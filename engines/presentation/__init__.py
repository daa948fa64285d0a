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
    notation and what the game is in short are said in English by the game itself, and in Chinese here. A
    `unit` is what a score counts, and `chance` says, with the `{share}` that the oracle's `promise` is, how
    promising a drawn position is. A game that has a `board` also has `shown` and `path`, and says
    `how_to_point` at it to move; see `docs/adding-a-game.md`.
    """

    reasons: ClassVar[Mapping[str, Words]] = {}
    parameters: ClassVar[Mapping[str, Words]] = {}
    unit: ClassVar[Words] = Words("point", "分")
    chance: ClassVar[Words] = NOTHING
    how_to_point: ClassVar[Words] = NOTHING
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

    def hint_words(self, hinted: Mapping[str, Any]) -> Words:
        """The same in words."""
        return self.chance_words(hinted["chance"]) if "chance" in hinted else NOTHING

    def chance_words(self, chance: float) -> Words:
        """How promising a drawn position is for the side that has moved into it."""
        share = f"{100 * chance:.0f} %"
        return Words(*(text.format(share=share) for text in self.chance))

    def ahead(self, margin: float) -> Words:
        """How much more than the other side's a score is, to the whole number."""
        number = abs(round(margin))
        units = self.unit.english if number == 1 else f"{self.unit.english}s"
        if number == 0:
            return Words(f"as many {units} as the other side", f"與對方{self.unit.chinese}數相同")
        many = Words("more", "多") if margin > 0 else Words("fewer", "少")
        return Words(
            f"{number} {units} {many.english} than the other side",
            f"比對方{many.chinese} {number} {self.unit.chinese}",
        )

    def hint_score(self, hint: Mapping[str, Any]) -> Words:
        """By which score a hint lets the game end, for the side to move: exactly, or as it is estimated."""
        if seen := hint.get("estimated"):
            ahead, best, depth = self.ahead(seen["margin"]), seen["best"], seen["depth"]
            return Words(
                f"The champion's search of {depth} plies would play {best}: about {ahead.english} at the"
                " end.",
                f"champion 往前搜尋 {depth} 手後會下 {best}：估計終局時大約{ahead.chinese}。",
            )
        if hint.get("margin") is None or not hint["moves"]:
            return NOTHING
        ahead, best = self.ahead(hint["margin"]), hint["moves"][0]["move"]
        return Words(
            f"After {best} and perfect play of both sides: {ahead.english} at the end.",
            f"下 {best}，之後雙方都以完美下法進行：終局時{ahead.chinese}。",
        )

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
