"""`arena match sprt`: games between two players until it is clear which of them is better."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.options import AsJson, Params
from arena.cli.shared.output import note
from arena.cli.simulate.command import MAX_GAMES, Confidence, Where
from arena.cli.simulate.sprt_options import Alpha, Beta, Look, Model, ModelName, Scale, ScaleName
from engines import USUAL_GAME


def sprt(
    first: Annotated[
        str, typer.Argument(metavar="PLAYER", help="A bot as in match run, or a player such as algo3:10000.")
    ],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The one it is set against.")],
    *,
    elo0: Annotated[float, typer.Option(metavar="ELO", help="The first is better by so little …")] = 0.0,
    elo1: Annotated[float, typer.Option(metavar="ELO", help="… or by so much.")] = 10.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    model: Model = ModelName.PENTANOMIAL,
    elo: Scale = ScaleName.LOGISTIC,
    look: Look = 1,
    max_pairs: Annotated[
        int, typer.Option(metavar="N", min=1, max=MAX_GAMES // 2, help="Pairs after which it is given up.")
    ] = 50_000,
    game: Annotated[str, typer.Option(metavar="NAME", help="The game.")] = USUAL_GAME,
    param: Params = None,
    openings: Annotated[
        int, typer.Option(metavar="N", min=0, max=1000, help="Different random balanced openings.")
    ] = 0,
    opening_plies: Annotated[
        int, typer.Option(metavar="P", min=1, max=1000, help="Plies of an opening.")
    ] = 6,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides all that is left to chance.")
    ] = 0,
    on: Annotated[Where, typer.Option(help="Play on this machine, or on the arena's workers.")] = Where.HERE,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", metavar="N", min=1, max=1000, help="At once [default: one a core]."),
    ] = None,
    confidence: Confidence = 0.95,
    as_json: AsJson = False,
) -> None:
    """Play pairs of games, seats exchanged, until a sequential test says who is better, or gives up.

    Only pairs without a gap from the first on decide, so the outcome does not depend on jobs or machines. If
    it is broken off, the same command goes on from there.
    """
    from arena.cli.shared.failures import UsageError
    from arena.cli.simulate import report as simulation_report
    from arena.cli.simulate.request import Request, params_of, sprt_of

    test = {"alpha": alpha, "beta": beta, "model": model.value, "elo": elo.value, "look": look}
    request = Request(
        game=game,
        params=params_of(param, rows=None, size=None, heaps=None),
        players=(first, second),
        games=2 * max_pairs,
        seed=seed,
        match=0,
        swap=True,
        openings=(openings, opening_plies),
        policy=(None, None),
        chunk=None,
        half_width=None,
        interval="wilson",
        confidence=confidence,
        record=None,
        sprt=sprt_of((elo0, elo1), **test),
    )
    request.check()
    if not openings:
        note(
            "without --openings, players that leave nothing to chance play the same two games again and again"
        )
    if on is Where.WORKERS:
        if jobs:
            raise UsageError("--jobs is for games that are played here")
        from arena.cli.simulate import remote

        finished = remote.run(request)
    else:
        from arena.cli.simulate import here

        finished = here.run(request, jobs=jobs, folder=None, fresh=False)
    simulation_report.report(finished, csv=None, as_json=as_json)
