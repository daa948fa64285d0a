"""`arena auth`: which arena, and who one is there."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arena.cli.shared.connection import credentials_here
from arena.cli.shared.failures import LoginError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line

app = typer.Typer(no_args_is_help=True)


@app.command()
def login(
    url: Annotated[str | None, typer.Option(help="The arena's address [default: the one in use].")] = None,
    token: Annotated[
        str | None, typer.Option(help="The token; else it is asked for, or read from standard input.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a token and keep it for the commands that follow."""
    from arena.client.credentials import find_credentials, save_credentials
    from arena.client.http import ArenaClient

    address = (url or find_credentials().url).rstrip("/")
    text = (token or _ask_for_token()).strip()
    if not text:
        raise LoginError("no token was given")
    with ArenaClient(address, text) as client:
        me = client.me()
    path = save_credentials(address, text)
    if as_json:
        print_json({"url": address, "name": me.name, "role": me.role, "file": str(path)})
    else:
        print_line(f"{me.name} ({me.role}) at {address}")
        note(f"kept in {path}")


def _ask_for_token() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline()
    return str(typer.prompt("Token", hide_input=True, err=True))


@app.command()
def status(as_json: AsJson = False) -> None:
    """Say which arena the commands talk to, and as whom; exit code 4 where no valid token is at hand."""
    from arena.client.http import ArenaClient

    credentials = credentials_here()
    if not credentials.token:
        raise LoginError(
            f"there is no token for {credentials.url} ({credentials.source}); use `arena auth login`"
        )
    with ArenaClient(credentials.url, credentials.token) as client:
        me = client.me()
    if as_json:
        print_json({"url": credentials.url, "source": credentials.source, "name": me.name, "role": me.role})
    else:
        print_line(f"{me.name} ({me.role}) at {credentials.url}, from {credentials.source}")
