"""`arena my`: one's own team: its bots, what they could enter, how their games ended, and what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.people import scrimmages
from arena.cli.people.my_news import register as register_news
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import amount, print_json, print_table
from arena.core.terms import Outcome
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.team import OfferOut, OwnBot, OwnGameOut

app = Commands()
register_news(app)
app.add_typer(
    scrimmages.app, name="scrimmage", help="Games that the workers play for your team, which count nowhere."
)

LETTERS = {Outcome.WON: "W", Outcome.DRAWN: "D", Outcome.LOST: "L", Outcome.FORFEIT: "F"}


@app.command()
def bots(as_json: AsJson = False) -> None:
    """List your team's bots: version, check, last results (the last first), and what they are in."""
    with connect_with_token() as client:
        own = list(client.own_bots())
    if as_json:
        print_json({"bots": own})
    else:
        print_table(("bot", ">version", "check", "form", say("takes part in")), map(_bot_row, own))


def _bot_row(bot: OwnBot) -> tuple[object, ...]:
    form = "".join(LETTERS[each.outcome] for each in bot.form)
    entries = ", ".join(
        say("{tournament} (version {version})", tournament=each.tournament, version=each.version)
        for each in bot.entries
    )
    newest = bot.newest
    state = newest and (f"{newest.state}: {bot.code}" if bot.code else newest.state)
    return bot.name, newest and newest.version, state, form, entries


@app.command("open")
def open_(as_json: AsJson = False) -> None:
    """List the tournaments that your team may enter now, and what stands in the way of each bot."""
    with connect_with_token() as client:
        openings = list(client.openings())
    if as_json:
        print_json({"tournaments": openings})
        return
    rows = [
        (opening.tournament, opening.game.name, offer.bot, _offered(offer))
        for opening in openings
        for offer in opening.bots
    ]
    print_table(("tournament", "game", "bot", say("it could")), rows)


def _offered(offer: OfferOut) -> str:
    if offer.obstacle:
        return say("not: {replace}", replace=offer.obstacle.replace("_", " "))
    return say("enter with version {version}", version=offer.version)


@app.command()
def games(
    outcome: Annotated[Outcome | None, typer.Option("--outcome", help="Only those that ended so.")] = None,
    bot: Annotated[str | None, typer.Option(help="Only those of this bot.")] = None,
    tournament: Annotated[str | None, typer.Option(help="Only those of this tournament.")] = None,
    as_json: AsJson = False,
) -> None:
    """List your team's games, the last first; `--outcome forfeit` are those lost by a fault of your own."""
    sought = {"outcome": outcome and outcome.value, "bot": bot, "tournament": tournament}
    with connect_with_token() as client:
        own = list(client.own_matches(**{name: value for name, value in sought.items() if value}))
    if as_json:
        print_json({"matches": own})
    else:
        print_table(("tournament", ">game", "bot", "against", "outcome", "reason"), map(_game_row, own))


def _game_row(game: OwnGameOut) -> tuple[object, ...]:
    own, other = game.seats[game.seat], game.seats[1 - game.seat]
    reason = game.result.reason if game.result else None
    return game.tournament, game.number, f"{own.bot} {own.version}", other.bot, game.outcome, reason


@app.command()
def grades(as_json: AsJson = False) -> None:
    """List the grades that your team was told, the last first."""
    with connect_with_token() as client:
        told = list(client.own_grades())
    if as_json:
        print_json({"grades": told})
        return
    rows = [
        (
            each.tournament,
            amount(each.grade.points),
            each.grade.place,
            "" if each.before is None else amount(each.before),
            each.reason,
        )
        for each in told
    ]
    print_table(("tournament", ">points", ">place", ">before", say("told anew, as")), rows)
