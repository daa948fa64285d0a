"""All commands. Only the group that was asked for is read, so that every command starts quickly."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Annotated, cast

import typer
import typer.main
from typer.core import TyperGroup
from typer.exceptions import TyperException

from arena.cli.game.play import play
from arena.cli.game.solve import solve
from arena.cli.people.announcing import announce, announcements
from arena.cli.reproduce.command import reproduce
from arena.cli.server import service
from arena.cli.server.configuration import config
from arena.cli.server.demo import demo
from arena.cli.shared import completing
from arena.cli.shared.commands import Commands
from arena.cli.shared.output import note, print_line
from arena.cli.simulate.command import simulate
from arena.cli.train.book import book
from arena.cli.train.command import train
from arena.core.words import say

GROUPS = {
    "game": (
        "game.commands",
        "Read the games' rules, what bots are asked in them, and what is best to play.",
    ),
    "match": ("match.commands", "Play, show and replay matches here, without a server."),
    "bot": ("bot.commands", "Submit bots, begin and test new ones, and see which there are."),
    "my": ("people.my_team", "Your own team: its bots, games and news, and what it asks."),
    "tournament": ("tournament.commands", "Plan, run and read tournaments."),
    "season": ("season.commands", "Tournaments that are counted together."),
    "experiment": (
        "experiment.commands",
        "Simulations on the arena's workers; compare simulations, and plan them.",
    ),
    "solves": ("solves.commands", "Games that the arena's workers solve (`arena solve --on workers`)."),
    "trainings": (
        "trainings.commands",
        "Players that the arena's workers learn (`train --on workers`).",
    ),
    "user": ("people.user", "Let teams and staff in."),
    "worker": ("staff.worker", "The worker hosts: what they do, and draining one."),
    "staff": ("staff.commands", "What waits, what was lost, checks, and what takes up room."),
    "env": ("environment.commands", "Packages that Python bots find: here, and in the arena."),
    "admin": (
        "admin.commands",
        "On the machine of the database: backups, checks, locked-out people, erasing.",
    ),
    "class": ("people.school_class", "Classes, and the codes by which teams join them."),
    "roster": ("people.roster", "Let a whole class in from a file."),
    "pgn": ("interchange.pgn", "Ratings of the players of any games, from PGN files."),
    "trf": ("interchange.trf", "Standings and pairings of FIDE's tournament report files."),
    "webhook": ("webhook.commands", "Have addresses told of what happens."),
    "auth": ("people.auth", "Log in to an arena, and see who one is there."),
}
"""Of each group the module below this package whose `app` it is, and its help."""


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print_line(f"arena {version('bot-arena')}")
        raise typer.Exit


def _print_script(shell: completing.Shell | None) -> None:
    if shell:
        print_line(completing.script(shell))
        raise typer.Exit


def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    show_completion: Annotated[
        completing.Shell | None,
        typer.Option(
            "--show-completion",
            callback=_print_script,
            is_eager=True,
            help="Print what a shell reads so that it completes commands, options, games and bots.",
        ),
    ] = None,
) -> None:
    del version, show_completion  # they were printed


def run(arguments: Sequence[str]) -> None:
    """Run the command that these words call, and exit as it ended."""
    words: Sequence[str] = arguments
    if completing.VARIABLE in os.environ:
        completing.be_ready()
        words = completing.words_typed(os.environ)
    try:
        code = build(words).main(args=arguments, prog_name="arena", standalone_mode=False)
    except TyperException as error:
        from arena.cli.shared.usage import told

        for line in told(error):
            note(line)
        sys.exit(error.exit_code)
    except typer.Abort:
        note(say("Aborted!"))
        sys.exit(1)
    sys.exit(code or 0)


def build(arguments: Sequence[str]) -> TyperGroup:
    """The command line for these arguments: of the groups not named there, only name and help."""
    asked = next((word for word in arguments if not word.startswith("-")), None)
    return _built(asked if asked in GROUPS else None)


@cache
def _built(asked: str | None) -> TyperGroup:
    """The whole of it with the commands of that group; a process builds each at most once."""
    app = Commands(
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Tournaments between programs: submit bots, run timed tournaments, read the leaderboard.",
    )
    app.callback()(_options)
    for command in (
        service.up,
        service.down,
        service.status,
        service.logs,
        service.doctor,
        config,
        announce,
        announcements,
        demo,
        simulate,
        reproduce,
        solve,
        train,
        book,
        play,
    ):
        app.command()(command)
    for name, (module, words) in GROUPS.items():
        group = importlib.import_module(f"arena.cli.{module}").app if name == asked else Commands()
        app.add_typer(group, name=name, help=words)
    return cast("TyperGroup", typer.main.get_command(app))
