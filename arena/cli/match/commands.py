"""`arena match`: play bots against each other here, look at recorded matches, ask a bot again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.match.analyse import analyse
from arena.cli.match.annotate import annotate
from arena.cli.match.export import export
from arena.cli.match.series_options import SeriesOptions
from arena.cli.match.show import show
from arena.cli.match.sprt import sprt
from arena.cli.shared.commands import Commands
from arena.cli.shared.completing import references
from arena.cli.shared.failures import UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import (
    AsJson,
    DrawOptions,
    GameName,
    OpeningOptions,
    Params,
    TimeOptions,
    Unsafe,
    allow_unsafe,
    game_params,
)
from arena.cli.shared.output import print_json, print_line
from arena.cli.simulate.command import Where
from arena.cli.simulate.sprt_options import SprtOptions
from arena.core.words import say
from engines import USUAL_GAME

if TYPE_CHECKING:
    from arena.cli.simulate.request import Request
    from arena.theory.statistics.sprt import Sprt
    from workers.core.contract import MatchRecord, Seat

app = Commands()
app.command()(sprt)
app.command()(show)
app.command()(analyse)
app.command()(annotate)
app.command()(export)


@dataclass(frozen=True)
class ClockOptions(TimeOptions):
    """The time control of games that are played here, with everything that a referee knows."""

    bank: Annotated[
        str | None, typer.Option(metavar="DURATION", help="A reserve of time for the whole game.")
    ] = None
    increment: Annotated[
        str | None, typer.Option(metavar="DURATION", help="What each answer adds to the bank.")
    ] = None
    startup: Annotated[
        str | None, typer.Option(metavar="DURATION", help="Time to get ready [default: 10s].")
    ] = None


@dataclass(frozen=True)
class PlaceOptions:
    """Where a series is played, and what is kept of it."""

    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", metavar="JOBS", min=1, help="Games at once [default: 1].")
    ] = None
    on: Annotated[
        Where, typer.Option(help="Play here, or submitted bots (bot:NAME) on the arena's workers.")
    ] = Where.HERE
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl",
            help="Append every match to this file, a JSON line each; with --on workers write a new file.",
        ),
    ] = None
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file that --on workers --record would make.")
    ] = False
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the series that --record has games of.")
    ] = False
    unsafe: Unsafe = False

    def check(self) -> None:
        """Refuse what does not go with the place.

        Raises:
            UsageError: something does not.
        """
        if self.resume and (self.on is Where.WORKERS or self.record is None):
            raise UsageError(
                say("--resume goes on with games that were recorded here: add --record FILE.jsonl")
            )
        if self.on is Where.WORKERS and (self.jobs or self.unsafe):
            raise UsageError(say("--jobs and --unsafe are for games that are played here"))
        if self.on is Where.HERE and self.force:
            raise UsageError(say("--force is for --on workers; here matches are appended to the file"))


@dataclass(frozen=True)
class StartOptions(OpeningOptions):
    """Openings, drawn or from a file."""

    openings_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Openings: a line each, or PGN; with --openings N its first N."),
    ] = None

    def both(self) -> tuple[int, int]:
        """How many, and of how many plies where they are drawn.

        Raises:
            UsageError: there are plies, and no openings that are drawn with them.
        """
        if self.opening_plies is not None and self.openings_file:
            raise UsageError(say("--opening-plies is for openings that are drawn, not those of a file"))
        return super().both()


@dataclass(frozen=True)
class EndOptions(SprtOptions):
    """When two bots have played enough."""

    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Two bots end when a test says which of these the first is better by."
        ),
    ] = None

    def test(self, games: int | None) -> Sprt | None:
        """The test that ends the games of two bots, of which there are so many; None where there is none.

        Raises:
            UsageError: a number is out of range, or it is not said after how many games it is given up.
        """
        if self.sprt is not None and (games is None or games % 2):
            raise UsageError(
                say("--sprt looks at pairs of games: say with an even -n after how many it is given up")
            )
        return self.of(self.sprt)


@app.command()
@grouped
def run(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            autocompletion=references,
            help="Two or more: paths, folders, commands, or @name.",
        ),
    ],
    *,
    game: GameName = USUAL_GAME,
    param: Params = None,
    games: Annotated[
        int | None,
        typer.Option(
            *("-n", "--games"),
            metavar="GAMES",
            min=1,
            max=1_000_000,
            help="Games of every two bots [default: 1, of three or more 2; each opening twice].",
        ),
    ] = None,
    clock: ClockOptions,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides openings and bots' seeds.")
    ] = 0,
    openings: StartOptions,
    draws: DrawOptions,
    end: EndOptions,
    place: PlaceOptions,
    as_json: AsJson = False,
) -> None:
    """Play games between two bots, or all pairs of more, with the tournament's referee; no server is needed.

    With openings every one is played from both seats; without, the bots take turns in moving first. On
    workers it is an experiment, cut into chunks: what is printed is what `arena simulate` prints.
    """
    _check(bots, openings, end, place)
    allow_unsafe(place.unsafe)
    control = clock.control(bank=clock.bank, increment=clock.increment, startup=clock.startup)
    chosen, drawn = (game, game_params(param)), openings.both()
    if place.on is Where.HERE:
        file, test = openings.openings_file, end.test(games)
        options = SeriesOptions(tuple(bots), chosen, control, games, seed, drawn, file, draws.both, test)
        _here(options, place, as_json=as_json)
        return
    asked = _request(
        (bots[0], bots[1]), chosen=chosen, games=games, seed=seed, openings=drawn, policy=draws.both
    )
    _on_workers(replace(asked, time=control), place, as_json=as_json)


def _check(bots: list[str], openings: StartOptions, end: EndOptions, place: PlaceOptions) -> None:
    """Refuse what does not go together, before anything is made ready."""
    if len(bots) < 2:
        raise UsageError(say("a match takes two bots: name one more, such as @random"))
    if place.on is Where.WORKERS and (len(bots) > 2 or openings.openings_file or end.sprt or end.fields()):
        raise UsageError(
            say(
                "more than two bots, --openings-file and --sprt are for games that are played here;"
                " `arena match sprt --on workers` tests two bots there"
            )
        )
    place.check()


def _here(options: SeriesOptions, place: PlaceOptions, *, as_json: bool) -> None:
    from arena.cli.match import series

    series.play_and_report(
        options, jobs=place.jobs or 1, record=place.record, resume=place.resume, as_json=as_json
    )


def _request(
    players: tuple[str, str],
    *,
    chosen: tuple[str, dict[str, Any]],
    games: int | None,
    seed: int,
    openings: tuple[int, int],
    policy: tuple[int | None, int | None],
) -> Request:
    """The same games as a simulation."""
    from arena.cli.simulate.request import Request

    return Request(
        game=chosen[0],
        params=chosen[1],
        players=players,
        games=games or max(1, 2 * openings[0]),
        seed=seed,
        match=0,
        swap=True,
        openings=openings,
        policy=policy,
        chunk=None,
        half_width=None,
        interval="wilson",
        confidence=0.95,
        record=None,
    )


def _on_workers(request: Request, place: PlaceOptions, *, as_json: bool) -> None:
    from arena.cli.simulate import command

    request = replace(request, record=place.record, force=place.force)
    request.check()
    command.play_and_report(request, command.PlaceOptions(on=Where.WORKERS), as_json=as_json)


@app.command()
def replay(
    name: Annotated[str, typer.Argument(metavar="FILE#N", help="A recorded match.")],
    *,
    to: Annotated[str, typer.Option(metavar="BOT", autocompletion=references, help="The bot to ask again.")],
    until: Annotated[
        int | None, typer.Option(metavar="PLY", min=1, help="The last ply to ask about.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, max=1, help="Whose place it takes [default: the forfeiter's].")
    ] = None,
    unsafe: Unsafe = False,
    as_json: AsJson = False,
) -> None:
    """Feed a bot exactly what the player of a recorded match saw, and compare its answers."""
    from arena.cli.match.report import print_steps
    from arena.cli.shared.progress import following
    from arena.local.players import find_player, make_ready
    from arena.local.records import parse_name, read_one
    from arena.local.replaying import replayed
    from engines.games import find_game

    allow_unsafe(unsafe)
    player = find_player(to)
    record = read_one(parse_name(name))
    make_ready([player], find_game(record.spec.game.name, record.spec.game.params), following)
    taken = _seat_to_take(record, player.name) if seat is None else 1 if seat else 0
    steps = replayed(record, taken, player.command, None if until is None else until - 1)
    if as_json:
        print_json({"bot": to, "seat": taken, "steps": list(steps)})
    else:
        print_line(
            say(
                "{name} in the place of {name2}, seat {taken}",
                name=player.name,
                name2=record.spec.bots[taken].name,
                taken=taken,
            )
        )
        print_steps(steps)


def _seat_to_take(record: MatchRecord, name: str) -> Seat:
    forfeiters = {forfeit.seat for forfeit in record.result.forfeits}
    if len(forfeiters) == 1:
        return forfeiters.pop()
    bots = [bot.name for bot in record.spec.bots]
    if bots.count(name) == 1:
        return 0 if bots[0] == name else 1
    raise UsageError(
        say("whose place shall it take? --seat 0 is {what}, --seat 1 is {what2}", what=bots[0], what2=bots[1])
    )
