"""`arena tournament enter-class`, `list --mine` and titles, against a fake of the API."""

from __future__ import annotations

from arena.schemas.tournaments import EntriesMade, EntryOut, LeftOutOut, PendingEntryOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, problem, sample, tournament

__all__ = ["api"]

ENTERED = sample(EntryOut, bot="red", number=1, version=2)
LEFT_OUT = sample(LeftOutOut, bot="slow", owner="blue", why="still being checked")


def test_a_class_is_entered(run: Run, api: FakeApi) -> None:
    """Who was entered is counted, who was not is told with the reason; a refusal is told."""
    made = EntriesMade.model_validate({"entered": [ENTERED], "left_out": [LEFT_OUT]}).model_dump(mode="json")
    api.answers["POST", "/tournaments/spring/entries/class"] = [made, made, problem(409, "for no class")]
    ran = run("tournament", "enter-class", "spring", "--class", "7a")
    assert api.sent() == {"class_name": "7a"}
    assert ran.out == ("entered into spring: 1 bot; not entered: 1\nslow of blue: still being checked\n")
    assert run("tournament", "enter-class", "spring", "--json").json() == made
    assert api.sent() == {"class_name": None}
    refused = run("tournament", "enter-class", "spring")
    assert refused.code == 2
    assert "for no class" in refused.err


def test_a_reference_bot_is_not_entered_by_its_sign(run: Run, api: FakeApi) -> None:
    """Whoever names it as matches do is told how it comes into the arena, and nothing is sent."""
    ran = run("tournament", "enter", "spring", "red", "@random")
    assert (ran.code, api.asked) == (2, [])
    assert "`arena bot submit @random`" in ran.err


def test_one_lists_those_that_one_runs(run: Run, api: FakeApi) -> None:
    """`--mine` asks for one's own tournaments, with the token."""
    api.answers["GET", "/me/tournaments"] = page(tournament("open"))
    assert "spring" in run("tournament", "list", "--mine").out
    assert api.asked[-1].headers["Authorization"] == "Bearer secret"


def test_a_title_is_sent_and_shown(run: Run, api: FakeApi) -> None:
    """What stands over a tournament is sent as it was typed, and shown beside the name."""
    api.answers["POST", "/tournaments"] = tournament("draft") | {"title": "春季決賽"}
    ran = run("tournament", "create", "spring", "--game", "heap_nim", "--title", "春季決賽")
    assert api.sent()["title"] == "春季決賽"
    assert ran.out.startswith("spring (春季決賽) is draft")


def test_another_title_is_sent(run: Run, api: FakeApi) -> None:
    """A title is sent as it was typed; an empty one takes it away."""
    api.answers["PUT", "/tournaments/spring/title"] = tournament("open") | {"title": "秋季盃"}
    assert "秋季盃" in run("tournament", "title", "spring", "秋季盃").out
    assert api.sent() == {"title": "秋季盃"}
    run("tournament", "title", "spring", "")
    assert api.sent() == {"title": None}


def test_reference_bots_are_sent_with_the_plan(run: Run, api: FakeApi) -> None:
    """They are named as one names them elsewhere, each by an option."""
    api.answers["POST", "/tournaments"] = tournament("draft")
    words = ("--reference", "@random", "--reference", "greedy")
    assert run("tournament", "create", "spring", "--game", "heap_nim", *words).code == 0
    assert api.sent()["reference_bots"] == ["@random", "greedy"]


def test_a_bot_may_enter_when_it_has_passed(run: Run, api: FakeApi) -> None:
    """Who waits and who is entered at once are told apart; a version cannot be named."""
    waits = {"entry": None, "pending": sample(PendingEntryOut, bot="red", owner="red")}
    api.answers["POST", "/tournaments/spring/pending-entries"] = [
        waits,
        {"entry": ENTERED, "pending": None},
        waits,
    ]
    words = ("tournament", "enter", "spring", "--when-checked")
    assert run(*words, "red", "blue").out == (
        "red enters spring by itself when it has passed its check\nred version 2 is number 1 of spring\n"
    )
    assert run(*words, "red", "--json").json()["items"][0]["pending"]["bot"] == "red"
    refused = run(*words, "red", "--version", "2")
    assert "leave --version out" in refused.err
