"""News, questions and announcements from the command line, against a fake of the API."""

from __future__ import annotations

from typing import Any

import pytest

from arena.schemas.account import MadeToken
from arena.schemas.events import EventOut
from arena.schemas.following import FollowedOut, Unfollowed
from arena.schemas.news import NewsMark, NewsOut
from arena.schemas.questions import AnswerOut, QuestionOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]

TOLD = "2030-01-0{}T00:00:00Z"


def _news(**told: Any) -> dict[str, Any]:
    return sample(NewsOut, **{"key": "k", "is_new": True, "at": TOLD.format(1), **told})


def _question(**told: Any) -> dict[str, Any]:
    return sample(QuestionOut, **{"number": 3, "state": "answered", "text": "Why?\nHow?", **told})


def test_what_is_new_is_shown_and_seen(run: Run, api: FakeApi) -> None:
    """Each kind has its line with its text below; up to the newest it is seen then, unless it is kept."""
    items = [
        _news(kind="results", at=TOLD.format(9), tournament="cup", bot="comet", won=3, drawn=2, lost=1),
        _news(kind="check", bot="comet", version=2, state="failed"),
        _news(kind="tournament", tournament="cup", event="tournament.finished"),
        _news(kind="announcement", tournament="cup", text="one\n\x1btwo"),
        _news(kind="answer", question=3, asked="Why?", text="So.", to_all=True),
        _news(kind="check", bot="old", version=1, state="passed", is_new=False),
    ]
    api.answers["GET", "/me/news"] = page(*items)
    api.answers["POST", "/me/news/seen"] = sample(NewsMark)
    told = run("my", "news").out
    for words in (
        *("comet in cup: 3 won, 2 drawn, 1 lost", "check of comet, version 2: failed", "cup: finished"),
        *("cup: announcement", "    one\n", "question 3 answered to all", "    > Why?", "    So."),
    ):
        assert words in told
    assert "\x1b" not in told
    assert "old" not in told
    assert api.sent() == {"until": "2030-01-09T00:00:00+00:00"}
    assert len(run("my", "news", "--all", "--keep", "--json").json()["news"]) == 6
    assert api.asked[-1].method == "GET"


def test_what_followed_teams_did_is_told_with_their_names(run: Run, api: FakeApi) -> None:
    """Results and versions of teams that one follows stand with the team."""
    api.answers["GET", "/me/news"] = page(
        _news(kind="results", tournament="cup", bot="comet", team="red", won=3, drawn=2, lost=1),
        _news(kind="version", bot="comet", team="red", version=4),
    )
    told = run("my", "news", "--keep").out
    assert "comet of red in cup: 3 won, 2 drawn, 1 lost" in told
    assert "comet of red: version 4 was handed in" in told


def test_following(run: Run, api: FakeApi) -> None:
    """Teams are followed and left by their names, and listed with their bots."""
    followed = sample(FollowedOut, team="red", bots=["comet", "meteor"])
    api.answers["POST", "/me/following"] = followed
    api.answers["GET", "/me/following"] = page(followed)
    api.answers["DELETE", "/me/following/red"] = sample(Unfollowed, team="red")
    assert run("my", "follow", "red").out == "you follow red: comet, meteor\n"
    assert api.sent() == {"team": "red"}
    assert "comet, meteor" in run("my", "following").out
    assert run("my", "following", "--json").json()["teams"][0]["team"] == "red"
    assert run("my", "unfollow", "red").out == "you follow red no more\n"
    assert api.asked[-1].method == "DELETE"


def test_nothing_new_is_said(run: Run, api: FakeApi) -> None:
    """Where nothing is new, that is said beside the data."""
    api.answers["GET", "/me/news"] = page()
    ran = run("my", "news")
    assert (ran.out, "nothing is new" in ran.err) == ("", True)


def test_asking(run: Run, api: FakeApi) -> None:
    """A question goes out with what it is about, and what was asked is shown with what stands as answer."""
    api.answers["POST", "/me/questions"] = _question()
    assert "question 3" in run("my", "ask", "Why?", "--tournament", "cup", "--game", "7").out
    assert api.sent() == {"text": "Why?", "tournament": "cup", "match": 7}
    before = sample(AnswerOut, number=1, text="wrong", corrected=True)
    now = sample(AnswerOut, number=2, text="right", corrects=1, to_all=True)
    api.answers["GET", "/me/questions"] = page(_question(tournament="cup", match=7, answers=[before, now]))
    told = run("my", "questions").out
    for words in ("3  answered  cup, game 7", "    How?", "answer 2 to all", "    right"):
        assert words in told
    assert "wrong" not in told
    assert run("my", "questions", "--json").json()["questions"][0]["number"] == 3


def test_a_feed_is_an_address(run: Run, api: FakeApi) -> None:
    """The address holds a token that is good for nothing else, and stands alone on standard output."""
    api.answers["POST", "/me/tokens"] = sample(MadeToken, token="arena_x", scope="feed")
    assert run("my", "feed").out == "http://arena.test/feed/arena_x\n"
    assert api.sent()["scope"] == "feed"
    assert run("my", "feed", "--json").json() == {"url": "http://arena.test/feed/arena_x"}


def test_answering(run: Run, api: FakeApi) -> None:
    """An answer is for the team unless it is said to be for all, and may stand in the place of another."""
    api.answers["POST", "/questions/3/answers"] = _question()
    run("tournament", "answer", "3", "Soon.")
    plain = {"text": "Soon.", "to_all": False, "names_asker": False, "corrects": None}
    assert api.sent() == plain
    run("tournament", "answer", "3", "Soon.", "--to-all", "--name-asker")
    assert api.sent() == plain | {"to_all": True, "names_asker": True}
    assert run("tournament", "answer", "3", "Soon.", "--correct", "5", "--json").json()["number"] == 3
    assert api.sent() == plain | {"corrects": 5}
    api.answers["POST", "/questions/3/close"] = _question(state="closed")
    assert "question 3 is closed" in run("tournament", "close-question", "3").out


@pytest.mark.parametrize("words", [("--name-asker",), ("--to-all", "--correct", "2")])
def test_what_does_not_go_together_is_refused(run: Run, api: FakeApi, words: tuple[str, ...]) -> None:
    """Options that contradict each other are said to, and nothing is sent."""
    assert run("tournament", "answer", "3", "Soon.", *words).code == 2
    assert api.asked == []


def test_reading_questions(run: Run, api: FakeApi) -> None:
    """The staff reads those of a tournament, or all that are theirs to answer, in one state or in any."""
    api.answers["GET", "/questions"] = page(_question(team="red"))
    api.answers["GET", "/tournaments/cup/questions"] = page(_question())
    assert "in general, red" in run("tournament", "questions", "--state", "open").out
    assert api.asked[-1].url.params["state"] == "open"
    assert run("tournament", "questions", "cup", "--json").json()["questions"][0]["number"] == 3


def test_announcing_in_a_tournament_and_to_a_class(run: Run, api: FakeApi) -> None:
    """What is announced goes to those it is for, and is read again where it stands."""
    told = sample(EventOut, number=12, tournament="cup", data={"text": "At two.\nIn the hall."})
    for path in ("/tournaments/cup/announcements", "/classes/7a/announcements"):
        api.answers["POST", path] = told
        api.answers["GET", path] = page(told)
    api.answers["GET", "/tournaments/cup/answers"] = page(_question())
    assert "event 12" in run("tournament", "announce", "cup", "At two.").out
    assert "event 12" in run("class", "announce", "7a", "At two.").out
    assert api.sent() == {"text": "At two."}
    both = run("tournament", "announcements", "cup").out
    assert "    In the hall." in both
    assert "    Why?" in both
    assert "    At two." in run("class", "announcements", "7a").out
    assert set(run("tournament", "announcements", "cup", "--json").json()) == {"announcements", "answers"}
    assert run("class", "announcements", "7a", "--json").json()["announcements"][0]["number"] == 12
