"""`arena pgn`: ratings of whoever played the games in PGN files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.commands import Commands
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson, RatingModel
from arena.cli.shared.output import print_json
from arena.cli.tournament.tables import print_ratings
from arena.core.words import say
from arena.local.files import text_of

if TYPE_CHECKING:
    from arena.interchange.pgn import PgnGame

app = Commands()

ENDS = ("1-0", "1/2-1/2", "0-1")
"""The results that are rated; games without one of them are passed over."""

OURS = {"__all__": {"entry", "version", "owner", "resampled_error"}}
"""What only bots of the arena have."""


@app.callback()
def _group() -> None:
    """Keep `ratings` a command of its group though it is the only one."""


@app.command()
def ratings(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Games; only their tags are read.")],
    *,
    model: RatingModel = "davidson",
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="How likely each is stronger than each other.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print how strong the players are by all games of the files, in Elo, with errors."""
    from arena.results.rated_games import rated_games
    from arena.theory.rating.counts import Pair
    from arena.theory.rating.fit import UnratableError
    from arena.theory.rating.table import Entrant, RatingOptions, rate

    met, names = _counted(files)
    entrants = [Entrant(number, number, name, 1, "") for name, number in names.items()]
    pairs = [Pair(*key, *(ends[result] for result in ENDS)) for key, ends in met.items()]
    try:
        rated = rate(entrants, pairs, wish=RatingOptions(pairwise=pairwise, model=model))
    except UnratableError as error:
        raise CliError(say("{error}; ask for the model davidson", error=error)) from None
    table = rated_games(rated)
    if as_json:
        print_json(table.model_dump(exclude={"resamples": True, "resamples_with_prior": True, "items": OURS}))
    else:
        print_ratings(table, say("the mean of all players is 0"))


def _counted(files: list[Path]) -> tuple[dict[tuple[int, int], Counter[str]], dict[str, int]]:
    """The results of the games by both players' numbers, White's first, and these numbers by name.

    Numbers follow the names, character by character, so that the order of the games changes nothing.
    """
    met: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for file in files:
        for game in _read(file):
            if game.result in ENDS:
                met[game.white, game.black][game.result] += 1
    if not met:
        raise UsageError(say("no game of these files has a result"))
    if alone := min((white for white, black in met if white == black), default=None):
        raise UsageError(say("{alone!r} plays itself in these files", alone=alone))
    names = {name: number for number, name in enumerate(sorted({name for pair in met for name in pair}), 1)}
    return {(names[white], names[black]): ends for (white, black), ends in met.items()}, names


def _read(file: Path) -> Iterator[PgnGame]:
    from arena.interchange.errors import FormatError
    from arena.interchange.pgn import read

    try:
        yield from read(text_of(file))
    except FormatError as error:
        raise UsageError(f"{file}: {error}") from None
