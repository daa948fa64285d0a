"""Void attempts through the API and on the page: the fact for everybody, the evidence for both owners."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.arena.late import WORDS, late
from tests.integration.arena.site import Site, play_cup, start_cup
from tests.integration.arena.world import issue_matches

MATCH = "/tournaments/cup/matches/1"


@pytest.fixture
def voided(site: Site) -> Site:
    """A cup whose first match was void once, by seat 0, and was then played."""
    start_cup(site)
    with site.world.database.transaction() as session:
        message = issue_matches(session, site.world.settings)[0]
    site.world.record(message, late(message.spec))
    play_cup(site)
    return site


def _users(site: Site) -> tuple[str, str]:
    owner = site.get(MATCH).json()["seats"][0]["owner"]
    return owner, {"red": "blue", "blue": "red"}[owner]


def test_both_owners_see_what_lay_on_the_host(voided: Site) -> None:
    """Times and strain are for both and the staff; what the bot got and sent is for its own owner."""
    owner, opponent = _users(voided)

    def seen(user: str | None) -> dict[str, Any]:
        (void,) = voided.get(MATCH, user).json()["voids"]
        (forfeit,) = void["forfeits"]
        return {**forfeit, "host": void["host"]}

    for user in (owner, opponent, "staff"):
        shown = seen(user)["contention"]
        assert (shown["wall_ns"], shown["cpu_ns"]) == (1_300_000_000, 400_000_000)
        assert shown["strain"]["lost_ns"] == 700_000_000
    assert seen(owner)["evidence"]["request"] == WORDS
    assert seen(opponent)["evidence"] is None
    public = {"seat": 0, "code": "timeout", "ply": 2, "evidence": None, "contention": None, "host": None}
    assert seen(None) == public
    assert seen("staff")["host"] == "test-host"
    assert seen(owner)["host"] is None


def test_a_record_tells_of_the_attempt_that_was_void(voided: Site) -> None:
    """Downloaded by its owner it has everything, by the opponent the times, by others only what happened."""
    owner, opponent = _users(voided)
    (own,), (others,), (public,) = (
        voided.get(f"{MATCH}/record", user).json()["result"]["voided"] for user in (owner, opponent, None)
    )
    assert own["received"] == WORDS
    assert others["strain"] == own["strain"]
    assert (others["received"], others["request"], others["cpu_ns"]) == ("", "", own["cpu_ns"])
    assert (public["code"], public["clock_ns"], public["strain"]["lost_ns"]) == ("timeout", 0, 0)


def test_the_page_says_that_an_attempt_was_void(voided: Site) -> None:
    """Everybody can read that, in either language, and nobody what the bot wrote."""
    page = voided.client.get(MATCH, headers={"Accept-Language": "en"}).text
    assert "Attempt 1 was void: " in page
    assert "was late at ply 3 while others kept the host busy." in page
    assert WORDS not in page
    assert "第 1 次對局不算" in voided.client.get(MATCH, headers={"Accept-Language": "zh-TW"}).text


def test_the_record_of_a_move_tells_of_its_host(voided: Site) -> None:
    """Every move has its strain in the record, and the same figures in the list of moves."""
    moves = voided.get(MATCH).json()["moves"]
    record = voided.get(f"{MATCH}/record").json()["result"]["moves"]
    for listed, kept in zip(moves, record, strict=True):
        assert listed == {key: {**kept, **kept["strain"]}[key] for key in listed}
