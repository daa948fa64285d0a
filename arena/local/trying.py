"""A bot that its author tries out: its own test, games against the levels, and a game for every save."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.core.words import say
from arena.local.players import Player, find_player
from arena.local.records import RECORDS, holds_records
from arena.local.series import PlayedGame, Series, play
from bots.reference.ready import FROM_TABLES, soon_ready
from bots.starters import STARTERS
from engines.game import Game
from engines.games import find_row
from workers.checks.contract import CHECK_TIME
from workers.core.contract import Forfeit, GameSpec, Policy
from workers.play.policy import policy_of
from workers.programs.archives import SKIPPED

GAMES: Final = 10
TEST_SECONDS: Final = 600
LAST_LINES: Final = 40
"""So much of what a test printed is shown."""
WEAKEST: Final = "random"
"""What any game can be played against."""


class OwnTest(NamedTuple):
    """What came of the bot's own test: its command, the end of what it printed, and whether it went well."""

    command: str
    said: str
    passed: bool


def own_test(folder: Path, language: str) -> OwnTest | str:
    """What the bot's own test says, which is run as its author would; or why there is none to be run."""
    about = STARTERS.get(language)
    if about is None or not (folder / about.test).is_file():
        none = say("it has no test of its own")
        return f"{none} ({about.test})" if about else none
    first, *rest = shlex.split(about.tested_by)
    program = sys.executable if first == "python" else shutil.which(first)
    if program is None:
        return say(
            "its own test is left out: `{command}` needs {program}, which is not installed",
            command=about.tested_by,
            program=first,
        )
    with subprocess.Popen(
        [program, *rest],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as ran:
        try:
            told, _ = ran.communicate(timeout=TEST_SECONDS)
        except subprocess.TimeoutExpired as error:
            late = say("not over after {seconds} s", seconds=TEST_SECONDS)
            return OwnTest(about.tested_by, f"{_last(error.stdout)}\n{late}", False)
        finally:
            _end_all(ran)
    return OwnTest(about.tested_by, _last(told), ran.returncode == 0)


def _end_all(test: subprocess.Popen[bytes]) -> None:
    """End a test that has not ended, with what it has started: `make` leaves a bot that thinks for ever."""
    if test.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(test.pid, signal.SIGKILL)
    else:
        test.kill()


def _last(said: bytes | None) -> str:
    return "\n".join((said or b"").decode("utf-8", "replace").splitlines()[-LAST_LINES:])


def levels(game: Game[Any]) -> list[str]:
    """The reference bots to be played against, the weakest first, as they are written; at least one.

    Those that play from tables which take long to be made are left out.
    """
    slow = FROM_TABLES - set(soon_ready(game))
    named = [text for text in find_row(game.name).levels if text.partition(":")[0] not in slow]
    return [f"@{text}" for text in named or [WEAKEST]]


class Tried(NamedTuple):
    """A game against a level; `result` is won, drawn or lost, and `forfeit` the bot's own fault in it."""

    level: str
    game: PlayedGame
    result: str
    forfeit: Forfeit | None


def play_levels(bot: Player, game: Game[Any], against: Sequence[str], seed: int) -> Iterator[Tried]:
    """A game against each of `against` in turn, the bot beginning every other one."""
    for number, level in enumerate(against):
        seat = number % 2
        other = find_player(level)
        series = Series(
            players=(bot, other) if seat == 0 else (other, bot),
            games=1,
            game=GameSpec(name=game.name, params=game.params, version=game.version),
            openings=(),
            seed=seed + number,
            time=CHECK_TIME,
            policy=policy_of(game, Policy()),
        )
        (played,) = play(series, 1)
        result = played.record.result
        said = ("lost", "drawn", "won")[result.half_points[seat]]
        faults = [forfeit for forfeit in result.forfeits if forfeit.seat == seat]
        yield Tried(level, played, said, faults[0] if faults else None)


def spread(names: Sequence[str], count: int) -> list[str]:
    """`count` of the names in their order, each as often as the others or once more."""
    return [names[number * len(names) // count] for number in range(count)]


def saves(folder: Path, pause: Callable[[], None]) -> Iterator[None]:
    """Once at the beginning, then each time that a file was saved and none is being saved any more.

    What is not handed in is no save, and neither is a file of records: a game that was played would be one.
    `pause` waits between two looks.
    """
    known: object = None
    while True:
        seen = _stamps(folder)
        if seen != known:
            pause()
            if _stamps(folder) != seen:
                continue
            known = seen
            yield
        pause()


def _stamps(folder: Path) -> list[tuple[str, int, int]]:
    found = []
    for top, folders, names in os.walk(folder):  # which passes over a folder that is just being removed
        folders[:] = [name for name in folders if name not in SKIPPED]
        for path in (Path(top, name) for name in names if name not in SKIPPED):
            try:
                about = path.stat()
                if path.suffix != RECORDS or not holds_records(path):
                    found.append((str(path), about.st_mtime_ns, about.st_size))
            except OSError:  # it is being replaced
                continue
    return sorted(found)
