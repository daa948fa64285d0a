"""`arena auth`: which arena, and who one is there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.people import auth_token
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import credentials_here
from arena.cli.shared.failures import LoginError
from arena.cli.shared.options import AsJson, Ca, Url
from arena.cli.shared.output import note, print_json, print_line
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.users import UserOut

app = Commands()
app.add_typer(auth_token.app, name="token", help="Your own tokens, for programs and other machines.")


@app.command()
def login(
    url: Url = None,
    token: Annotated[
        str | None, typer.Option(help="The token; else it is asked for, or read from standard input.")
    ] = None,
    ca: Ca = None,
    as_json: AsJson = False,
) -> None:
    """Check a token and keep it for the commands that follow."""
    from arena.client.credentials import find_credentials
    from arena.client.http import ArenaClient

    known = find_credentials(url)
    text = (token or _ask_for_token()).strip()
    if not text:
        raise LoginError(say("no token was given"))
    trusted = _absolute(ca or known.ca)
    with ArenaClient(known.url, text, ca=trusted) as client:
        me = client.me()
    _keep(known.url, text, me, trusted, as_json=as_json)


@app.command()
def join(
    code: Annotated[str, typer.Argument(help="The code from the teacher, or from the team's leader.")],
    *,
    name: Annotated[str, typer.Option(help="Your own name, to sign in by.")],
    team: Annotated[str, typer.Option(help="The new team's name, where the code makes one.")] = "",
    url: Url = None,
    ca: Ca = None,
    as_json: AsJson = False,
) -> None:
    """Join a class or a team by a code, and keep the token for the commands that follow.

    Where it cannot be kept it is printed, as the code may be good no more.
    """
    from arena.client.credentials import find_credentials
    from arena.client.http import ArenaClient

    known = find_credentials(url)
    trusted = _absolute(ca or known.ca)
    with ArenaClient(known.url, None, ca=trusted) as client:
        made = client.join(code, name, team)
    try:
        _keep(known.url, made.token, made.user, trusted, as_json=as_json)
    except LoginError:
        note(
            say(
                "{name} is in; the token is shown only now, and belongs into ARENA_TOKEN:",
                name=made.user.name,
            )
        )
        print_json({"name": made.user.name, "token": made.token}) if as_json else print_line(made.token)
        raise


def _absolute(ca: Path | None) -> Path | None:
    """The file as it is found from wherever the next command is given."""
    return ca.absolute() if ca else None


def _keep(url: str, token: str, me: UserOut, ca: Path | None, *, as_json: bool) -> None:
    from arena.client.credentials import credentials_file, save_credentials

    address = url.rstrip("/")
    try:
        path = save_credentials(address, token, ca)
    except OSError as error:
        raise LoginError(
            say(
                "{credentials_file} cannot be written: {strerror}",
                credentials_file=credentials_file(),
                strerror=error.strerror,
            )
        ) from None
    if as_json:
        print_json({"url": address, "name": me.name, "role": me.role, "file": str(path)})
    else:
        print_line(say("{name} ({role}) at {address}", name=me.name, role=me.role, address=address))
        note(say("kept in {path}", path=path))


def _ask_for_token() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline()
    return str(typer.prompt(say("Token"), hide_input=True, err=True))


@app.command()
def status(as_json: AsJson = False) -> None:
    """Say which arena the commands talk to, and as whom; exit code 4 where no valid token is at hand."""
    from arena.client.http import ArenaClient

    credentials = credentials_here()
    if not credentials.token:
        raise LoginError(
            say(
                "there is no token for {url} ({source}); use `arena auth login`",
                url=credentials.url,
                source=credentials.source,
            )
        )
    with ArenaClient(credentials.url, credentials.token, ca=credentials.ca) as client:
        me = client.me()
    if as_json:
        print_json({"url": credentials.url, "source": credentials.source, "name": me.name, "role": me.role})
    else:
        print_line(
            say(
                "{name} ({role}) at {url}, from {source}",
                name=me.name,
                role=me.role,
                url=credentials.url,
                source=credentials.source,
            )
        )
