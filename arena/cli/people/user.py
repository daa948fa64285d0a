"""`arena user`: the staff lets teams in."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
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
    class_name: Annotated[
        str | None, typer.Option("--class", help="The class that the user belongs to.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Create a user and print their token, which is shown this once."""
    with connect_with_token() as client:
        made = client.create_user(name, role, class_name)
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
def link(name: Name, as_json: AsJson = False) -> None:
    """Print a link that signs a user in on the pages once, also to choose another password."""
    with connect_with_token() as client:
        made = client.make_link(name)
    if as_json:
        print_json(made)
    else:
        note(f"{name}; it is shown only now, and works once, until {made.expires_at:%Y-%m-%d %H:%M} UTC:")
        print_line(made.url)


@app.command()
def revoke(name: Name, yes: Yes = False, as_json: AsJson = False) -> None:
    """Make all tokens of a user worthless, except the one that you use yourself.

    Sessions and links end, somebody else's password, passkeys and school account are forgotten; `arena user
    link` lets them in again.
    """
    ask_first(
        f"All tokens, sessions, links, passkeys and school accounts of {name} end, and the password.",
        yes=yes,
    )
    with connect_with_token() as client:
        count = client.revoke_tokens(name).revoked
    if as_json:
        print_json({"name": name, "revoked": count})
    else:
        print_line(f"{name}: {count} token{' is' if count == 1 else 's are'} worthless now")
