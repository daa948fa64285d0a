"""`arena simulate`: a great number of games between two players, counted."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson, Force, Params
from arena.cli.simulate.sprt_options import Alpha, Beta, Look, Model, ModelName, Scale, ScaleName
from arena.local.files import require_place

MAX_GAMES = 10**11


class Where(StrEnum):
    """Where the games are played."""

    HERE = "here"
    WORKERS = "workers"


class IntervalMethod(StrEnum):
    """How the intervals of shares are made."""

    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper-pearson"


Confidence = Annotated[float, typer.Option(metavar="SHARE", help="Confidence of the intervals.")]


def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    *,
    first: Annotated[
        str,
        typer.Option(
            metavar="PLAYER", help="A player such as random, perfect, algo3:10000; or a bot as in match run."
        ),
    ],
    second: Annotated[str, typer.Option(metavar="PLAYER", help="The other player.")],
    games: Annotated[int, typer.Option("-n", "--games", metavar="N", min=1, max=MAX_GAMES, help="Games.")],
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides all that is left to chance.")
    ] = 0,
    match: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Other games under the same seed.")
    ] = 0,
    swap: Annotated[bool, typer.Option("--swap", help="Exchange the seats in every second game.")] = False,
    param: Params = None,
    rows: Annotated[int | None, typer.Option(metavar="N", help="Short for --param rows=N.")] = None,
    size: Annotated[int | None, typer.Option(metavar="N", help="Short for --param size=N.")] = None,
    heaps: Annotated[
        str | None, typer.Option(metavar="N,N,…", help="Short for --param heaps=[N,N,…].")
    ] = None,
    openings: Annotated[
        int, typer.Option(metavar="N", min=0, max=1000, help="Different random balanced openings.")
    ] = 0,
    opening_plies: Annotated[
        int, typer.Option(metavar="P", min=1, max=1000, help="Plies of an opening.")
    ] = 6,
    repetition: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, max=1000, help="Times a position draws [default: 3, if any can]."),
    ] = None,
    max_plies: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=100_000, help="Plies that draw [default: the game's own limit]."
        ),
    ] = None,
    on: Annotated[Where, typer.Option(help="Play on this machine, or on the arena's workers.")] = Where.HERE,
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", metavar="N", min=1, max=1000, help="Chunks at once [default: one a core]."
        ),
    ] = None,
    chunk: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=10**8, help="Games in a chunk [default: half a second of them]."
        ),
    ] = None,
    stop_when_ci: Annotated[
        float | None,
        typer.Option(
            metavar="W", help="End when the score is known to within W to each side, such as 0.001."
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="End when a test says which of these the first is better by."),
    ] = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    model: Model = ModelName.PENTANOMIAL,
    elo: Scale = ScaleName.LOGISTIC,
    look: Look = 1,
    interval: Annotated[IntervalMethod, typer.Option(help="Interval of a share.")] = IntervalMethod.WILSON,
    confidence: Confidence = 0.95,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write every game to this file, a line each.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write the counts and intervals to this file.")
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where is kept how far it is [default: the user's state folder]."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew, even if the same was broken off before.")
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Play a great number of games between two players, on all cores or on the arena's workers, and count.

    The numbers do not depend on jobs, chunks or machines. If it is broken off, the same command goes on from
    there.
    """
    from arena.cli.simulate import report as simulation_report
    from arena.cli.simulate.request import Request, elo_bounds, params_of, sprt_of

    test = {"alpha": alpha, "beta": beta, "model": model.value, "elo": elo.value, "look": look}

    request = Request(
        game=game,
        params=params_of(param, rows=rows, size=size, heaps=heaps),
        players=(first, second),
        games=games,
        seed=seed,
        match=match,
        swap=swap,
        openings=(openings, opening_plies),
        policy=(repetition, max_plies),
        chunk=chunk,
        half_width=stop_when_ci,
        interval=interval.value,
        confidence=confidence,
        record=record,
        force=force,
        sprt=None if sprt is None else sprt_of(elo_bounds(sprt), **test),
    )
    request.check()
    if csv:
        require_place(csv, force=force)
    if csv and record:
        from arena.local.game_file import part_of

        if csv.resolve() in {record.resolve(), part_of(record).resolve()}:
            raise UsageError(f"--record and --csv both need {csv}; name two files")
    if on is Where.WORKERS:
        if jobs or journal or fresh or record:
            raise UsageError("--jobs, --journal, --fresh and --record are for games that are played here")
        from arena.cli.simulate import remote

        finished = remote.run(request)
    else:
        from arena.cli.simulate import here

        finished = here.run(request, jobs=jobs, folder=journal, fresh=fresh)
    simulation_report.report(finished, csv=csv, force=force, as_json=as_json)
