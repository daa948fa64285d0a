"""`arena tournament enter` and `enter-class`: who takes part."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line
from arena.core.names import name_of_file
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.tournaments import EntryOut


def enter(
    name: TournamentName,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT...", help="The bots' names; My_Bot finds my-bot too.")
    ],
    version: Annotated[
        int | None, typer.Option(min=1, help="Which version of one bot [default: the newest].")
    ] = None,
    when_checked: Annotated[
        bool,
        typer.Option("--when-checked", help="Let who is still being checked enter when it has passed."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Enter bots; entering one again, before the start or on a ladder, replaces the version.

    Where some are refused, the others are entered all the same, and the exit code is 1.
    """
    from arena.client.errors import RefusedError

    _check(bots, version)
    if when_checked:
        _enter_when_checked(name, bots, version, as_json=as_json)
        return
    entered: list[EntryOut] = []
    refused: list[str] = []
    with connect_with_token() as client:
        for bot in bots:
            try:
                entered.append(_enter(client, name, bot, version))
            except RefusedError as error:
                if len(bots) == 1 or error.status == HTTPStatus.UNAUTHORIZED:
                    raise
                refused.append(f"{bot}: {error}")
    if as_json:
        print_json({"entries": entered, "refused": refused} if len(bots) > 1 else entered[0])
    for entry in () if as_json else entered:
        print_line(
            say(
                "{bot} version {version} is number {number} of {name}",
                bot=entry.bot,
                version=entry.version,
                number=entry.number,
                name=name,
            )
        )
    if refused:
        raise CliError(say("not entered: ") + "; ".join(refused))


def _check(bots: list[str], version: int | None) -> None:
    """Refuse what cannot be meant.

    Raises:
        UsageError: a version of several bots, or a reference bot by its sign.
    """
    if version is not None and len(bots) > 1:
        raise UsageError(say("--version is that of one bot; leave it out to enter the newest of each"))
    if named := next((bot for bot in bots if bot.startswith("@")), None):
        raise UsageError(
            say(
                "{bot} is a reference bot: have it in the arena by `arena bot submit {bot}`, and enter it by"
                " the name that it has there",
                bot=named,
            )
        )


def _enter_when_checked(name: str, bots: list[str], version: int | None, *, as_json: bool) -> None:
    if version is not None:
        raise UsageError(say("--when-checked enters the newest version; leave --version out"))
    with connect_with_token() as client:
        made = [client.enter_when_checked(name, bot) for bot in bots]
    if as_json:
        print_json({"items": made})
        return
    for each in made:
        if each.entry is not None:
            print_line(
                say(
                    "{bot} version {version} is number {number} of {name}",
                    bot=each.entry.bot,
                    version=each.entry.version,
                    number=each.entry.number,
                    name=name,
                )
            )
        elif each.pending is not None:
            print_line(
                say(
                    "{bot} enters {name} by itself when it has passed its check",
                    bot=each.pending.bot,
                    name=name,
                )
            )


def _enter(client: ArenaClient, name: str, bot: str, version: int | None) -> EntryOut:
    """Enter the bot of that very name, else the one that `bot submit` made of a file so spelled."""
    from arena.client.errors import RefusedError

    try:
        return client.enter(name, bot, version)
    except RefusedError as error:
        if error.status != HTTPStatus.NOT_FOUND or name_of_file(bot) == bot:
            raise
    return client.enter(name, name_of_file(bot), version)


def enter_class(
    name: TournamentName,
    class_name: Annotated[
        str | None, typer.Option("--class", help="Whose bots [default: of the class that it is for].")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Enter the newest version of every bot of a class that is not entered yet."""
    with connect_with_token() as client:
        made = client.enter_class(name, class_name)
    if as_json:
        print_json(made)
        return
    print_line(
        say(
            "entered into {name}: {count}; not entered: {count2}",
            count=say_many("{number} bot", "{number} bots", len(made.entered)),
            name=name,
            count2=len(made.left_out),
        )
    )
    for bot in made.left_out:
        print_line(say("{bot} of {owner}: {why}", bot=bot.bot, owner=bot.owner, why=bot.why))


def register(app: typer.Typer) -> None:
    """Add these commands to `arena tournament`."""
    app.command()(enter)
    app.command()(enter_class)
