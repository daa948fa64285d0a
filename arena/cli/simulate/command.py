"""`arena simulate`: a great number of games between two players, counted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.completing import games, players
from arena.cli.shared.failures import UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, DrawOptions, Force, OpeningOptions, Params, Seed
from arena.cli.simulate.sprt_options import SprtOptions
from arena.core.words import say
from arena.local.files import require_place

if TYPE_CHECKING:
    from arena.cli.simulate.request import Request

MAX_GAMES = 10**11


class Where(StrEnum):
    """Where the games are played."""

    HERE = "here"
    WORKERS = "workers"


class IntervalMethod(StrEnum):
    """How the intervals of shares are made."""

    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper-pearson"


class RowName(StrEnum):
    """What a row of recorded games is."""

    GAME = "game"
    PLY = "ply"


Confidence = Annotated[float, typer.Option(metavar="SHARE", help="Confidence of the intervals.")]


@dataclass(frozen=True)
class ParamOptions:
    """Parameters of a game, those that are often wanted by short options."""

    param: Params = None
    rows: Annotated[int | None, typer.Option(metavar="N", help="Short for --param rows=N.")] = None
    size: Annotated[int | None, typer.Option(metavar="N", help="Short for --param size=N.")] = None
    heaps: Annotated[str | None, typer.Option(metavar="N,N,…", help="Short for --param heaps=[N,N,…].")] = (
        None
    )


@dataclass(frozen=True)
class DrawnOptions:
    """What chance and seats come from."""

    seed: Seed = 0
    match: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Other games under the same seed.")
    ] = 0
    swap: Annotated[bool, typer.Option("--swap", help="Exchange the seats in every second game.")] = False


@dataclass(frozen=True)
class PlaceOptions:
    """Where the games are played."""

    on: Annotated[Where, typer.Option(help="Play on this machine, or on the arena's workers.")] = Where.HERE
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", metavar="N", min=1, max=1000, help="At once [default: one a core]."),
    ] = None


@dataclass(frozen=True)
class ChunkOptions(PlaceOptions):
    """Where the games are played, and how many at a time."""

    chunk: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=10**8, help="Games in a chunk [default: half a second of them]."
        ),
    ] = None


@dataclass(frozen=True)
class StopOptions(SprtOptions):
    """When a simulation ends before all its games are played."""

    stop_when_ci: Annotated[
        float | None,
        typer.Option(
            metavar="W", help="End when the score is known to within W to each side, such as 0.001."
        ),
    ] = None
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="End when a test says which of these the first is better by."),
    ] = None


@dataclass(frozen=True)
class IntervalOptions:
    """How sure the shares are."""

    interval: Annotated[IntervalMethod, typer.Option(help="Interval of a share.")] = IntervalMethod.WILSON
    confidence: Confidence = 0.95


@dataclass(frozen=True)
class FileOptions:
    """The files that a simulation writes."""

    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write every game: FILE.jsonl a line each, or FILE.parquet in columns."
        ),
    ] = None
    record_by: Annotated[RowName, typer.Option(help="What a row of FILE.parquet is.")] = RowName.GAME
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write the counts and intervals to this file.")
    ] = None
    force: Force = False

    def check(self) -> None:
        """Refuse places that cannot be written to.

        Raises:
            UsageError: one cannot, or both are the same.
        """
        if self.record_by is RowName.PLY and not (self.record and self.record.suffix == ".parquet"):
            raise UsageError(say("--record-by ply needs --record FILE.parquet: a line of JSON is a game"))
        if self.csv:
            require_place(self.csv, force=self.force)
        if self.csv and self.record:
            from arena.local.game_file import part_of

            if self.csv.resolve() in {self.record.resolve(), part_of(self.record).resolve()}:
                raise UsageError(say("--record and --csv both need {csv}; name two files", csv=self.csv))


@dataclass(frozen=True)
class JournalOptions:
    """How a simulation that was broken off goes on."""

    journal: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where is kept how far it is [default: the user's state folder]."),
    ] = None
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew, even if the same was broken off before.")
    ] = False


NO_FILES, USUAL_JOURNAL = FileOptions(), JournalOptions()


First = Annotated[
    str,
    typer.Option(
        metavar="PLAYER",
        autocompletion=players,
        help="A player such as random, perfect, algo3:10000; or a bot as in match run.",
    ),
]
Second = Annotated[str, typer.Option(metavar="PLAYER", autocompletion=players, help="The other player.")]


@grouped
def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.", autocompletion=games)],
    *,
    first: First,
    second: Second,
    games: Annotated[int, typer.Option("-n", "--games", metavar="N", min=1, max=MAX_GAMES, help="Games.")],
    draw: DrawnOptions,
    params: ParamOptions,
    openings: OpeningOptions,
    draws: DrawOptions,
    place: ChunkOptions,
    stop: StopOptions,
    shares: IntervalOptions,
    files: FileOptions,
    journal: JournalOptions,
    as_json: AsJson = False,
) -> None:
    """Play a great number of games between two players, on all cores or on the arena's workers, and count.

    The numbers do not depend on jobs, chunks or machines; broken off, the same command goes on from there.
    """
    from arena.cli.simulate.request import Request, params_of

    request = Request(
        game=game,
        params=params_of(params.param, rows=params.rows, size=params.size, heaps=params.heaps),
        players=(first, second),
        games=games,
        seed=draw.seed,
        match=draw.match,
        swap=draw.swap,
        openings=openings.both(),
        policy=draws.both,
        chunk=place.chunk,
        half_width=stop.stop_when_ci,
        interval=shares.interval.value,
        confidence=shares.confidence,
        record=files.record,
        record_by=files.record_by.value,
        force=files.force,
        sprt=stop.of(stop.sprt),
    )
    request.check()
    files.check()
    play_and_report(request, place, files, journal, as_json=as_json)


def play_and_report(
    request: Request,
    place: PlaceOptions,
    files: FileOptions = NO_FILES,
    journal: JournalOptions = USUAL_JOURNAL,
    *,
    as_json: bool,
) -> None:
    """Play what was asked for, there where it was asked for, and print what it came to."""
    from arena.cli.simulate import report

    if place.on is Where.HERE:
        from arena.cli.simulate import here

        finished = here.run(request, jobs=place.jobs, folder=journal.journal, fresh=journal.fresh)
    elif place.jobs or journal.journal or journal.fresh:
        raise UsageError(say("--jobs, --journal and --fresh are for games that are played here"))
    else:
        from arena.cli.simulate import remote
        from arena.local.game_folder import is_folder_of_games, require_folder

        if request.record and is_folder_of_games(request.record):
            require_folder(request.record, force=request.force)
        elif request.record:
            require_place(request.record, force=request.force)
        finished = remote.run(request)
    report.report(finished, csv=files.csv, force=files.force, as_json=as_json)
