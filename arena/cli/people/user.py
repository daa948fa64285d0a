"""`arena user`: the staff lets teams in."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line
from arena.core.terms import Role

app = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The user's name.")]


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="The team's name.")],
    role: Annotated[Role, typer.Option(help="What the user may do.")] = Role.TEAM,
    as_json: AsJson = False,
) -> None:
    """Create a user and print their token, which is shown this once."""
    with connect_with_token() as client:
        made = client.create_user(name, role)
    if as_json:
        print_json({"name": made.user.name, "role": made.user.role, "token": made.token})
    else:
        note(f"{name} ({role}); the token is shown only now:")
        print_line(made.token)


@app.command()
def token(name: Name, as_json: AsJson = False) -> None:
    """Give a user another token, which is shown this once; earlier ones stay valid until `revoke`."""
    with connect_with_token() as client:
        made = client.issue_token(name)
    if as_json:
        print_json({"name": made.user.name, "role": made.user.role, "token": made.token})
    else:
        note(f"{name}; the token is shown only now:")
        print_line(made.token)


@app.command()
def revoke(name: Name, as_json: AsJson = False) -> None:
    """Make all tokens of a user worthless, except the one that you use yourself."""
    with connect_with_token() as client:
        count = client.revoke_tokens(name).revoked
    if as_json:
        print_json({"name": name, "revoked": count})
    else:
        print_line(f"{name}: {count} token{' is' if count == 1 else 's are'} worthless now")
