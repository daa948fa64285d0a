"""A series of `arena match run`: made ready, played and reported."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from arena.cli.match.report import print_series
from arena.cli.match.series_options import SeriesOptions
from arena.cli.shared.failures import CliError, FieldsError, UsageError
from arena.cli.shared.output import note, print_json
from arena.cli.shared.progress import counting, following
from arena.client.errors import Fault
from arena.core.words import say, say_many
from arena.local.errors import InputError, LocalError
from arena.local.openings import openings_of
from arena.local.players import distinct, find_player, make_ready
from arena.local.records import RecordWriter
from arena.local.resuming import recorded
from arena.local.series import PlayedGame, Series, play
from arena.local.summary import summarise
from engines.game import Game
from engines.games import find_game
from engines.openings import balanced_openings
from workers.core.contract import GameSpec, MatchRecord, Policy, TimeControl
from workers.play.policy import policy_of

MAX_GAMES = 1_000_000
"""Games of one series."""


def play_and_report(
    options: SeriesOptions, *, jobs: int, record: Path | None, resume: bool, as_json: bool
) -> None:
    """Play what was asked for, record it, and print what it came to.

    Raises:
        UsageError, LocalError, GameError: what was asked for is impossible.
        CliError: the series ended before its end.
    """
    series = _series(options)
    writer = RecordWriter(record) if record else None
    if writer and writer.mended:
        note(writer.mended)
    played: list[PlayedGame] = []
    known: dict[int, tuple[str, MatchRecord]] = {}
    names: dict[int, str] = {}
    trouble: str | None = None
    try:
        with closing(writer) if writer else nullcontext():
            if writer and resume:
                known = recorded(writer.path, series)
                names = {number: name for number, (name, _) in known.items()}
                if known:
                    note(say("going on after {count:,} of {games}", count=len(known), games=_games(series)))
            before = {each.spec.match: each for _, each in known.values()}
            _play(series, jobs, writer, before, played=played, names=names)
    except KeyboardInterrupt:
        trouble = say("interrupted")
    except InputError:
        raise
    except LocalError as error:
        trouble = say("{error}; the series ended", error=error)
    summary = summarise(series, played, names) | {"interrupted": trouble is not None}
    print_json(summary) if as_json else print_series(summary)
    new = [name for number, name in names.items() if number not in known]
    if new:
        note(_recorded(new[0], new[-1]))
    if trouble:
        raise CliError(
            say(
                "{trouble} after {count:,} of {games}",
                trouble=trouble,
                count=len(played),
                games=_games(series),
            )
        )


def _recorded(first: str, last: str) -> str:
    """Which games were written, of the names of the first and the last."""
    if first == last:
        return say("recorded: {first}", first=first)
    return say("recorded: {first} to #{what}", first=first, what=last.rpartition("#")[2])


def _games(series: Series) -> str:
    return say_many("{number:,} game", "{number:,} games", series.total)


def _series(options: SeriesOptions) -> Series:
    players = tuple(map(find_player, options.bots))
    game = find_game(*options.chosen)
    try:
        time = TimeControl(**options.control)
    except ValidationError as error:
        raise FieldsError([Fault(str(each["loc"][0]), each["msg"]) for each in error.errors()]) from None
    few = len(players) == 2
    wanted = options.drawn[0]
    listed = openings_of(options.file, game, wanted or None) if options.file else ()
    total = options.games or max(1 if few else 2, 2 * (len(listed) or wanted))
    series = Series(
        players=distinct(players),
        games=total,
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        openings=listed or _drawn(game, min(wanted, (total + 1) // 2), options.drawn[1], options.seed),
        seed=options.seed,
        time=time,
        policy=policy_of(game, Policy(repetition=options.policy[0], max_plies=options.policy[1])),
        sprt=options.sprt,
    )
    if series.total > MAX_GAMES:
        raise UsageError(
            say("{games} are more than {most:,}: give a smaller -n", games=_games(series), most=MAX_GAMES)
        )
    make_ready(players, game, following)
    return series


def _drawn(game: Game[Any], count: int, plies: int, seed: int) -> tuple[tuple[str, ...], ...]:
    if not count:
        return ()
    note(say_many("drawing {number} opening", "drawing {number} openings", count))
    return balanced_openings(game, count, plies, seed)


def _play(
    series: Series,
    jobs: int,
    writer: RecordWriter | None,
    known: Mapping[str, MatchRecord],
    *,
    played: list[PlayedGame],
    names: dict[int, str],
) -> None:
    """Play, and write what is new; `played` and `names` grow as games come in."""
    with counting(say("games played"), series.total) as advance:
        for game in play(series, jobs, known):
            played.append(game)
            if writer and game.number not in names:
                names[game.number] = writer.append(game.record)
            advance()
