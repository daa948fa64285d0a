"""`arena tournament announce`, `announcements`, `questions`, `answer` and `close-question`."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line
from arena.cli.shared.told import print_announcement, print_question
from arena.core.terms import QuestionState
from arena.core.words import say

Question = Annotated[int, typer.Argument(metavar="QUESTION", min=1, help="The question's number.")]


def register(app: typer.Typer) -> None:
    """Add these commands to the group."""
    app.command()(announce)
    app.command()(announcements)
    app.command()(questions)
    app.command()(answer)
    app.command("close-question")(close)


def announce(
    name: TournamentName,
    text: Annotated[str, typer.Argument(help="What everybody is told.")],
    as_json: AsJson = False,
) -> None:
    """Tell everybody something about a tournament; its page shows it, also in a freeze."""
    with connect_with_token() as client:
        told = client.announce_in(name, text)
    print_json(told) if as_json else print_line(say("announced as event {number}", number=told.number))


def announcements(name: TournamentName, as_json: AsJson = False) -> None:
    """Show what was announced about a tournament, and the questions answered to all, newest first."""
    with connect() as client:
        told, answered = list(client.announced_in(name)), list(client.answers(name))
    if as_json:
        print_json({"announcements": told, "answers": answered})
        return
    for each in told:
        print_announcement(each)
    for question in answered:
        print_question(question)


def questions(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[TOURNAMENT]", help="The tournament [default: all that you may answer]."),
    ] = None,
    state: Annotated[QuestionState | None, typer.Option(help="Only those in this state.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what teams have asked, what is open first."""
    with connect_with_token() as client:
        asked = list(client.questions(name, state))
    if as_json:
        print_json({"questions": asked})
        return
    for each in asked:
        print_question(each)


def answer(
    number: Question,
    text: Annotated[str, typer.Argument(help="The answer.")],
    *,
    to_all: Annotated[
        bool, typer.Option("--to-all", help="Everybody reads the question and the answer.")
    ] = False,
    name_asker: Annotated[
        bool, typer.Option("--name-asker", help="With --to-all: and which team asked.")
    ] = False,
    correct: Annotated[
        int | None,
        typer.Option(metavar="ANSWER", min=1, help="The answer that this one stands in the place of."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question of a team, to the team alone or to all; once more as often as you like."""
    if name_asker and not to_all:
        raise UsageError(say("--name-asker is for --to-all: an answer to the team is read by nobody else"))
    if correct is not None and to_all:
        raise UsageError(say("a corrected answer has the readers that it had; leave --to-all out"))
    with connect_with_token() as client:
        told = client.answer_question(number, text, to_all=to_all, names_asker=name_asker, corrects=correct)
    print_json(told) if as_json else print_question(told)


def close(number: Question, as_json: AsJson = False) -> None:
    """Say that nothing more is to be said to a question."""
    with connect_with_token() as client:
        told = client.close_question(number)
    print_json(told) if as_json else print_line(say("question {number} is closed", number=told.number))
