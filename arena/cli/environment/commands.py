"""`arena env`: packages for Python bots, on this machine and in the arena."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import print_json, print_line, print_table

if TYPE_CHECKING:
    from workers.programs.environments import Environment

app = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="What bots call it in their `bot.toml`.")]


@app.command()
def build(
    name: Name,
    packages: Annotated[
        list[str] | None,
        typer.Argument(metavar="PACKAGE==VERSION", help="The packages, each in one version."),
    ] = None,
    *,
    files: Annotated[
        list[Path] | None,
        typer.Option("-r", "--requirement", metavar="FILE", help="A list of such lines; hashes are checked."),
    ] = None,
    wheels: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Take the packages only from wheels in this folder, by no network."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build an environment on this machine, as who administers it; its workers offer it when they start anew.

    Only wheels are taken. What is built is tried where bots run, and never changed: the same name with other
    packages is built beside it, and is what the name means on this machine from then on.
    """
    from arena.local.environments import build as make

    made = make(name, packages or [], files or [], wheels)
    if as_json:
        print_json(_about(made))
        return
    print_line(f"{made.name} is built ({made.digest}): {made.python}, {', '.join(made.packages)}")
    print_line(f"the same elsewhere: {_again(made)}")


@app.command("list")
def list_here(as_json: AsJson = False) -> None:
    """List the environments of this machine, and whether its bots can use them."""
    from arena.local.environments import list_all

    listed = list_all()
    if as_json:
        print_json({"environments": [{**_about(each), "trouble": trouble} for each, trouble in listed]})
        return
    if not listed:
        print_line("there are none; `arena env build NAME PACKAGE==VERSION` makes one")
        return
    rows = [
        (
            each.name,
            each.digest,
            "current" if each.is_current else "",
            each.python,
            ", ".join(each.packages),
            trouble or "",
        )
        for each, trouble in listed
    ]
    print_table(("Name", "Digest", "", "Python", "Packages", "Trouble"), rows)


@app.command()
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME[@DIGEST]", help="All of that name, or the one.")],
    as_json: AsJson = False,
) -> None:
    """Remove environments of this machine; its workers offer them no more."""
    from arena.local.environments import remove as take_away

    gone = take_away(name)
    if as_json:
        print_json({"removed": [_about(each) for each in gone]})
        return
    for each in gone:
        print_line(f"{each.name} ({each.digest}) is removed")


@app.command()
def known(as_json: AsJson = False) -> None:
    """List what the names of environments mean in the arena, and on how many hosts they are."""
    with connect() as client:
        found = list(client.environments())
    if as_json:
        print_json({"environments": found})
        return
    rows: list[tuple[object, ...]] = []
    for each in found:
        rows.append((each.name, each.digest, each.hosts, each.packages))
        rows += [("", digest, "not used", told) for digest, told in each.others.items()]
    print_table(("Name", "Digest", ">Hosts", "Packages"), rows)


@app.command()
def choose(
    name: Name,
    digest: Annotated[
        str, typer.Argument(metavar="DIGEST", help="Of what a host has, as `arena env known` lists.")
    ],
    as_json: AsJson = False,
) -> None:
    """Let a name mean other packages in the arena from now on, as an administrator."""
    with connect_with_token() as client:
        chosen = client.choose_environment(name, digest)
    if as_json:
        print_json(chosen)
    else:
        print_line(f"{chosen.name} means {chosen.packages} ({chosen.digest}) from now on")


def _about(each: Environment) -> dict[str, Any]:
    return {
        "name": each.name,
        "digest": each.digest,
        "current": each.is_current,
        "python": each.python,
        "packages": each.packages,
        "folder": str(each.folder),
    }


def _again(each: Environment) -> str:
    return shlex.join(["arena", "env", "build", each.name, *each.packages])
