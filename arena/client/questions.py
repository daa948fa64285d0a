"""News, questions and answers, and what is announced in a tournament or to a class."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from arena.client.connection import Connection, quoted
from arena.schemas.account import MadeToken
from arena.schemas.events import EventOut
from arena.schemas.following import FollowedOut, Unfollowed
from arena.schemas.news import NewsMark, NewsOut
from arena.schemas.paging import Page
from arena.schemas.questions import QuestionOut


class QuestionsClient(Connection):
    """The part of the client that is about news and questions. Methods raise `ClientError`."""

    def news(self) -> Iterator[NewsOut]:
        """What is or was new to one's team, the last first."""
        return self._pages(Page[NewsOut], "/me/news")

    def see_news(self, until: dt.datetime) -> NewsMark:
        """Say up to when one has seen the news."""
        return self._ask(NewsMark, "POST", "/me/news/seen", json={"until": until.isoformat()})

    def follow(self, team: str) -> FollowedOut:
        """Follow a team."""
        return self._ask(FollowedOut, "POST", "/me/following", json={"team": team})

    def unfollow(self, team: str) -> Unfollowed:
        """Follow a team no more."""
        return self._ask(Unfollowed, "DELETE", f"/me/following/{quoted(team)}")

    def following(self) -> Iterator[FollowedOut]:
        """The teams that one follows."""
        return self._pages(Page[FollowedOut], "/me/following")

    def make_feed(self) -> str:
        """A new address by which programs read one's news as a feed."""
        made = self._ask(MadeToken, "POST", "/me/tokens", json={"scope": "feed", "name": "feed"})
        return f"{self.url}/feed/{made.token}"

    def own_questions(self) -> Iterator[QuestionOut]:
        """What one's team has asked, newest first."""
        return self._pages(Page[QuestionOut], "/me/questions")

    def ask_question(self, text: str, tournament: str | None = None, match: int | None = None) -> QuestionOut:
        """Ask those who run a tournament or one's class something."""
        asked: dict[str, Any] = {"text": text, "tournament": tournament, "match": match}
        return self._ask(QuestionOut, "POST", "/me/questions", json=asked)

    def questions(self, tournament: str | None = None, state: str | None = None) -> Iterator[QuestionOut]:
        """What one may answer, what is open first: all of it, or what is about a tournament."""
        path = f"/tournaments/{quoted(tournament)}/questions" if tournament else "/questions"
        return self._pages(Page[QuestionOut], path, **({"state": state} if state else {}))

    def answer_question(
        self, number: int, text: str, *, to_all: bool, names_asker: bool, corrects: int | None
    ) -> QuestionOut:
        """Answer a question to its team or to all, or correct an answer."""
        told = {"text": text, "to_all": to_all, "names_asker": names_asker, "corrects": corrects}
        return self._ask(QuestionOut, "POST", f"/questions/{number}/answers", json=told)

    def close_question(self, number: int) -> QuestionOut:
        """Say that nothing more is to be said to a question."""
        return self._ask(QuestionOut, "POST", f"/questions/{number}/close")

    def answers(self, tournament: str) -> Iterator[QuestionOut]:
        """What was answered to all about a tournament, newest first."""
        return self._pages(Page[QuestionOut], f"/tournaments/{quoted(tournament)}/answers")

    def announce_in(self, tournament: str, text: str) -> EventOut:
        """Tell everybody something about a tournament."""
        return self._ask(
            EventOut, "POST", self._announcements("tournaments", tournament), json={"text": text}
        )

    def announced_in(self, tournament: str) -> Iterator[EventOut]:
        """What was announced about a tournament, newest first."""
        return self._pages(Page[EventOut], self._announcements("tournaments", tournament))

    def announce_to_class(self, name: str, text: str) -> EventOut:
        """Tell the teams of a class something."""
        return self._ask(EventOut, "POST", self._announcements("classes", name), json={"text": text})

    def announced_to_class(self, name: str) -> Iterator[EventOut]:
        """What was announced to a class, newest first."""
        return self._pages(Page[EventOut], self._announcements("classes", name))

    @staticmethod
    def _announcements(of: str, name: str) -> str:
        return f"/{of}/{quoted(name)}/announcements"
