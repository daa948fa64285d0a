"""`arena play`: a game at the terminal."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.completing import games, references
from arena.cli.shared.failures import UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import Params, TimeOptions, Unsafe, allow_unsafe, game_params, milliseconds
from arena.cli.shared.output import note, print_line
from arena.core.words import say

if TYPE_CHECKING:
    from workers.core.contract import MatchRecord, TimeControl


@dataclass(frozen=True)
class PeopleTime(TimeOptions):
    """The clock of both sides: so long for a move, or for the whole game."""

    clock: Annotated[
        str | None,
        typer.Option(
            metavar="TIME+MORE", help="Time for a whole game, and what each move adds, such as 300+3."
        ),
    ] = None

    def chosen(self) -> TimeControl | None:
        """The time control that was asked for; None where none was.

        Raises:
            UsageError: a duration cannot be read or is too long, or both kinds of clock were asked for.
        """
        from pydantic import ValidationError

        from workers.core.contract import TimeControl

        if (self.time, self.extensions, self.extension_time, self.clock) == (None,) * 4:
            return None
        asked = self.control() if self.clock is None else self._whole(self.clock)
        try:
            return TimeControl(**asked)
        except ValidationError as error:
            raise UsageError(
                say("a move has 1 ms to an hour, a game at most a day, and extensions are at most 1000")
            ) from error

    def _whole(self, clock: str) -> dict[str, Any]:
        if (self.time, self.extensions, self.extension_time) != (None,) * 3:
            raise UsageError(
                say("--clock is for the whole game, --time and --extensions for a move: give one of both")
            )
        whole, _, more = clock.partition("+")
        bank, increment = milliseconds(whole), milliseconds(more or "0")
        if not bank:
            raise UsageError(say("--clock begins with the time for the whole game: it cannot be 0"))
        return {"move_ms": 1, "extensions": 0, "extension_ms": 1, "bank_ms": bank, "increment_ms": increment}


@grouped
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.", autocompletion=games)],
    bot: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOT]",
            autocompletion=references,
            help="@name, a path, a folder or a command; without, you play both sides.",
        ),
    ] = None,
    *,
    param: Params = None,
    seat: Annotated[int, typer.Option(metavar="0|1", min=0, max=1, help="Your seat; 0 begins.")] = 0,
    limits: PeopleTime,
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides the bot's luck.")] = 0,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Append the game to this file, as a JSON line.")
    ] = None,
    unsafe: Unsafe = False,
) -> None:
    """Play a game here, move by move, against a bot or with somebody beside you.

    Without --time, --extensions and --clock an hour is left for a move; with one of the first two the rest is
    as in a match.
    """
    from arena.cli.game.talk import Speaker, begin
    from arena.cli.shared.progress import following
    from arena.local import playing
    from arena.local.players import find_player, make_ready
    from arena.local.records import RecordWriter
    from engines.games import find_game

    allow_unsafe(unsafe)
    rules, control = find_game(game, game_params(param)), limits.chosen()
    against = None if bot is None else find_player(bot)
    if against is not None:
        make_ready([against], rules, following)
    writer = None if record is None else RecordWriter(record)
    table = playing.Table(rules, against, playing.SEATS[seat], control, Speaker(_ask), seed)
    begin(rules)

    def keep(played: MatchRecord) -> None:
        name = None if writer is None else writer.append(played)
        if name is not None:
            note(say("recorded as {played}", played=name))
        _print_faults(played, table, name)

    table.play(keep)
    if writer is not None:
        writer.close()


def _print_faults(played: MatchRecord, table: Any, name: str | None) -> None:
    """What the bot did wrong; a person who was late knows it."""
    bots = [forfeit for forfeit in played.result.forfeits if not table.people[forfeit.seat]]
    if bots:
        from arena.cli.match.report import print_forfeits

        names = [bot.name for bot in played.spec.bots]
        print_forfeits(played, names, name, [table.bot.argument] * 2)


class _TimeOverError(Exception):
    """Nothing more is waited for."""


def _ask(prompt: str, seconds: float) -> str | None:
    """A line that is typed, None where there are no more; nothing once so many seconds have passed."""
    try:
        with _at_most(seconds):
            return input(prompt)
    except _TimeOverError:
        print_line()
        return ""
    except EOFError:
        print_line()
        return None


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Break off what takes longer, where this system can: elsewhere a line that comes too late is no move."""
    if not hasattr(signal, "setitimer") or seconds == float("inf"):
        yield
        return

    def ring(*_: object) -> None:
        raise _TimeOverError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
