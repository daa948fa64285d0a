"""How strong players are by the games of files: records of matches, and PGN."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from arena.core.words import say
from arena.interchange.errors import FileFormatError
from arena.interchange.pgn import read
from arena.local.errors import InputError
from arena.local.files import text_of
from arena.local.record_tables import half_points
from arena.local.records import cut_off, names_of, read_records
from arena.theory.rating.counts import Pair
from arena.theory.rating.table import Entrant, RatingOptions, Ratings, rate

ENDS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
"""The results of PGN that are rated, by the half points of who moves first."""


class Ended(NamedTuple):
    """A game that was won (2), drawn (1) or lost (0) by `first`, who moved first."""

    first: str
    second: str
    half_points: int


def games_of(file: Path, told: Callable[[str], object] = warnings.warn) -> Iterator[Ended]:
    """The games of a record file, or of any other file as PGN, without those that both lost or nobody ended.

    Of a record that was cut off in being written `told` is called with a word, and it is left out.

    Raises:
        InputError: it cannot be read.
    """
    if file.suffix == ".jsonl":
        if torn := cut_off(file):
            told(torn)
        for record in read_records(file):
            one, other = half_points(record)
            if one or other:
                first, second = names_of(record)
                yield Ended(first, second, one)
        return
    try:
        for game in read(text_of(file)):
            if game.result in ENDS:
                yield Ended(game.white, game.black, ENDS[game.result])
    except FileFormatError as error:
        raise InputError(f"{file}: {error}") from None


def rated(games: Iterable[Ended], wish: RatingOptions) -> Ratings:
    """The ratings by these games, whose order changes nothing: players are numbered by their names.

    Raises:
        InputError: there are no games, or somebody plays itself.
        UnratableError: another program's model has no ratings for these games.
    """
    met = Counter(games)
    if not met:
        raise InputError(say("no game of these files has a result"))
    if alone := min((game.first for game in met if game.first == game.second), default=None):
        raise InputError(say("{alone!r} plays itself in these files", alone=alone))
    names = sorted({name for game in met for name in game[:2]})
    numbers = {name: number for number, name in enumerate(names, 1)}
    entrants = [Entrant(number, number, name, 1, "") for name, number in numbers.items()]
    pairs = {(game.first, game.second) for game in met}
    counted = [
        Pair(numbers[one], numbers[other], *(met[Ended(one, other, made)] for made in (2, 1, 0)))
        for one, other in pairs
    ]
    return rate(entrants, counted, wish=wish)
