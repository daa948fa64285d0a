"""`arena play`: a game at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.shared.completing import games, references
from arena.cli.shared.options import Params, Unsafe, allow_unsafe, game_params
from arena.cli.shared.output import note, print_line
from arena.core.words import say


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
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides the bot's luck.")] = 0,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Append the game to this file, as a JSON line.")
    ] = None,
    unsafe: Unsafe = False,
) -> None:
    """Play a game here, move by move, against a bot or with somebody beside you."""
    from arena.cli.shared.progress import following
    from arena.local import playing
    from arena.local.players import find_player, make_ready
    from arena.local.records import RecordWriter
    from engines.games import find_game

    allow_unsafe(unsafe)
    rules = find_game(game, game_params(param))
    against = None if bot is None else find_player(bot)
    if against is not None:
        make_ready([against], rules, following)
    writer = None if record is None else RecordWriter(record)
    terminal = playing.Terminal(_ask, print_line, note)
    played = playing.play(rules, against, playing.SEATS[seat], seed, terminal)
    names = {each: played.spec.bots[each].name for each in playing.SEATS}
    print_line(playing.told(rules, played.result, names))
    name = None if writer is None else writer.append(played)
    if writer is not None:
        note(say("recorded as {played}", played=name))
        writer.close()
    if played.result.forfeits:
        from arena.cli.match.report import print_forfeits

        print_forfeits(played, [names[each] for each in playing.SEATS], name, [bot or ""] * 2)


def _ask(prompt: str) -> str | None:
    """A line that is typed; None where there are no more."""
    try:
        return input(prompt)
    except EOFError:
        print_line()
        return None
