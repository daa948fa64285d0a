"""`arena class`: classes, who runs them, and the codes by which teams join them."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.likeness import USUAL_THRESHOLD, Threshold, show_likeness
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.cli.shared.told import print_announcement
from arena.core.words import say, say_many

app = Commands()

Name = Annotated[str, typer.Argument(help="The class's name.")]


@app.command()
def create(name: Name, as_json: AsJson = False) -> None:
    """Make a class; an organiser who does runs it."""
    with connect_with_token() as client:
        made = client.create_class(name)
    if as_json:
        print_json(made)
    else:
        print_line(say("{name} is there now", name=made.name))


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the classes that you run."""
    with connect_with_token() as client:
        classes = list(client.classes())
    if as_json:
        print_json({"classes": classes})
    else:
        print_table(("class", "organisers"), [(each.name, ", ".join(each.organisers)) for each in classes])


@app.command()
def organiser(
    name: Name, user: Annotated[str, typer.Argument(help="An organiser's name.")], as_json: AsJson = False
) -> None:
    """Have an organiser run a class, too."""
    with connect_with_token() as client:
        changed = client.add_organiser(name, user)
    if as_json:
        print_json(changed)
    else:
        print_line(
            say("{name} is run by {organisers}", name=changed.name, organisers=", ".join(changed.organisers))
        )


@app.command()
def scrimmages(
    name: Name,
    allowed: Annotated[bool, typer.Option("--allow/--none", help="Whether its teams may have any.")],
    as_json: AsJson = False,
) -> None:
    """Let a class have scrimmages, or none; then those that wait are called off."""
    with connect_with_token() as client:
        changed = client.set_class_scrimmages(name, allowed=allowed)
    if as_json:
        print_json(changed)
    else:
        print_line(
            say(
                "{name} has {what}",
                name=changed.name,
                what="scrimmages" if changed.scrimmages else say("no scrimmages"),
            )
        )


@app.command()
def code(
    name: Name,
    uses: Annotated[int, typer.Option(min=1, max=500, help="How many teams may join by it.")] = 40,
    days: Annotated[int, typer.Option(min=1, max=366, help="How long it is good.")] = 7,
    as_json: AsJson = False,
) -> None:
    """Print a code by which new teams join a class."""
    with connect_with_token() as client:
        made = client.make_class_code(name, uses, days)
    if as_json:
        print_json(made)
    else:
        note(
            say(
                "for {uses_left}, until {expires_at:%Y-%m-%d %H:%M} UTC:",
                uses_left=say_many("{number} team", "{number} teams", made.uses_left),
                expires_at=made.expires_at,
            )
        )
        print_line(made.text)


@app.command()
def announce(
    name: Name,
    text: Annotated[str, typer.Argument(help="What its teams are told.")],
    as_json: AsJson = False,
) -> None:
    """Tell the teams of a class something; nobody else reads it."""
    with connect_with_token() as client:
        told = client.announce_to_class(name, text)
    print_json(told) if as_json else print_line(say("announced as event {number}", number=told.number))


@app.command()
def announcements(name: Name, as_json: AsJson = False) -> None:
    """Show what was announced to a class, newest first."""
    with connect_with_token() as client:
        told = list(client.announced_to_class(name))
    if as_json:
        print_json({"announcements": told})
        return
    for each in told:
        print_announcement(each)


@app.command()
def likeness(name: Name, threshold: Threshold = USUAL_THRESHOLD, as_json: AsJson = False) -> None:
    """List the pairs of different teams' bots that have much of their source in common."""
    with connect_with_token() as client:
        found = client.class_likeness(name, threshold)
    show_likeness(found, as_json=as_json)
