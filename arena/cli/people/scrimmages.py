"""`arena my scrimmage`: games that the workers play for one's team, which count nowhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.terms import Side
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.scrimmages import ScrimmageGameOut, ScrimmageOut, ScrimmageSeat

app = Commands()

PAUSE_SECONDS = 1.0
Number = Annotated[int, typer.Argument(min=1, help="The scrimmage's number.")]
Bot = Annotated[str, typer.Argument(help="A bot of your team's.")]


@app.command()
def play(
    *,
    bot: Bot,
    against: Annotated[
        str, typer.Option("--against", help="@NAME of a reference bot, a bot of your own, or who lets you.")
    ],
    version: Annotated[int | None, typer.Option(min=1, help="[default: the newest that may play]")] = None,
    against_version: Annotated[
        int | None, typer.Option(min=1, help="Of a bot of your own [default: another one]")
    ] = None,
    tournament: Annotated[str | None, typer.Option(help="Play as there: its game, time and limits.")] = None,
    game: Annotated[str | None, typer.Option(help="Or this game, as it is usually.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=6, help="How many.")] = 2,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it is over.")] = False,
    as_json: AsJson = False,
) -> None:
    """Have some games played; the seats are exchanged after every one, and your bot begins."""
    wish = {"bot": bot, "opponent": against, "games": games, "version": version, "game": game}
    wish |= {"opponent_version": against_version, "tournament": tournament}
    with connect_with_token() as client:
        made = client.ask_scrimmage(**{name: value for name, value in wish.items() if value is not None})
        _show(_awaited(client, made) if wait else made, as_json=as_json)


def _awaited(client: ArenaClient, scrimmage: ScrimmageOut) -> ScrimmageOut:
    while not scrimmage.over:
        time.sleep(PAUSE_SECONDS)
        scrimmage = client.scrimmage(scrimmage.id)
    return scrimmage


@app.command("list")
def list_(
    against: Annotated[bool, typer.Option("--against-us", help="Those of others against your bots.")] = False,
    as_json: AsJson = False,
) -> None:
    """List your team's scrimmages, the last first."""
    with connect_with_token() as client:
        rows = list(client.scrimmages(Side.AGAINST if against else Side.ASKED))
    if as_json:
        print_json({"scrimmages": rows})
    else:
        print_table((">scrimmage", "bot", "against", "game", "results", say("asked for by")), map(_row, rows))


def _row(scrimmage: ScrimmageOut) -> tuple[object, ...]:
    ours, other = scrimmage.bot, scrimmage.opponent
    if not scrimmage.own:
        ours, other = other, ours
    results = " ".join(_ending(game) for game in scrimmage.games)
    who = scrimmage.asked_by or scrimmage.team
    return scrimmage.id, _named(ours), _named(other), scrimmage.game.name, results, who


def _named(seat: ScrimmageSeat) -> str:
    return f"{seat.bot} {seat.version}" if seat.version else seat.bot


def _ending(game: ScrimmageGameOut) -> str:
    return str(game.outcome or game.unplayed or game.state)


@app.command()
def show(number: Number, as_json: AsJson = False) -> None:
    """Show a scrimmage with its games."""
    with connect_with_token() as client:
        _show(client.scrimmage(number), as_json=as_json)


def _show(scrimmage: ScrimmageOut, *, as_json: bool) -> None:
    if as_json:
        print_json(scrimmage)
        return
    against = say("{bot} against {opponent}", bot=_named(scrimmage.bot), opponent=_named(scrimmage.opponent))
    note(
        say(
            "scrimmage {id}: {against}, {name}{what}",
            id=scrimmage.id,
            against=against,
            name=scrimmage.game.name,
            what="" if scrimmage.over else say(", not over"),
        )
    )
    rows = [
        (game.number, *map(_named, game.seats), _ending(game), game.result and game.result.reason)
        for game in scrimmage.games
    ]
    print_table((">game", say("moves first"), say("moves second"), "result", "reason"), rows)


@app.command()
def game(
    number: Number,
    game_number: Annotated[int, typer.Argument(metavar="GAME", min=1, help="Which of its games.")],
    as_json: AsJson = False,
) -> None:
    """Show one game: its moves, and what your bot wrote."""
    with connect_with_token() as client:
        told = client.scrimmage_game(number, game_number)
    if as_json:
        print_json(told)
        return
    note(f"{' - '.join(map(_named, told.seats))}: {_ending(told)}")
    rows = [
        (move.ply, told.seats[move.seat].bot, move.move, f"{move.wall_ns / 1e9:.3f} s", move.debug)
        for move in told.moves
    ]
    print_table((">ply", "bot", "move", ">time", "note"), rows)
    for seat in told.logs if told.use else ():
        if log := told.use[seat].stderr_head + told.use[seat].stderr_tail:
            note(say("{bot} wrote to stderr:", bot=told.seats[seat].bot))
            print_line(log)


@app.command()
def cancel(number: Number, as_json: AsJson = False) -> None:
    """Call off what is not over of a scrimmage."""
    with connect_with_token() as client:
        _show(client.cancel_scrimmage(number), as_json=as_json)


@app.command()
def opponents(
    game: Annotated[str | None, typer.Option(help="[default: the usual one]")] = None, as_json: AsJson = False
) -> None:
    """List whom your team may play against, and how many games are left to it."""
    with connect_with_token() as client:
        told = client.opponents(game)
    if as_json:
        print_json(told)
        return
    rows = [(name, "") for name in told.reference] + [(other.bot, other.owner) for other in told.others]
    print_table(("against", "owner"), rows)
    if told.games_a_day is not None:
        again = (
            say("; the next are given back on {again_at:%Y-%m-%d %H:%M} UTC", again_at=told.again_at)
            if told.again_at
            else ""
        )
        note(
            say(
                "left in 24 hours: {games_left} of {games_a_day}{again}",
                games_left=told.games_left,
                games_a_day=say_many("{number} game", "{number} games", told.games_a_day),
                again=again,
            )
        )


@app.command()
def allow(
    bot: Bot,
    allowed: Annotated[bool, typer.Option("--yes/--no", help="Or no more.")] = True,
    as_json: AsJson = False,
) -> None:
    """Let others of your class play against a bot; with `--no` no more, and what waits is called off."""
    with connect_with_token() as client:
        told = client.set_bot_scrimmages(bot, allowed=allowed)
    if as_json:
        print_json(told)
    else:
        print_line(
            say(
                "others of your class {what} play against {bot}",
                what="may" if told.allowed else say("may not"),
                bot=told.bot,
            )
        )
