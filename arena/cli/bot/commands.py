"""`arena bot`: beginning, trying and submitting bots, and their checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.bot.batches import Each, submit_each
from arena.cli.bot.career import show
from arena.cli.bot.checks import (
    BotName,
    Games,
    Version,
    cancel,
    check,
    newest_version,
    recheck,
    show_verdict,
    verdict,
)
from arena.cli.bot.trying import new, try_out
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, Force
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.client.http import ArenaClient
    from arena.schemas.bots import Submitted, VersionOut

app = Commands()
app.command()(new)
app.command("test")(try_out)
app.command("check")(check)
app.command("verdict")(verdict)
app.command("recheck")(recheck)
app.command("cancel")(cancel)
app.command()(show)


@app.command()
@grouped
def submit(
    *,
    path: Annotated[
        Path | None,
        typer.Argument(
            help="A source file, a program, a .zip, a folder; or @NAME, for the staff.", show_default=False
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="The bot's name [default: that in its bot.toml, else the file's].")
    ] = None,
    owner: Annotated[str | None, typer.Option(help="Whose bot it is to be; for the staff only.")] = None,
    games: Games = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the verdict of its check.")] = False,
    batch: Each,
    as_json: AsJson = False,
) -> None:
    """Submit a bot's files as a new version of the bot. It is checked before it may play.

    With --each it is the bots of a whole class, each for its team. The staff may name a reference bot of the
    arena's as @NAME.
    """
    if batch.each is not None:
        if path is not None or name is not None or owner is not None:
            raise UsageError(say("--each takes the names of bots and teams from what is in the folder"))
        submit_each(batch, games or (), wait=wait, as_json=as_json)
        return
    if path is None:
        raise UsageError(say("name a file, a .zip or a folder; or --each with a folder of those"))
    send = _sending(path, name, owner, games or ())
    with connect_with_token() as client:
        made = send(client)
        if wait:
            show_verdict(client, made.bot, made.version, wait=True, as_json=as_json, path=path)
            return
    if as_json:
        print_json(made)
    else:
        what = say("submitted") if made.created else say("already there")
        print_line(
            say(
                "{bot} version {version} {what} ({what2}, {size}); {state}",
                bot=made.bot,
                version=made.version,
                what=what,
                what2=made.archive[:12],
                size=say_many("{number} byte", "{number} bytes", made.size),
                state=made.state,
            )
        )


def _sending(
    path: Path, name: str | None, owner: str | None, games: Sequence[str]
) -> Callable[[ArenaClient], Submitted]:
    """What sends the files at `path`, which are read now, or has a reference bot handed in there."""
    from arena.local.submission import read_submission

    if (text := str(path)).startswith("@") and not path.exists():
        if owner is not None:
            raise typer.BadParameter(say("a reference bot is the staff's own; leave --owner out"))
        bot = name or text[1:].replace(":", "-")
        return lambda client: client.submit_reference(bot, text[1:], games)
    read = read_submission(path)
    return lambda client: client.submit(name or read.name, read.filename, read.data, owner, games)


@app.command()
def download(
    name: BotName,
    version: Version = None,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Get the files of a version of your own as a zip, just as they were checked and play."""
    check_export(output, force=force, as_json=as_json)
    with connect_with_token() as client:
        wanted = version or newest_version(client, name)
        about = {"bot": name, "version": wanted}
        write_export(client.archive(name, wanted), output, about, force=force, as_json=as_json)


@app.command("list")
def list_bots(as_json: AsJson = False) -> None:
    """List all bots."""
    with connect() as client:
        bots = list(client.bots())
    if as_json:
        print_json({"bots": bots})
    else:
        rows = [(bot.name, bot.owner, *_newest(bot.newest)) for bot in bots]
        print_table(("bot", "owner", ">version", "language", "state"), rows)


def _newest(version: VersionOut | None) -> tuple[object, ...]:
    return (version.version, version.language, version.state) if version else (None, None, None)
