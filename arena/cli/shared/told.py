"""Texts of several lines that people wrote, as commands print them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from arena.cli.shared.output import print_line
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.events import EventOut
    from arena.schemas.questions import QuestionOut


def moment(at: dt.datetime) -> str:
    """A moment in a line."""
    return say("{at:%Y-%m-%d %H:%M} UTC", at=at)


def print_text(text: str, indent: str = "    ") -> None:
    """The lines of a text, below what they belong to."""
    for line in text.split("\n"):
        print_line(f"{indent}{line}")


def print_question(question: QuestionOut) -> None:
    """A question with its answers; what was corrected is left out."""
    about = question.tournament or say("in general")
    about += say(", game {match}", match=question.match) if question.match else ""
    asked = f", {question.team}" if question.team else ""
    print_line(f"{question.number}  {question.state}  {about}{asked}  {moment(question.asked_at)}")
    print_text(question.text)
    for answer in question.answers:
        if not answer.corrected:
            readers = say("to all") if answer.to_all else say("to the team")
            print_line(
                say(
                    "  answer {number} {readers}  {at}",
                    number=answer.number,
                    readers=readers,
                    at=moment(answer.at),
                )
            )
            print_text(answer.text)


def print_announcement(told: EventOut) -> None:
    """An announcement."""
    print_line(moment(told.at) + (f"  {told.tournament}" if told.tournament else ""))
    print_text(told.data["text"])
