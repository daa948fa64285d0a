"""`arena bot show`: what a bot has done over all tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.bot.checks import BotName
from arena.cli.shared.connection import connect
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import amount, print_json, print_line, print_table
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.careers import CareerGame, CareerOpponent, SumOut

MADE = (">games", ">won", ">drawn", ">lost")


def show(name: BotName, as_json: AsJson = False) -> None:
    """Print what a bot has done over all tournaments: its games, its places, and whom it has met."""
    with connect() as client:
        career = client.career(name)
        places, opponents = client.places(name), list(client.met(name))
    if as_json:
        print_json({"career": career, "tournaments": places, "opponents": opponents})
        return
    games = [(each.game, *_made(each)) for each in career.games]
    print_table(("game", *MADE), games, say("{bot} of {owner}", bot=career.bot, owner=career.owner))
    for game in career.form:
        print_line(_told(game))
    columns = ("tournament", "state", "game", ">version", ">rank", ">of", ">points", ">games")
    rows = [
        (
            *(each.tournament, each.left_as or each.state, each.game, each.version),
            *(each.rank, each.entries, amount(each.points), each.games),
        )
        for each in places
    ]
    print_table(columns, rows)
    print_table(
        ("against", "owner", *MADE), [(each.opponent, each.owner, *_made(each)) for each in opponents]
    )


def _made(each: SumOut | CareerOpponent) -> tuple[int, int, int, int]:
    return each.won + each.drawn + each.lost, each.won, each.drawn, each.lost


def _told(game: CareerGame) -> str:
    from arena.local.endings import ending

    return say(
        "{outcome} against {opponent}: match {match} of {tournament} ({reason})",
        outcome=game.outcome,
        opponent=game.opponent,
        match=game.match,
        tournament=game.tournament,
        reason=ending(game.game.name, game.reason),
    )
