"""`arena my news`, `feed`, `follow`, `ask`, `questions` and their like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.cli.shared.told import moment, print_question, print_text
from arena.core.terms import NewsKind
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.news import NewsOut


def register(app: typer.Typer) -> None:
    """Add these commands to the group."""
    for command in (news, feed, follow, unfollow, following, ask, questions):
        app.command()(command)


def news(
    everything: Annotated[bool, typer.Option("--all", help="Also what you have seen before.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Leave what is new as new.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is new to your team, the last first; next time it is not new any more."""
    with connect_with_token() as client:
        told = list(client.news())
        _print_news([each for each in told if everything or each.is_new], as_json=as_json)
        if told and not keep:
            client.see_news(told[0].at)


def _print_news(shown: Sequence[NewsOut], *, as_json: bool) -> None:
    if as_json:
        print_json({"news": shown})
        return
    if not shown:
        note(say("nothing is new; --all shows what was"))
    for each in shown:
        print_line(f"{'*' if each.is_new else ' '} {moment(each.at)}  {_line(each)}")
        if each.asked:
            print_text(each.asked, "    > ")
        if each.text:
            print_text(each.text)


def _line(item: NewsOut) -> str:
    if item.kind is NewsKind.VERSION:
        return say(
            "{bot} of {team}: version {version} was handed in",
            bot=item.bot,
            team=item.team,
            version=item.version,
        )
    if item.kind is NewsKind.RESULTS:
        team = say(" of {team}", team=item.team) if item.team else ""
        return say(
            "{bot}{team} in {tournament}: {won} won, {drawn} drawn, {lost} lost",
            bot=item.bot,
            team=team,
            tournament=item.tournament,
            won=item.won,
            drawn=item.drawn,
            lost=item.lost,
        )
    if item.kind is NewsKind.CHECK:
        return say(
            "check of {bot}, version {version}: {state}", bot=item.bot, version=item.version, state=item.state
        )
    if item.kind is NewsKind.TOURNAMENT:
        return f"{item.tournament}: {(item.event or '').removeprefix('tournament.')}"
    about = f"{item.tournament}: " if item.tournament else ""
    if item.kind is NewsKind.ANNOUNCEMENT:
        return say("{about}announcement", about=about)
    return say(
        "{about}question {question} answered{what}",
        about=about,
        question=item.question,
        what=say(" to all") if item.to_all else "",
    )


def feed(as_json: AsJson = False) -> None:
    """Make an address by which a feed reader shows your news (Atom); whoever has it reads them, too."""
    with connect_with_token() as client:
        address = client.make_feed()
    if as_json:
        print_json({"url": address})
    else:
        note(say("the address is shown only now; 'My account' on the pages revokes it:"))
        print_line(address)


def follow(
    team: Annotated[str, typer.Argument(help="The team's name.")],
    as_json: AsJson = False,
) -> None:
    """Follow a team: your news tell its public results and new versions."""
    with connect_with_token() as client:
        followed = client.follow(team)
    print_json(followed) if as_json else print_line(
        say("you follow {team}: {bots}", team=followed.team, bots=", ".join(followed.bots))
    )


def unfollow(
    team: Annotated[str, typer.Argument(help="The team's name.")],
    as_json: AsJson = False,
) -> None:
    """Follow a team no more."""
    with connect_with_token() as client:
        left = client.unfollow(team)
    print_json(left) if as_json else print_line(say("you follow {team} no more", team=left.team))


def following(as_json: AsJson = False) -> None:
    """List the teams that you follow, and their bots."""
    with connect_with_token() as client:
        followed = list(client.following())
    if as_json:
        print_json({"teams": followed})
        return
    rows = [(each.team, ", ".join(each.bots), moment(each.since)) for each in followed]
    print_table(("team", "bots", "since"), rows)


def ask(
    text: Annotated[str, typer.Argument(help="What you want to know.")],
    tournament: Annotated[str | None, typer.Option(help="Where it is about one of yours.")] = None,
    game: Annotated[
        int | None, typer.Option(min=1, help="Where it is about one of your games there.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask those who run a tournament, or your class, something."""
    with connect_with_token() as client:
        asked = client.ask_question(text, tournament, game)
    print_json(asked) if as_json else print_line(say("asked as question {number}", number=asked.number))


def questions(as_json: AsJson = False) -> None:
    """Show what your team has asked, and the answers, newest first."""
    with connect_with_token() as client:
        asked = list(client.own_questions())
    if as_json:
        print_json({"questions": asked})
        return
    for each in asked:
        print_question(each)
