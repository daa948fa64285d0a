"""`arena bot new` and `test`: beginning a bot, and what to fix first in it. Needs no server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.bot.checks import Games, at_home, print_report, tell
from arena.cli.shared.completing import games as names_of_games
from arena.cli.shared.completing import languages
from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson, Unsafe, allow_unsafe
from arena.cli.shared.output import note, print_json, print_line
from arena.core.commands import path_word
from arena.core.words import say, say_many
from bots.starters import STARTERS
from engines import USUAL_GAME

if TYPE_CHECKING:
    from arena.local.players import Player
    from arena.local.submission import Submission
    from arena.local.trying import OwnTest, Tried
    from engines.game import Game
    from workers.checks.contract import CheckReport

SECONDS = 0.5
"""Between two looks at a folder that is watched."""


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder, which is made.")],
    *,
    language: Annotated[
        str,
        typer.Option("--lang", metavar="LANGUAGE", autocompletion=languages, help=f"{', '.join(STARTERS)}."),
    ],
    game: Annotated[
        str, typer.Option(metavar="GAME", autocompletion=names_of_games, help="What it is to play.")
    ] = USUAL_GAME,
    as_json: AsJson = False,
) -> None:
    """Write a bot to begin with: it plays legally at once, and has a test and a place for a search."""
    from arena.local.starting import begin_bot

    files = begin_bot(folder, language, game)
    if as_json:
        print_json(
            {"folder": str(folder), "language": language, "game": game, "files": list(map(str, files))}
        )
        return
    print_line(
        say(
            "{folder} is a bot for {game} in {language}; begin with README.md there",
            folder=folder,
            game=game,
            language=STARTERS[language].title,
        )
    )
    print_line(
        say(
            "  arena bot test {folder}             its test, its check, and ten games: what to fix first",
            folder=path_word(folder),
        )
    )
    print_line(say("  arena bot submit {folder} --wait    hand it in", folder=path_word(folder)))


def try_out(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="The bot's folder, or its one file.")],
    *,
    games: Games = None,
    watch: Annotated[bool, typer.Option("--watch", help="Play a game for every save, until Ctrl-C.")] = False,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Append the games to this file.")
    ] = None,
    unsafe: Unsafe = False,
    as_json: AsJson = False,
) -> None:
    """Run a bot's own test, its check, and ten games against the levels, and say what to fix first.

    The exit code is 1 where something has to be fixed; a lost game is no fault. The test is a program of the
    bot's author, and is run as such: unconfined.
    """
    if watch and (as_json or not path.is_dir()):
        raise UsageError(say("--watch is for a folder, and prints lines; leave --json out"))
    if record and path.is_dir() and record.resolve().is_relative_to(path.resolve()):
        raise UsageError(
            say(
                "{record} would be handed in with the bot; name a file that is not in {path}",
                record=record,
                path=path,
            )
        )
    from arena.local.submission import read_submission

    allow_unsafe(unsafe)
    submission = read_submission(path)
    game = _game(games or submission.source.manifest.games or [USUAL_GAME])
    if watch:
        _watch(path, game, record)
        return
    tried = _Trial(path, submission, record, quiet=as_json)
    fix = tried.run(games or [], game, unsafe=unsafe)
    if as_json:
        print_json({**tried.told, "fix": fix})
    else:
        print_line(fix or tried.well())
    if fix:
        raise typer.Exit(1)


def _game(names: list[str]) -> Game[Any]:
    from engines.games import find_game

    return find_game(names[0])


class _Trial:
    """A bot that is tried out; `told` is what came of it so far."""

    def __init__(self, path: Path, submission: Submission, record: Path | None, *, quiet: bool) -> None:
        self.told: dict[str, Any] = {"test": None, "check": None, "games": []}
        self._path, self._submission, self._record, self._quiet = path, submission, record, quiet

    def run(self, games: list[str], game: Game[Any], *, unsafe: bool) -> str | None:
        """What is to be fixed first, if anything."""
        return self._test() or self._check(games, unsafe=unsafe) or self._play(game)

    def _test(self) -> str | None:
        from arena.local.trying import own_test

        language = self._submission.source.language.name
        done = own_test(self._path, language) if self._path.is_dir() else say("a file alone has no test")
        if isinstance(done, str):
            note(done)
            return None
        self.told["test"] = done._asdict()
        note(say("its own test: {went}", went=say("well") if done.passed else say("failed")))
        return None if done.passed else self._failed_test(done)

    def _failed_test(self, done: OwnTest) -> str:
        if not self._quiet:
            print_line(done.said)
        last = next((line.strip() for line in reversed(done.said.splitlines()) if line.strip()), "")
        return say("fix first: its own test fails, `{command}`: {last}", command=done.command, last=last)

    def _check(self, games: list[str], *, unsafe: bool) -> str | None:
        from workers.sandbox.confinement import CONFINES

        if not CONFINES:
            note(
                say("its check is left out: it is done on Linux; an arena does it when the bot is handed in")
            )
            return None
        from arena.local.checking import check_here

        report = at_home(check_here(self._submission, games, unsafe=unsafe, told=tell), self._path)
        self.told["check"] = report.model_dump(mode="json")
        return None if report.passed else self._failed_check(report)

    def _failed_check(self, report: CheckReport) -> str:
        from arena.core.diagnosis import with_error

        if not self._quiet:
            print_report(report)
        detail = with_error(report.detail, report.stderr.head + report.stderr.tail)
        return say(
            "fix first: its check fails by {code}: {detail}", code=say(report.code or ""), detail=detail
        )

    def _play(self, game: Game[Any]) -> str | None:
        from arena.local.players import find_player
        from arena.local.records import RecordWriter
        from arena.local.trying import GAMES, play_levels, spread

        bot, against = find_player(str(self._path)), _ready(game)
        writer = RecordWriter(self._record) if self._record else None
        fix = None
        try:
            for number, tried in enumerate(play_levels(bot, game, spread(against, GAMES), seed=0), 1):
                name = writer.append(tried.game.record) if writer else None
                self.told["games"].append(_row(tried, name))
                note(say("game {number} of {most} {said}", number=number, most=GAMES, said=_said(tried)))
                fix = fix or _fault(tried, name)
        finally:
            if writer:
                writer.close()
        return fix

    def well(self) -> str:
        """How it went where nothing has to be fixed."""
        games = self.told["games"]
        won, drawn = (sum(game["result"] == said for game in games) for said in ("won", "drawn"))
        lost = next((game for game in games if game["result"] == "lost"), None)
        next_step = (
            say("next: beat {level}, the weakest level that it loses to", level=lost["against"])
            if lost
            else say("none of the levels that it met beats it")
        )
        return say(
            "nothing has to be fixed: it won {won} and drew {drawn} of {games}; {next_step}",
            won=won,
            drawn=drawn,
            games=say_many("{number} game", "{number} games", len(games)),
            next_step=next_step,
        )


def _ready(game: Game[Any]) -> list[str]:
    """The levels to be played against, with what they play from; those that cannot be here are left out."""
    from arena.cli.shared.extras import lacking
    from arena.cli.shared.progress import following
    from arena.local.players import find_player, make_ready
    from arena.local.trying import levels

    found = list[str]()
    for level in levels(game):
        try:
            make_ready([find_player(level)], game, following)
        except ImportError as error:
            if (lack := lacking(error)) is None:
                raise
            note(say("{level} is left out: {lack}", level=level, lack=lack))
        else:
            found.append(level)
    return found


def _row(tried: Tried, name: str | None) -> dict[str, Any]:
    result = tried.game.record.result
    return {
        "against": tried.level,
        "result": tried.result,
        "reason": result.reason,
        "plies": len(result.moves),
        "forfeit": tried.forfeit.model_dump(mode="json") if tried.forfeit else None,
        "record": name,
    }


def _said(tried: Tried) -> str:
    from arena.local.endings import ending

    result = tried.game.record.result
    return say(
        "against {level}: {result} ({reason}), {plies}",
        level=tried.level,
        result=say(tried.result),
        reason=ending(tried.game.record.spec.game.name, result.reason),
        plies=say_many("{number} ply", "{number} plies", len(result.moves)),
    )


def _fault(tried: Tried, name: str | None) -> str | None:
    """The bot's own fault in a game, in a sentence."""
    from arena.cli.shared.advice import advice_of
    from arena.core.diagnosis import with_error

    fault = tried.forfeit
    if fault is None:
        return None
    code, detail, wrote = fault.code, fault.detail, fault.stderr_tail
    advice = advice_of(code, detail, wrote, clock=fault.clock_ns, cpu=fault.cpu_ns, received=fault.received)
    told = say(
        "fix first: it lost to {level} by {code} ({where}ply {ply}): {detail}",
        level=tried.level,
        code=code,
        where=f"{name}, " if name else "",
        ply=fault.ply + 1,
        detail=with_error(detail, wrote),
    )
    return say("{told}; {advice}", told=told, advice=advice) if advice else told


def _watch(path: Path, game: Game[Any], record: Path | None) -> None:
    """Play for every save; whom it beats is followed by the next level."""
    from arena.local.records import RecordWriter
    from arena.local.trying import saves

    against, at = _ready(game), 0
    writer = RecordWriter(record) if record else None
    note(say("{path} is watched: every save plays a game; Ctrl-C ends it", path=path))
    try:
        for number, _ in enumerate(saves(path, lambda: time.sleep(SECONDS))):
            tried = _one(path, game, against[at], number)
            if tried is None:
                continue
            name = writer.append(tried.game.record) if writer else None
            print_line(_fault(tried, name) or _said(tried))
            at = min(at + (tried.result == "won"), len(against) - 1)
    except KeyboardInterrupt:
        note(say("not watched any more"))
    finally:
        if writer:
            writer.close()


def _one(path: Path, game: Game[Any], level: str, seed: int) -> Tried | None:
    """A game of the bot as it is now; None where it cannot be played, which is said."""
    from arena.local.errors import LocalError
    from arena.local.players import find_player
    from arena.local.trying import play_levels
    from workers.core.errors import WorkerError

    try:
        player: Player = find_player(str(path))
        (tried,) = play_levels(player, game, [level], seed)
    except (LocalError, WorkerError) as error:
        print_line(str(error))
        return None
    return tried
