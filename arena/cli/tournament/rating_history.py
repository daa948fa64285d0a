"""`arena tournament rating-history`: how ratings came about, and the online rating."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from arena.cli.shared.connection import connect
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line, print_table


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
        found = client.rating_history(name, "online" if online else "likelihood", points)
    print_json(found) if as_json else _print(found)


def _print(found: dict[str, Any]) -> None:
    columns = (">rank", "bot", "owner", ">games", *(f">{_when(point)}" for point in found["points"]))
    rows = [
        (
            *(rank if line["games"] else "", line["bot"], line["owner"], line["games"]),
            *map(_rating, line["ratings"], line["errors"]),
        )
        for rank, line in enumerate(found["items"], start=1)
    ]
    print_table(columns, rows, f"{found['tournament']}: {found['state']}, Elo ± error")
    for told in _basis(found):
        print_line(told)


def _when(point: dict[str, Any]) -> str:
    if point["round"] is not None:
        return f"round {point['round']}" + ("*" if point["prior"] else "")
    return f"{point['games']:,} games"


def _rating(rating: float | None, error: float | None) -> str:
    return "" if rating is None else f"{rating:+.0f} ± {error:.0f}"


def _basis(found: dict[str, Any]) -> Iterator[str]:
    if found["order_dependent"]:
        yield "online rating (Weng and Lin): it depends on the order in which the games were recorded"
    if found["forgotten"]:
        yield f"the first {found['forgotten']:,} games are forgotten"
    if any(point["prior"] for point in found["points"]):
        yield "* provisional: the games alone did not tell the ratings yet, so a normal prior was used"
