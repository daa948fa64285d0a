"""`arena tournament enter-class`, `list --mine` and titles, against a fake of the API."""

from __future__ import annotations

from arena.schemas.tournaments import EntriesMade, EntryOut, LeftOutOut
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
    assert ran.out == ("1 bots were entered into spring, and 1 were not\nslow of blue: still being checked\n")
    assert run("tournament", "enter-class", "spring", "--json").json() == made
    assert api.sent() == {"class_name": None}
    refused = run("tournament", "enter-class", "spring")
    assert refused.code == 2
    assert "for no class" in refused.err


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
