"""Matches that could not be played and are parked: another chance, or doing without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.schemas.matches import MatchDetail

Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The match's number.")]


def retry(name: TournamentName, number: Number, as_json: AsJson = False) -> None:
    """Give a parked match another chance."""
    with connect_with_token() as client:
        _print_match(name, client.retry(name, number), as_json)


def retry_all(name: TournamentName, as_json: AsJson = False) -> None:
    """Give all parked matches of a tournament another chance, at most 1000 at a time."""
    with connect_with_token() as client:
        made = client.retry_all(name)
    print_json(made) if as_json else print_line(
        say_many(
            "{number} match of {name} is played again",
            "{number} matches of {name} are played again",
            made.retried,
            name=name,
        )
    )


def drop(
    name: TournamentName,
    number: Number,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why, for those who ask later.")],
    as_json: AsJson = False,
) -> None:
    """Call a parked match off: it counts for nobody, and the tournament can finish without it."""
    with connect_with_token() as client:
        _print_match(name, client.drop(name, number, reason), as_json)


def _print_match(name: str, match: MatchDetail, as_json: bool) -> None:
    if as_json:
        print_json(match)
    else:
        bots = say(" against ").join(seat.bot for seat in match.seats)
        print_line(
            say(
                "match {number} of {name} ({bots}) is {state}",
                number=match.number,
                name=name,
                bots=bots,
                state=match.state,
            )
        )


def register(app: typer.Typer) -> None:
    """Add these commands to `arena tournament`."""
    for command in (retry, retry_all, drop):
        app.command()(command)
