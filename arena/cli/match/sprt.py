"""`arena match sprt`: games between two players until it is clear which of them is better."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.completing import players
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, GameName, OpeningOptions, Params, Seed
from arena.cli.shared.output import note
from arena.cli.simulate.command import MAX_GAMES, Confidence, PlaceOptions, play_and_report
from arena.cli.simulate.sprt_options import SprtOptions, sprt_of
from arena.core.words import N_, say
from engines import USUAL_GAME

First = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER",
        autocompletion=players,
        help="A bot as in match run, or a player such as algo3:10000.",
    ),
]
Second = Annotated[
    str, typer.Argument(metavar="PLAYER", autocompletion=players, help="The one it is set against.")
]


TWO_GAMES = N_(
    "without --openings, players that leave nothing to chance play the same two games again and again"
)


@grouped
def sprt(
    first: First,
    second: Second,
    *,
    elo0: Annotated[float, typer.Option(metavar="ELO", help="The first is better by so little …")] = 0.0,
    elo1: Annotated[float, typer.Option(metavar="ELO", help="… or by so much.")] = 10.0,
    test: SprtOptions,
    max_pairs: Annotated[
        int, typer.Option(metavar="N", min=1, max=MAX_GAMES // 2, help="Pairs after which it is given up.")
    ] = 50_000,
    game: GameName = USUAL_GAME,
    param: Params = None,
    openings: OpeningOptions,
    seed: Seed = 0,
    place: PlaceOptions,
    confidence: Confidence = 0.95,
    as_json: AsJson = False,
) -> None:
    """Play pairs of games, seats exchanged, until a sequential test says who is better, or gives up.

    Only pairs without a gap from the first on decide, so the outcome does not depend on jobs or machines. If
    it is broken off, the same command goes on from there.
    """
    from arena.cli.simulate.request import Request, params_of

    request = Request(
        game=game,
        params=params_of(param, rows=None, size=None, heaps=None),
        players=(first, second),
        games=2 * max_pairs,
        seed=seed,
        match=0,
        swap=True,
        openings=openings.both(),
        policy=(None, None),
        chunk=None,
        half_width=None,
        interval="wilson",
        confidence=confidence,
        record=None,
        sprt=sprt_of((elo0, elo1), **test.fields()),
    )
    request.check()
    if not openings.openings:
        note(say(TWO_GAMES))
    play_and_report(request, place, as_json=as_json)
