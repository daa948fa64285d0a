"""`arena pgn`: ratings of whoever played the games in files of PGN or of records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.shared.commands import Commands
from arena.cli.shared.failures import CliError
from arena.cli.shared.options import AsJson, RatingModel
from arena.cli.shared.output import note, print_json
from arena.cli.tournament.tables import print_ratings
from arena.core.words import say

app = Commands()

OURS = {"__all__": {"entry", "version", "owner", "resampled_error"}}
"""What only bots of the arena have."""


@app.callback()
def _group() -> None:
    """Keep `ratings` a command of its group though it is the only one."""


@app.command()
def ratings(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="PGN, of which the tags are read, or recorded FILE.jsonl."),
    ],
    *,
    model: RatingModel = "davidson",
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="How likely each is stronger than each other.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print how strong the players are by all games of the files, in Elo, with errors."""
    from arena.local.rating import games_of, rated
    from arena.results.rated_games import rated_games
    from arena.theory.rating.fit import UnratableError
    from arena.theory.rating.table import RatingOptions

    games = (game for file in files for game in games_of(file, note))
    try:
        table = rated_games(rated(games, RatingOptions(pairwise=pairwise, model=model)))
    except UnratableError as error:
        raise CliError(say("{error}; ask for the model davidson", error=error)) from None
    if as_json:
        print_json(table.model_dump(exclude={"resamples": True, "resamples_with_prior": True, "items": OURS}))
    else:
        print_ratings(table, say("the mean of all players is 0"))
