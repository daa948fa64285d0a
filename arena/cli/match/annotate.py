"""`arena match annotate`: all games of a record file or of a tournament judged, exactly and by estimates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.match.annotating_there import annotate_there
from arena.cli.shared.connection import connect
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_table
from arena.cli.simulate.command import Where
from arena.core.names import check_slug
from arena.core.terms import ExportFormat
from arena.core.words import say, say_many
from engines.solvers.endgame_limits import DEEPEST_ESTIMATE, ESTIMATE_DEPTH

if TYPE_CHECKING:
    from arena.local.annotating import Done


def annotate(
    name: Annotated[
        str, typer.Argument(metavar="FILE|TOURNAMENT", help="A record file, or a tournament of an arena.")
    ],
    *,
    on: Annotated[
        Where, typer.Option(help="Analyse on this machine, or on the workers of the tournament's arena.")
    ] = Where.HERE,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", metavar="JOBS", min=1, help="Games analysed at once [default: 1]."),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES",
            min=0,
            max=DEEPEST_ESTIMATE,
            help="How deep positions that cannot be solved are searched to be estimated; 0: not at all"
            " [default: 10].",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Analyse all games of a record file or of a tournament, and tell how well each bot has played.

    What is found out is kept beside the record, of games.jsonl in games.annotated.jsonl; of a tournament in
    this folder. What is there is not done again, so that the same command goes on after any end, and after
    more games. Games that could not be judged here are told each time, and tried again.

    Of Reversi on larger boards endings are solved; what comes before is estimated by the search of the
    reference bot champion. Estimates are told apart from what is solved, with their depth.

    On the workers a tournament's games are analysed when no other work waits, for whoever runs it; the
    arena keeps what is found out, and shows it on its pages. Estimates are 10 plies deep there.
    """
    if on == Where.HERE:
        told = _annotate_here(name, jobs or 1, ESTIMATE_DEPTH if depth is None else depth)
    elif jobs is not None or depth is not None:
        raise UsageError(say("--jobs and --depth are for games that are analysed on this machine"))
    elif not _is_slug(name):
        raise UsageError(
            say("{name} is no tournament's name; files are annotated on this machine", name=name)
        )
    else:
        told = annotate_there(name)
    if as_json:
        print_json(told)
    else:
        (_print if on == Where.HERE else _print_there)(told)


def _annotate_here(name: str, jobs: int, depth: int) -> dict[str, Any]:
    """What is told of a record file or a tournament when its games are judged on this machine."""
    from arena.local.accuracy import report

    with _record(name) as (record, file):
        done = _annotate(record, file, depth, jobs)
        return {"file": str(file), "annotated": done.new, **report(record, file, done.unsolved, depth)}


@contextmanager
def _record(name: str) -> Iterator[tuple[Path, Path]]:
    """The record file of that name, or what an arena exports of that tournament; and where annotations are.

    Raises:
        UsageError, InputError: it can be neither.
    """
    from arena.local.annotations import ANNOTATED, beside
    from arena.local.files import write_whole
    from arena.local.records import RECORDS, require_file

    path = Path(name)
    if path.is_file():
        yield path, beside(path)
        return
    if "#" in name:
        raise UsageError(
            say("all games of a file are annotated; `arena match analyse {name}` analyses one", name=name)
        )
    if not _is_slug(name):
        require_file(path)
    note(say("there is no file {name}; the arena is asked for a tournament of that name", name=name))
    with TemporaryDirectory() as folder:
        exported = Path(folder, name + RECORDS)
        with connect() as client:
            write_whole(exported, client.export(name, ExportFormat.JSONL))
        yield exported, Path(name + ANNOTATED)


def _is_slug(name: str) -> bool:
    """Whether a tournament may have that name."""
    try:
        check_slug(name)
    except ValueError:
        return False
    return True


def _annotate(record: Path, file: Path, depth: int, jobs: int) -> Done:
    """Annotate what is not yet."""
    from arena.cli.shared.progress import counting
    from arena.local.annotating import annotate as annotate_all
    from arena.local.annotations import annotation_file
    from arena.local.records import count_lines, cut_off, read_matches

    if torn := cut_off(record):
        note(torn)
    next(read_matches(record), None)  # what holds something else leaves no file beside it
    with annotation_file(file) as open_file, counting(say("games"), count_lines(record)) as advance:
        if open_file.outdated:
            note(
                say(
                    "{lines} of {file} are of another version of the judge, and passed over",
                    lines=say_many("{number} line", "{number} lines", open_file.outdated),
                    file=file,
                )
            )
        try:
            done = annotate_all(record, open_file, depth=depth, jobs=jobs, advance=advance)
        except KeyboardInterrupt:
            raise CliError(
                say("interrupted; what is done is kept in {file}, and the same command goes on", file=file)
            ) from None
    if done.again:
        note(
            say(
                "{games}: exact values were there, estimates to depth {depth} were not and are added",
                games=_games(done.again),
                depth=depth,
            )
        )
    return done


def _print(told: Mapping[str, Any]) -> None:
    _print_bots(told["bots"])
    _print_estimates(told)
    _print_broken_off(told["broken_off"])
    for each in told["unsolved"]:
        note(f"{_games(each['games'])}: {each['why']}")
    games, new = _games(told["games"]), told["annotated"]
    note(say("{file}: {games}, annotated now: {new}", file=told["file"], games=games, new=new))


def _print_there(told: Mapping[str, Any]) -> None:
    _print_bots(told["bots"])
    _print_estimates(told)
    _print_broken_off(told["broken_off"])
    if told["unsolved"]:
        note(say("no solver knows {games}", games=_games(told["unsolved"])))
    games = _games(told["games"])
    note(
        say(
            "{name}: {games}, analysed: {analysed}",
            name=told["tournament"],
            games=games,
            analysed=told["analysed"],
        )
    )


def _print_bots(bots: Sequence[Mapping[str, Any]]) -> None:
    if not bots:
        return
    columns = ("bot", ">games", ">moves", ">choices", ">accuracy", ">blunders", ">loss", ">points lost")
    rows = [
        (
            *(bot["bot"], bot["games"], bot["moves"], bot["choices"], _share(bot["accuracy"])),
            *(bot["blunders"], _mean(bot["loss"]), _mean(bot["points"])),
        )
        for bot in bots
    ]
    print_table(columns, rows)
    counted = any(bot["points"] is not None for bot in bots)
    key = "points" if counted else "loss"
    title = say("points lost by stage, on average") if counted else say("loss by stage, on average")
    stages = [(bot["bot"], *(_mean(stage[key]) for stage in bot["stages"])) for bot in bots]
    print_table(("bot", ">begin", ">middle", ">end"), stages, title)


def _print_broken_off(number: int) -> None:
    if number:
        note(
            say(
                "stages are without games that ended by a forfeit or were resigned: {games}",
                games=_games(number),
            )
        )


def _print_estimates(told: Mapping[str, Any]) -> None:
    bots = [(bot["bot"], bot["estimated"]) for bot in told["bots"]]
    if not any(seen["moves"] for _, seen in bots):
        return
    rows = [
        (bot, seen["games"], seen["moves"], *(_mean(each["points"]) for each in (seen, *seen["stages"])))
        for bot, seen in bots
    ]
    title = say("estimated, depth {depth}: points lost on average, in all and by stage", depth=told["depth"])
    columns = ("bot", ">games", ">moves", ">points lost", ">begin", ">middle", ">end")
    print_table(columns, rows, title)


def _games(number: int) -> str:
    return say_many("{number} game", "{number} games", number)


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _mean(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
