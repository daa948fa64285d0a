"""Rhombic chess's analysis in words: the table, the theorem, and where the document's numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.presentation import Presentation, Words
from engines.presentation.tables import table_lines

RESULTS = ("won", "lost", "drawn")


class RhombicChessPresentation(Presentation):
    """How rhombic chess is shown."""

    board = "engines.presentation:boards/rhombic_chess.html"
    reasons: ClassVar = {"blocked": Words("the other side cannot move", "對方的棋子都不能動")}

    def title(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - it has none
        """Its name."""
        return Words("Rhombic Chess", "斜方棋")

    def solution(self, result: Mapping[str, Any]) -> Iterator[str]:
        """What `engines.solvers.rhombic_chess.analyse` found."""
        yield "Positions by stones on the board, for the side to move; the document's table beside"
        yield from _layers(result["layers"])
        yield from _theorem(result["theorem"])
        yield from _rules(result["rules"], result["layers"])


def _layers(layers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    columns = ("stones", "positions", *RESULTS, "longest", "|", "positions", *RESULTS, "|", "difference")
    rows = [
        (
            layer["stones"],
            layer["positions"],
            *(layer[result] for result in RESULTS),
            layer["longest"],
            "|",
            *(layer["document"][key] for key in ("positions", *RESULTS)),
            "|",
            _difference(layer["document_minus_exact"]),
        )
        for layer in layers
    ]
    yield from table_lines(columns, rows)


def _difference(difference: Mapping[str, int]) -> str:
    told = ", ".join(f"{number:+d} {name}" for name, number in difference.items() if number)
    return told or "none"


def _theorem(theorem: Mapping[str, Any]) -> Iterator[str]:
    who = "second" if theorem["second_player_wins"] else "first"
    yield ""
    yield f"The {who} player wins, in {theorem['plies']} plies if both play perfectly."
    if theorem["first_two_stones_do_not_matter"]:
        yield "It is enough to play well from one's third stone on: every position with five stones is won."


def _rules(rules: Sequence[Mapping[str, Any]], layers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    differing = [layer["stones"] for layer in layers if any(layer["document_minus_exact"].values())]
    shown = [stones for stones in differing if stones]
    yield ""
    yield "Ways to carry values back from ten stones, and what each gives (won / lost / drawn)"
    document = ("the document", *(_cell(layer["document"]) for layer in layers if layer["stones"] in shown))
    rows = [document]
    for rule in rules:
        by_stones = {layer["stones"]: layer for layer in rule["layers"]}
        rows.append((rule["rule"], *(_cell(by_stones[stones]) for stones in shown)))
    yield from table_lines(("rule", *(f"{stones} stones" for stones in shown)), rows)
    yield ""
    for rule in rules:
        same = [stones for stones in shown if stones in rule["rows_as_in_the_document"]]
        told = f"gives the document's rows for {_listed(same)} stones" if same else "gives none of these rows"
        yield f"{rule['rule']}: {rule['description']}; {told}"
    if 0 in differing:
        yield "Without stones there is one position, the empty board; the document repeats the row before."


def _cell(row: Mapping[str, int]) -> str:
    return " / ".join(str(row[result]) for result in RESULTS)


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last
