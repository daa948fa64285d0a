"""`arena tournament rating-history`: how ratings came about, and the online rating."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.schemas.ratings import HistoryPoint, RatingHistory


def rating_history(
    name: TournamentName,
    *,
    online: Annotated[
        bool, typer.Option("--online", help="The rating that every game moves as it is recorded.")
    ] = False,
    points: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Points at most; the last one is now.")
    ] = 6,
    as_json: AsJson = False,
) -> None:
    """Print how the ratings came about, after one round and another; or the online rating.

    The online rating is for ladders: it depends on the order in which games were recorded, and the table of
    ratings does not.
    """
    with connect() as client:
        history = client.rating_history(name, "online" if online else "likelihood", points)
    print_json(history) if as_json else _print(history)


def _print(history: RatingHistory) -> None:
    columns = (">rank", "bot", "owner", ">games", *(f">{_when(point)}" for point in history.points))
    rows = [
        (
            *(rank if line.games else "", line.bot, line.owner, line.games),
            *map(_rating, line.ratings, line.errors),
        )
        for rank, line in enumerate(history.items, start=1)
    ]
    print_table(
        columns,
        rows,
        say("{tournament}: {state}, Elo ± error", tournament=history.tournament, state=history.state),
    )
    for told in _basis(history):
        print_line(told)


def _when(point: HistoryPoint) -> str:
    if point.round is not None:
        return say("round {round}", round=point.round) + ("*" if point.prior else "")
    return say_many("{number:,} game", "{number:,} games", point.games)


def _rating(rating: float | None, error: float | None) -> str:
    return "" if rating is None else f"{rating:+.0f} ± {error:.0f}"


def _basis(history: RatingHistory) -> Iterator[str]:
    if history.order_dependent:
        yield say("online rating (Weng and Lin): it depends on the order in which the games were recorded")
    if history.forgotten:
        yield say(
            "forgotten: the first {forgotten}",
            forgotten=say_many("{number:,} game", "{number:,} games", history.forgotten),
        )
    if any(point.prior for point in history.points):
        yield say("* provisional: the games alone did not tell the ratings yet, so a normal prior was used")
