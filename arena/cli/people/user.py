"""`arena user`: the staff lets teams in."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.terms import Role
from arena.core.words import N_, say, say_many
from arena.schemas.users import UserState

app = Commands()

COLUMNS = ("Name", "Role", "Class", "Team", "Password", ">Passkeys", ">Tokens", ">Sessions", "State")
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
        note(say("{name} ({role}); the token is shown only now:", name=name, role=role))
        print_line(made.token)


@app.command("list")
def list_(
    *,
    find: Annotated[str, typer.Option(metavar="TEXT", help="Only those with this in their names.")] = "",
    role: Annotated[Role | None, typer.Option(help="Only those with this role.")] = None,
    class_name: Annotated[str, typer.Option("--class", help="Only those of this class.")] = "",
    disabled: Annotated[
        bool | None, typer.Option("--disabled/--enabled", help="Only those who are out, or in.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the users that you manage, and how they sign in."""
    wanted: dict[str, str | bool] = {"name": find, "class_name": class_name}
    wanted |= {} if role is None else {"role": role}
    wanted |= {} if disabled is None else {"disabled": disabled}
    with connect_with_token() as client:
        found = list(client.users(**wanted))
    if as_json:
        print_json({"users": found})
        return
    print_table(COLUMNS, map(_row, found))


def _row(user: UserState) -> tuple[object, ...]:
    password = say("yes") if user.has_password else say("no")
    counts = user.passkeys, user.tokens, user.sessions
    state = say("disabled") if user.disabled_at else say("in")
    return user.name, user.role, user.class_name or "", user.team or "", password, *counts, state


@app.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Show a user, and how they sign in."""
    with connect_with_token() as client:
        found = client.user(name)
    if as_json:
        print_json(found)
        return
    told = [(title.removeprefix(">"), value) for title, value in zip(COLUMNS, _row(found), strict=True)]
    told += [(N_("Leader"), say("yes") if found.is_leader else say("no")), (N_("Links"), found.links)]
    told += [(N_("Since"), f"{found.created_at:%Y-%m-%d %H:%M} UTC")]
    for label, value in told:
        print_line(say("{label}: {value}", label=say(label), value=value))


@app.command()
def role(
    name: Name,
    role: Annotated[Role, typer.Argument(help="What the user may do from now on.")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Give a user another role; an organiser who will be none runs no class any more.

    Who becomes an organiser or administrator, and was less, signs in anew: `arena user link` lets them in.
    """
    ask_first(say("{name} gets the role {role}.", name=name, role=role), yes=yes)
    with connect_with_token() as client:
        changed = client.set_role(name, role)
    if as_json:
        print_json(changed)
        return
    print_line(say("{name} has the role {role}", name=changed.name, role=changed.role))
    if not (changed.tokens or changed.sessions or changed.links or changed.passkeys or changed.has_password):
        note(
            say("{name} has nothing to sign in with; hand out a new link: arena user link {name}", name=name)
        )


@app.command()
def disable(name: Name, yes: Yes = False, as_json: AsJson = False) -> None:
    """Let a user out: they sign in no more, and no token, session or password is left; their bots stay."""
    ask_first(
        say("{name} signs in no more, and all that they sign in with ends at once.", name=name), yes=yes
    )
    with connect_with_token() as client:
        changed = client.change_user(name, "disable")
    print_json(changed) if as_json else print_line(say("{name} is disabled", name=changed.name))


@app.command()
def enable(name: Name, as_json: AsJson = False) -> None:
    """Let a user in again; `arena user link` or `token` signs them in."""
    with connect_with_token() as client:
        changed = client.change_user(name, "enable")
    print_json(changed) if as_json else print_line(say("{name} is in again", name=changed.name))


@app.command()
def token(name: Name, as_json: AsJson = False) -> None:
    """Give a user another token, which is shown this once; earlier ones stay valid until `revoke`."""
    with connect_with_token() as client:
        made = client.issue_token(name)
    if as_json:
        print_json({"name": made.user.name, "role": made.user.role, "token": made.token})
    else:
        note(say("{name}; the token is shown only now:", name=name))
        print_line(made.token)


@app.command()
def link(name: Name, as_json: AsJson = False) -> None:
    """Print a link that signs a user in on the pages once, also to choose another password."""
    with connect_with_token() as client:
        made = client.make_link(name)
    if as_json:
        print_json(made)
    else:
        note(
            say(
                "{name}; it is shown only now, and works once, until {expires_at:%Y-%m-%d %H:%M} UTC:",
                name=name,
                expires_at=made.expires_at,
            )
        )
        print_line(made.url)


@app.command()
def revoke(name: Name, yes: Yes = False, as_json: AsJson = False) -> None:
    """Make all tokens of a user worthless, except the one that you use yourself.

    Sessions and links end, somebody else's password, passkeys and school account are forgotten; `arena user
    link` lets them in again.
    """
    ask_first(
        say(
            "All tokens, sessions, links, passkeys and school accounts of {name} end, and the password.",
            name=name,
        ),
        yes=yes,
    )
    with connect_with_token() as client:
        count = client.revoke_tokens(name).revoked
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
