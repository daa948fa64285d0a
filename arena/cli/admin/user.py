"""`arena admin user`: users by the database itself, for an administrator who cannot sign in."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.failures import CliError
from arena.cli.shared.folders import data_folder
from arena.cli.shared.options import AsJson, Data, TokenDays, TokenScope
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.terms import Role, Scope
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.store.models import User

app = Commands()

Name = Annotated[str, typer.Argument(help="The user's name.")]


@contextmanager
def transaction(data: Path | None) -> Iterator[Session]:
    """A transaction in the database of an arena."""
    from arena.administration.opening import opened, require_present

    with opened(data_folder(data)) as arena:
        require_present(arena)
        with arena.database.transaction() as session:
            yield session


@app.command("list")
def list_(data: Data = None, as_json: AsJson = False) -> None:
    """List all users, and how they sign in."""
    from arena.people.administering import every_account

    with transaction(data) as session:
        found = [
            {
                "name": user.name,
                "role": user.role,
                "has_password": user.password_hash is not None,
                **ways._asdict(),
                "disabled": user.left_at is not None,
            }
            for user, ways in every_account(session)
        ]
    if as_json:
        print_json({"users": found})
        return
    columns = ("Name", "Role", "Password", ">Tokens", ">Sessions", ">Passkeys", ">Links", "State")
    keys = ("name", "role", "has_password", "tokens", "sessions", "passkeys", "links", "disabled")
    words = {"has_password": (say("no"), say("yes")), "disabled": (say("in"), say("disabled"))}
    print_table(
        columns, [[words[key][bool(row[key])] if key in words else row[key] for key in keys] for row in found]
    )


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="The new user's name.")],
    role: Annotated[Role, typer.Option(help="What the user may do.")] = Role.ADMIN,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Create a user, an administrator unless told otherwise, and print their token, shown this once."""
    from arena.people.users import create_user

    with transaction(data) as session:
        made, token = create_user(session, name, role)
        told = {"name": made.name, "role": made.role, "token": token}
    _print_token(told, as_json=as_json)


@app.command()
def token(
    name: Name,
    scope: TokenScope = Scope.ALL,
    days: TokenDays = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Give a user another token, which is shown this once; earlier ones stay valid until `revoke`."""
    from arena.people.users import new_token

    with transaction(data) as session:
        user = _who_is_in(session, name)
        text, _ = new_token(session, user, scope=scope, days=days)
        told = {"name": user.name, "role": user.role, "token": text}
    _print_token(told, as_json=as_json)


def _who_is_in(session: Session, name: str) -> User:
    from arena.people.users import get

    user = get(session, name)
    if user.left_at is not None:
        raise CliError(
            say("{name} is disabled; let them in with `arena admin user enable {name}`", name=user.name)
        )
    return user


def _print_token(told: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        print_json(told)
    else:
        note(say("{name} ({role}); the token is shown only now:", name=told["name"], role=told["role"]))
        print_line(told["token"])


@app.command()
def password(name: Name, data: Data = None, as_json: AsJson = False) -> None:
    """Give a user a password, which is asked for, or read from standard input."""
    from arena.people.sessions import give_password

    if sys.stdin.isatty():
        text = getpass.getpass(say("New password of {name}: ", name=name))
    else:
        text = sys.stdin.readline().rstrip("\n")
    with transaction(data) as session:
        give_password(session, _who_is_in(session, name), text)
    print_json({"name": name}) if as_json else print_line(say("{name} has the password", name=name))


@app.command()
def enable(name: Name, data: Data = None, as_json: AsJson = False) -> None:
    """Let a disabled user in again; `token` or `password` signs them in."""
    from arena.people.administering import enable as let_in

    with transaction(data) as session:
        let_in(session, None, name)
    print_json({"name": name}) if as_json else print_line(say("{name} is in again", name=name))


@app.command()
def revoke(name: Name, yes: Yes = False, data: Data = None, as_json: AsJson = False) -> None:
    """Make worthless all that a user signs in with: tokens, sessions, links, password, passkeys, accounts."""
    from arena.people.users import get, revoke_tokens

    ask_first(
        say("{name} is signed out everywhere, and nothing that they sign in with is left.", name=name),
        yes=yes,
    )
    with transaction(data) as session:
        count = revoke_tokens(session, get(session, name))
    if as_json:
        print_json({"name": name, "revoked": count})
    else:
        print_line(
            say_many(
                "{name}: {number} token is worthless now",
                "{name}: {number} tokens are worthless now",
                count,
                name=name,
            )
        )
