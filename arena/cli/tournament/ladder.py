"""`arena tournament ladder`: how a ladder stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.shared.connection import connect
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.ladders import LadderLine

COLUMNS = (*(">rank", ">moved", "bot", "owner", ">games"), *(">Elo", ">error", ">change", "last results"))


def ladder(name: TournamentName, as_json: AsJson = False) -> None:
    """Print how a ladder stands: by rating, with what the newest round did, and everybody's last results."""
    with connect() as client:
        told = client.ladder(name)
    if as_json:
        print_json(told)
        return
    print_table(
        COLUMNS,
        map(_row, told.items),
        say(
            "{tournament}: {state}, round {round}",
            tournament=told.tournament,
            state=told.state,
            round=told.round,
        ),
    )
    if told.prior:
        print_line(
            say("provisional: the games so far do not tell the ratings yet, so they are drawn towards 0")
        )


def _row(line: LadderLine) -> tuple[object, ...]:
    return (
        *(line.rank, f"{line.places:+d}" if line.places else "", line.bot, line.owner, line.games),
        *(_elo(line.rating, "+.0f"), _elo(line.error, ".0f"), _elo(line.change, "+.0f")),
        " ".join(each.outcome[0].upper() for each in line.form),
    )


def _elo(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
