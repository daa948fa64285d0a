"""`arena tournament bot`, `head-to-head` and `balance`: what a tournament's numbers say beside its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import amount, print_json, print_line, print_table
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.statistics import OpeningShare, OpeningTotals, ShareOut, TotalsOut

TOTALS = (*(">games", ">points", ">won", ">drawn", ">lost", ">forfeits"), *(">score", ">time"))


def register(app: typer.Typer) -> None:
    """Add the commands to those of `arena tournament`."""
    app.command()(bot)
    app.command("head-to-head")(head_to_head)
    app.command()(balance)


def bot(
    name: TournamentName,
    bot_name: Annotated[str, typer.Argument(metavar="BOT", help="The bot's name.")],
    as_json: AsJson = False,
) -> None:
    """Print one bot's numbers: by opponent, seat and opening, its forfeits and its time."""
    with connect() as client:
        numbers = client.bot_numbers(name, bot_name)
    if as_json:
        print_json(numbers)
        return
    rows = [(say("all"), *_totals(numbers.totals)), *_seats(numbers.seats)]
    print_table(
        ("", *TOTALS),
        rows,
        say(
            "{bot} version {version} of {owner}",
            bot=numbers.bot,
            version=numbers.version,
            owner=numbers.owner,
        ),
    )
    _print_openings(numbers.openings)
    opponents = [(each.bot, *_totals(each.totals)) for each in numbers.opponents]
    print_table(("against", *TOTALS), opponents)
    for kind, count in numbers.forfeits.items():
        print_line(say("forfeits, {kind}: {count}", kind=say(kind), count=count))
    print_line(say("the longest game took it {what:.1f} s", what=numbers.longest_ms / 1000))


def head_to_head(
    name: TournamentName,
    one: Annotated[str, typer.Argument(metavar="ONE", help="A bot; the numbers are its.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The bot that it met.")],
    as_json: AsJson = False,
) -> None:
    """Print what two bots made of their games with each other, and how likely the first is stronger."""
    with connect() as client:
        record = client.head_to_head(name, one, other)
    if as_json:
        print_json(record)
        return
    rows = [(say("all"), *_totals(record.totals)), *_seats(record.seats)]
    print_table(("", *TOTALS), rows, say("{it} against {other}", it=record.one, other=record.other))
    _print_openings(record.openings)
    for words, likely in (
        (say("by their games"), record.superiority),
        (say("by the ratings of all games"), record.rated_superiority),
    ):
        if likely is not None:
            print_line(
                say(
                    "{it} is the stronger one with a likelihood of {likely:.1%} {words}",
                    it=record.one,
                    likely=likely,
                    words=words,
                )
            )


def balance(name: TournamentName, as_json: AsJson = False) -> None:
    """Print what the first seat made, in all and by opening, and how often every bot had it."""
    with connect() as client:
        shares = client.balance(name)
    if as_json:
        print_json(shares)
        return
    rows = [(say("all"), *_share(shares.first))]
    rows += [(_opening(each), *_share(each.first)) for each in shares.openings]
    columns = ("opening", ">games", ">won", ">drawn", ">lost", ">first seat", ">95 %", "")
    print_table(columns, rows, say("{tournament}: points of the first seat", tournament=shares.tournament))
    seats = [(each.bot, each.first, each.second) for each in shares.seats]
    print_table(("bot", ">first", ">second"), seats)
    print_line(say("widest difference between the seats of a bot: {widest}", widest=shares.widest))


def _totals(total: TotalsOut) -> tuple[object, ...]:
    return (
        *(total.games, amount(total.points), *(total.wins, total.draws, total.losses, total.forfeits)),
        *(f"{total.score_own}:{total.score_other}", f"{total.wall_ms / 1000:.1f} s"),
    )


def _seats(seats: list[TotalsOut]) -> list[tuple[object, ...]]:
    return [
        (words, *_totals(total)) for words, total in zip((say("first"), say("second")), seats, strict=True)
    ]


def _opening(each: OpeningTotals | OpeningShare) -> str:
    return " ".join((str(each.opening), *each.moves)) if each.opening else say("the beginning")


def _print_openings(openings: list[OpeningTotals]) -> None:
    print_table(("opening", *TOTALS), [(_opening(each), *_totals(each.totals)) for each in openings])


def _share(share: ShareOut) -> tuple[object, ...]:
    counts = (share.games, share.wins, share.draws, share.losses)
    if share.share is None:
        return (*counts, "", "", "")
    between = say("{low:.1%} to {high:.1%}", low=share.low, high=share.high)
    return (*counts, f"{share.share:.1%}", between, say("not even") if share.lopsided else "")
