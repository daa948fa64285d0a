"""`arena match`: play bots against each other here, look at recorded matches, ask a bot again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.match.analyse import analyse
from arena.cli.match.show import show
from arena.cli.match.sprt import sprt
from arena.cli.shared.commands import Commands
from arena.cli.shared.completing import references
from arena.cli.shared.failures import CliError, UsageError
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
from arena.cli.shared.output import note, print_json, print_line
from arena.cli.simulate.command import Where
from arena.core.words import say, say_many
from engines import USUAL_GAME

if TYPE_CHECKING:
    from arena.cli.simulate.request import Request
    from arena.local.records import RecordWriter
    from arena.local.series import PlayedGame, Series
    from engines.game import Game
    from workers.core.contract import MatchRecord, Seat

app = Commands()
app.command()(sprt)
app.command()(show)
app.command()(analyse)

MAX_GAMES = 1_000_000


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
    unsafe: Unsafe = False

    def check(self) -> None:
        """Refuse what does not go with the place.

        Raises:
            UsageError: something does not.
        """
        if self.on is Where.WORKERS and (self.jobs or self.unsafe):
            raise UsageError(say("--jobs and --unsafe are for games that are played here"))
        if self.on is Where.HERE and self.force:
            raise UsageError(say("--force is for --on workers; here matches are appended to the file"))


First = Annotated[
    str,
    typer.Argument(metavar="BOT", autocompletion=references, help="A path, a folder, a command, or @name."),
]
Second = Annotated[str, typer.Argument(metavar="BOT", autocompletion=references, help="The other bot.")]


@app.command()
@grouped
def run(
    first: First,
    second: Second,
    *,
    game: GameName = USUAL_GAME,
    param: Params = None,
    games: Annotated[
        int | None,
        typer.Option(
            *("-n", "--games"),
            metavar="GAMES",
            min=1,
            max=MAX_GAMES,
            help="Games [default: 1; each opening twice].",
        ),
    ] = None,
    clock: ClockOptions,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides openings and bots' seeds.")
    ] = 0,
    openings: OpeningOptions,
    draws: DrawOptions,
    place: PlaceOptions,
    as_json: AsJson = False,
) -> None:
    """Play games between two bots with the tournament's referee; no server is needed.

    With openings every one is played from both seats; without, the bots take turns in moving first. On
    workers it is an experiment, cut into chunks: what is printed is what `arena simulate` prints.
    """
    place.check()
    allow_unsafe(place.unsafe)
    control = clock.control(bank=clock.bank, increment=clock.increment, startup=clock.startup)
    chosen = game, game_params(param)
    if place.on is Where.WORKERS:
        asked = _request(
            (first, second), chosen=chosen, games=games, seed=seed, openings=openings.both, policy=draws.both
        )
        _on_workers(replace(asked, time=control), place, as_json=as_json)
        return
    series = _series(
        (first, second),
        chosen=chosen,
        control=control,
        games=games,
        openings=openings.both,
        seed=seed,
        policy=draws.both,
    )
    _play_and_report(series, place.jobs or 1, place.record, as_json)


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


def _series(
    arguments: tuple[str, str],
    *,
    chosen: tuple[str, dict[str, Any]],
    control: dict[str, Any],
    games: int | None,
    openings: tuple[int, int],
    seed: int,
    policy: tuple[int | None, int | None],
) -> Series:
    from pydantic import ValidationError

    from arena.cli.shared.progress import following
    from arena.local.players import find_player, make_ready
    from arena.local.series import Series
    from engines.games import find_game
    from workers.core.contract import GameSpec, Policy, TimeControl
    from workers.play.policy import policy_of

    players = (find_player(arguments[0]), find_player(arguments[1]))
    game = find_game(*chosen)
    try:
        time = TimeControl(**control)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{first['loc'][0]}: {first['msg']}") from None
    make_ready(players, game, following)
    total = games or max(1, 2 * openings[0])
    return Series(
        players=players,
        games=total,
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        openings=_openings(game, min(openings[0], (total + 1) // 2), openings[1], seed),
        seed=seed,
        time=time,
        policy=policy_of(game, Policy(repetition=policy[0], max_plies=policy[1])),
    )


def _openings(game: Game[Any], count: int, plies: int, seed: int) -> tuple[tuple[str, ...], ...]:
    from engines.openings import balanced_openings

    if not count:
        return ()
    note(say_many("drawing {number} opening", "drawing {number} openings", count))
    return balanced_openings(game, count, plies, seed)


def _play_and_report(series: Series, jobs: int, record: Path | None, as_json: bool) -> None:
    from arena.cli.match.report import print_series
    from arena.local.errors import LocalError
    from arena.local.records import RecordWriter
    from arena.local.summary import summarise

    writer = RecordWriter(record) if record else None
    if writer and writer.mended:
        note(writer.mended)
    played: list[PlayedGame] = []
    names: dict[int, str] = {}
    trouble: str | None = None
    try:
        _play(series, jobs, writer, played, names)
    except KeyboardInterrupt:
        trouble = say("interrupted")
    except LocalError as error:
        trouble = say("{error}; the series ended", error=error)
    finally:
        if writer:
            writer.close()
    summary = summarise(series, played, names) | {"interrupted": trouble is not None}
    print_json(summary) if as_json else print_series(summary)
    if names:
        first, last = next(iter(names.values())), next(reversed(names.values()))
        note(
            say("recorded: {first}", first=first)
            if first == last
            else say("recorded: {first} to #{what}", first=first, what=last.rpartition("#")[2])
        )
    if trouble:
        raise CliError(
            say(
                "{trouble} after {count} of {games}",
                trouble=trouble,
                count=len(played),
                games=say_many("{number} game", "{number} games", series.games),
            )
        )


def _play(
    series: Series, jobs: int, writer: RecordWriter | None, played: list[PlayedGame], names: dict[int, str]
) -> None:
    from arena.cli.shared.progress import counting
    from arena.local.series import play

    with counting(say("games played"), series.games) as advance:
        for game in play(series, jobs):
            played.append(game)
            if writer:
                names[game.number] = writer.append(game.record)
            advance()


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
