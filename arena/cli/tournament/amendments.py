"""`arena tournament withdraw`, `disqualify`, `rerun` and others: what is changed once it has begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.terms import Winner
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.tournaments import TournamentOut

Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The match's number.")]
RoundNumber = Annotated[int, typer.Argument(metavar="ROUND", min=1, help="The round's number.")]
BotName = Annotated[str, typer.Argument(metavar="BOT", help="The bot's name.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why, for those who ask later.")]


def withdraw(
    name: TournamentName, bot: BotName, reason: Reason, yes: Yes = False, as_json: AsJson = False
) -> None:
    """Take a bot out; once it has begun, its opponents win what is not played yet."""
    ask_first(
        say(
            "{bot} leaves {name}; once that has begun, its opponents win what is not played yet.",
            bot=bot,
            name=name,
        ),
        yes=yes,
    )
    with connect_with_token() as client:
        changed = client.withdraw(name, bot, reason)
    _print_left(changed, say("{bot} has left {name}", bot=bot, name=name), as_json=as_json)


def disqualify(
    *,
    name: TournamentName,
    bot: BotName,
    reason: Reason,
    annul: Annotated[bool, typer.Option("--annul", help="Let none of its games count.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Expel a bot; its games stay unless they are annulled."""
    games = say("none of its games counts") if annul else say("its opponents win what is not played yet")
    ask_first(say("{bot} is expelled from {name}, and {games}.", bot=bot, name=name, games=games), yes=yes)
    with connect_with_token() as client:
        changed = client.disqualify(name, bot, reason, annul=annul)
    _print_left(changed, say("{bot} is disqualified from {name}", bot=bot, name=name), as_json=as_json)


def _print_left(tournament: TournamentOut, words: str, *, as_json: bool) -> None:
    print_json(tournament) if as_json else print_line(words)


def rerun(name: TournamentName, number: Number, reason: Reason, as_json: AsJson = False) -> None:
    """Have a finished match played again; its result counts no more, and is kept."""
    with connect_with_token() as client:
        match = client.rerun(name, number, reason)
    print_json(match) if as_json else print_line(
        say("match {number} of {name} will be played again", number=number, name=name)
    )


def rerun_round(
    name: TournamentName, number: RoundNumber, reason: Reason, yes: Yes = False, as_json: AsJson = False
) -> None:
    """Have all matches of a round played again."""
    ask_first(
        say(
            "No result of round {number} of {name} counts any more; all are played again.",
            number=number,
            name=name,
        ),
        yes=yes,
    )
    with connect_with_token() as client:
        changed = client.rerun_round(name, number, reason)
    print_json(changed) if as_json else print_line(
        say("what was played in round {number} of {name} will be played again", number=number, name=name)
    )


def set_result(
    name: TournamentName,
    number: Number,
    winner: Annotated[Winner, typer.Argument(help="Who wins; with nobody both lose.")],
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Decide a match that waits, is parked or was played; a result that it had is kept."""
    with connect_with_token() as client:
        match = client.set_result(name, number, winner, reason)
    print_json(match) if as_json else print_line(
        say("match {number} of {name} is decided: {winner}", number=number, name=name, winner=winner)
    )


def log(name: TournamentName, as_json: AsJson = False) -> None:
    """Who did what to a tournament and why, newest first."""
    with connect_with_token() as client:
        lines = list(client.log(name))
    if as_json:
        print_json({"log": lines})
        return
    rows = [
        (f"{line.at:%Y-%m-%dT%H:%M:%S}", line.user or "", line.kind, line.match or "", _told(line.data))
        for line in lines
    ]
    print_table(("at (UTC)", "by", "what", ">match", "about"), rows)


def _told(data: dict[str, Any]) -> str:
    return ", ".join(
        f"{name}: {value}" for name, value in data.items() if value is not None and value is not False
    )


def verify(name: TournamentName, as_json: AsJson = False) -> None:
    """Recompute all totals from the log of events and the results; exit code 1 when they differ."""
    with connect_with_token() as client:
        verification = client.verification(name)
    if as_json:
        print_json(verification)
    for difference in () if as_json else verification.differences:
        print_line(difference)
    if not verification.agrees:
        raise CliError(say("the totals of {name} are not those that its results add up to", name=name))
    if not as_json:
        print_line(say("the totals of {name} are those that its results add up to", name=name))


def register(app: typer.Typer) -> None:
    """Add these commands to `arena tournament`."""
    app.command()(withdraw)
    app.command()(disqualify)
    app.command()(rerun)
    app.command("rerun-round")(rerun_round)
    app.command("set-result")(set_result)
    app.command()(log)
    app.command()(verify)
