"""`arena season`: made, changed, read and exported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, Force
from arena.cli.shared.output import Named, amount, print_json, print_line, print_table
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.seasons import MadeOut, SeasonTable

app = Commands()

Name = Annotated[str, typer.Argument(metavar="NAME", help="The season's name.")]
ClassName = Annotated[str | None, typer.Option("--class", help="A class, whose organisers run it.")]


@dataclass(frozen=True)
class Wanted:
    """What a season is."""

    title: Annotated[str | None, typer.Option(help="What stands over it.")] = None
    tournament: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A tournament; repeatable, in their order.")
    ] = None
    points: Annotated[
        str | None, typer.Option(metavar="N,N,…", help="Points for the places, the first place first.")
    ] = None
    share: Annotated[
        float | None, typer.Option(metavar="POINTS", help="Count by share: for all points of one's games.")
    ] = None
    best: Annotated[int | None, typer.Option(min=0, help="So many of a team's best count; 0 for all.")] = None

    def told(self, before: dict[str, Any]) -> dict[str, Any]:
        """The same as the API takes it; what was not given is as before."""
        if self.points is not None and self.share is not None:
            raise UsageError(say("a season is counted by --points or by --share; give one of them"))
        scoring = dict(before.get("scoring", {}))
        if self.points is not None:
            scoring |= {"by": "places", "points": self.points.replace(",", " ").split()}
        if self.share is not None:
            scoring |= {"by": "share", "whole": self.share}
        if self.best is not None:
            scoring["best"] = self.best or None
        title = self.title if self.title is not None else before.get("title")
        names = self.tournament if self.tournament is not None else before.get("tournaments", [])
        return {"title": title or None, "scoring": scoring, "tournaments": names}


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List all seasons, newest first."""
    with connect() as client:
        found = list(client.seasons())
    if as_json:
        print_json({"seasons": found})
    else:
        print_table(
            ("season", "title", ">tournaments"), [(each.name, each.title, each.tournaments) for each in found]
        )


@app.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Print the table of a season."""
    with connect() as client:
        _print(client.season(name), as_json=as_json)


@app.command()
def export(name: Name, *, output: Output = None, force: Force = False, as_json: AsJson = False) -> None:
    """Write the table of a season as CSV, for a spreadsheet."""
    check_export(output, force=force, as_json=as_json)
    with connect() as client:
        about = {"season": name, "format": "csv"}
        write_export(client.season_csv(name), output, about, force=force, as_json=as_json)


@app.command()
@grouped
def create(name: Name, *, wanted: Wanted, class_name: ClassName = None, as_json: AsJson = False) -> None:
    """Make a season of tournaments that you run."""
    with connect_with_token() as client:
        made = client.create_season({"name": name, "class_name": class_name, **wanted.told({})})
        _print(made, as_json=as_json)


@app.command()
@grouped
def change(name: Name, *, wanted: Wanted, as_json: AsJson = False) -> None:
    """Change what is given of a season; with --tournament all of its tournaments."""
    with connect_with_token() as client:
        season = client.season(name).season
        before = {
            "title": season.title,
            "scoring": season.scoring.model_dump(mode="json"),
            "tournaments": [each.name for each in season.tournaments],
        }
        _print(client.change_season(name, wanted.told(before)), as_json=as_json)


@app.command()
def remove(name: Name, yes: Yes = False) -> None:
    """Remove a season; its tournaments stay."""
    ask_first(say("the table of {name} will be gone for everybody; its tournaments stay", name=name), yes=yes)
    with connect_with_token() as client:
        client.remove_season(name)
    print_line(say("{name} is removed", name=name))


def _print(table: SeasonTable, *, as_json: bool) -> None:
    if as_json:
        print_json(table)
        return
    season = table.season
    rows = [
        (line.rank, line.team, amount(line.points), *(_made(each) for each in line.made))
        for line in table.items
    ]
    columns = (">rank", "team", ">points", *(Named(f">{each.name}") for each in season.tournaments))
    print_table(columns, rows, season.heading)
    for each in season.tournaments:
        if not each.counts:
            print_line(say("not counted yet: {name} ({state})", name=each.name, state=each.state))


def _made(each: MadeOut | None) -> str:
    if each is None:
        return ""
    return amount(each.points) if each.counts else f"({amount(each.points)})"
