"""Tournaments with published tie-breaks, and how they are written here.

A line is one player's rounds: the opponent's number, `w` or `b` for the first or the second move, and the
result: `1`, `=`, `0`; `+` and `-` without a game; and without an opponent `U` for a bye that the pairing
gave, `F`, `H`, `Z` for a full, a half and no point asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from arena.theory.pairing.contract import Entrant, Kind, Meeting
from arena.theory.standings.field import Field

Games = Mapping[int, str]

ENTRY = re.compile(r"(?:(\d+)([wb]))?([1=0+UFHZ-])")
HALF_POINTS = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0, "U": 2, "F": 2, "H": 1, "Z": 0}
KINDS = {
    "U": Kind.BYE,
    "F": Kind.FULL_BYE,
    "H": Kind.HALF_BYE,
    "Z": Kind.ZERO_BYE,
    "+": Kind.FORFEIT,
    "-": Kind.FORFEIT,
}


def meetings(games: Games) -> Iterator[Meeting]:
    """The meetings that the lines tell, each once."""
    ends = {
        (number, round_): ENTRY.fullmatch(text).groups()  # type: ignore[union-attr]  # else a line is wrong
        for number, line in games.items()
        for round_, text in enumerate(line.split(), start=1)
    }
    for (number, round_), (opponent, side, end) in ends.items():
        kind = KINDS.get(end, Kind.PLAYED)
        if opponent is None:
            yield Meeting(round_, number, None, (HALF_POINTS[end], 0), 1, kind)
        elif side == "w":
            back = ends[int(opponent), round_]
            assert back[0] == str(number)
            yield Meeting(round_, number, int(opponent), (HALF_POINTS[end], HALF_POINTS[back[2]]), 1, kind)


def entrants(games: Games) -> list[Entrant]:
    """The players of the lines."""
    return [Entrant(number) for number in games]


def field(games: Games, *, swiss: bool = True) -> Field:
    """The field after all rounds."""
    return Field.of(entrants(games), meetings(games), swiss=swiss)


SWISS_OF_5 = {
    1: "9w1 13b= 2w= 15b1 4w=",
    2: "10b1 7w1 1b= 16w1 3b=",
    3: "11w= 6b1 8w1 4b= 2w=",
    4: "12b1 H 13w1 3w= 1b=",
    5: "13w0 15b0 11w1 7b= 10w1",
    6: "14b0 3w0 U 10w1 8b1",
    7: "15w1 2b0 16b0 5w= 11b0",
    8: "16b= 14w1 3b0 13w1 6w0",
    9: "1b0 10w0 H 11b- U",
    10: "2w0 9b1 15w0 6b0 5b0",
    11: "3b= 16w0 5b0 9w+ 7w1",
    12: "4w0 U 14w+ Z Z",
    13: "5b1 1w= 4b0 8b0 14w0",
    14: "6w1 8b0 12b- Z 13b1",
    15: "7b0 5w1 10b1 1w0 16b0",
    16: "8w= 11b1 7w1 2b0 15w1",
}
"""Five rounds of a Swiss tournament; M. Held, *Exercises in Tie-Breaking*, FIDE, 2024."""

SWISS_OF_9 = {
    1: "9w1 13b= 2w= 15b1 4w= 6b= 3b= 16w= 8b1",
    2: "10b1 7w1 1b= 16w1 3b1 4w= 6w0 15b= 5w=",
    3: "11w= 6b1 8w1 4b= 2w0 16b1 1w= 14w1 10b1",
    4: "12b1 H 13w1 3w= 1b= 2b= 16w= 6b= 15w1",
    5: "13w0 15b0 11w1 7b= 10w1 14b0 9b1 8w0 2b=",
    6: "14b0 3w0 U 10w1 8b1 1w= 2b1 4w= 16b1",
    7: "15w1 2b0 16b0 5w= 11b0 10b0 13w1 9w1 14b1",
    8: "16b= 14w1 3b0 13w1 6w0 11b= 15w= 5b1 1w0",
    9: "1b0 10w0 H 11b- U 13b1 5w0 7b0 12w=",
    10: "2w0 9b1 15w0 6b0 5b0 7w1 12b1 11w1 3w0",
    11: "3b= 16w0 5b0 9w+ 7w1 8w= 14b0 10b0 13w=",
    12: "4w0 U 14w+ Z Z 15b0 10w0 13b= 9b=",
    13: "5b1 1w= 4b0 8b0 14w0 9w0 7b0 12w= 11b=",
    14: "6w1 8b0 12b- Z 13b1 5w1 11w1 3b0 7w0",
    15: "7b0 5w1 10b1 1w0 16b0 12w1 8b= 2w= 4b0",
    16: "8w= 11b1 7w1 2b0 15w1 3w0 4b= 1b= 6w0",
}
"""The same tournament after nine rounds."""

ROUND_ROBIN = {
    1: "5w= 2w1 3b1 4w0 6b1",
    2: "6w1 1b0 5w1 3w= 4b1",
    3: "4w1 6b1 1w0 2b= 5w1",
    4: "3b0 5b0 6w= 1b1 2w0",
    5: "1b= 4w1 2b0 6w- 3b0",
    6: "2b0 3w0 4b= 5b+ 1w0",
}
"""A round robin of the same, with a forfeit."""

MANY_UNPLAYED = {
    1: "8b= 6w1 3b= 14w+ 5w= 2b0 9w=",
    2: "9w0 11b1 15w1 5b- 7b1 1w1 5b0",
    3: "10b+ 7b1 1w= 9b= H Z H",
    4: "11w- 13w- 6b- U 8w= 15b= 6w=",
    5: "13b1 9w= 7b= 2w+ 1b= 11w= 2w1",
    6: "14w= 1b0 4w+ 7w= 9b0 10w0 4b=",
    7: "15b1 3w0 5w= 6b= 2w0 14b0 U",
    8: "1w= 14b- Z Z 4b= 13w1 14b0",
    9: "2b1 5b= H 3w= 6w1 H 1b=",
    10: "3w- 15w- 13w= 15b1 14w1 6b1 11w0",
    11: "4b- 2w0 U 13b1 15w1 5b= 10b1",
    12: "H F 14b1 H Z F Z",
    13: "5w0 4b- 10b= 11w0 U 8b0 15w0",
    14: "6b= 8w+ 12w0 1b- 10b0 7w1 8w1",
    15: "7w0 10b+ 2b0 10w0 11b0 4w= 13b1",
}
"""Every kind of unplayed round: `swiss_with_many_unplayed_rounds` of the FIDE tie-break server's tests."""
