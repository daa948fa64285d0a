"""`arena auth token`: one's own tokens, for programs and other machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson, TokenDays, TokenScope
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.cli.shared.told import moment
from arena.core.terms import Scope
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.account import TokenOut

app = Commands()


@app.command()
def create(
    name: Annotated[str, typer.Option(help="What it is for, as the list shows it.")] = "",
    scope: TokenScope = Scope.ALL,
    days: TokenDays = None,
    as_json: AsJson = False,
) -> None:
    """Make another token of your own and print it, shown this once; earlier ones stay valid."""
    with connect_with_token() as client:
        made = client.make_own_token(name, scope, days)
    if as_json:
        print_json(made)
    else:
        note(say("token {number}; it is shown only now:", number=made.id))
        print_line(made.token)


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List your own tokens that are good now, the oldest first."""
    with connect_with_token() as client:
        found = list(client.own_tokens())
    if as_json:
        print_json({"tokens": found})
    else:
        print_table((">Number", "Name", "Scope", "Made", "Good until"), map(_row, found))


@app.command()
def revoke(
    number: Annotated[int, typer.Argument(min=1, help="Its number, as `arena auth token list` shows it.")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Make one of your own tokens worthless; the sessions that were begun with it end."""
    ask_first(say("Token {number} lets nobody and no program in any more.", number=number), yes=yes)
    with connect_with_token() as client:
        client.revoke_own_token(number)
    told = say("token {number} is worthless now", number=number)
    print_json({"number": number}) if as_json else print_line(told)


def _row(token: TokenOut) -> tuple[object, ...]:
    until = moment(token.expires_at) if token.expires_at else ""
    return token.id, token.name, token.scope, moment(token.created_at), until
