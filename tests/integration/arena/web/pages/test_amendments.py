"""The page of a match tells what was decided about it, in both languages."""

from __future__ import annotations

import pytest

from tests.integration.arena.site import Site, play_cup, start_cup

MATCH = "/tournaments/cup/matches/1"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Both sides lose.", "It was not the game that decided: power cut", "Attempt 1 ended")),
        ("zh-TW", ("結果並非由對局決定", "power cut", "第 1 次對局", "已不計分")),
    ],
)
def test_a_decided_match_tells_why(site: Site, language: str, words: tuple[str, ...]) -> None:
    """The reason is shown, and the result that counts no more with its reason; a double loss is no draw."""
    start_cup(site)
    play_cup(site)
    body = {"winner": "nobody", "reason": "power cut"}
    assert site.post(MATCH + "/result", "staff", json=body).status_code == 200
    page = site.client.get(MATCH, headers={"Accept-Language": language}).text
    for word in words:
        assert word in page
    table = site.client.get("/tournaments/cup/matches", headers={"Accept-Language": "en"}).text
    assert "Both lose" in table


def test_a_walkover_is_told_by_its_cause(site: Site) -> None:
    """The winner is shown with who withdrew."""
    start_cup(site)
    site.post("/tournaments/cup/entries/red/withdraw", "red", json={"reason": "a bug"})
    page = site.client.get(MATCH, headers={"Accept-Language": "en"}).text
    assert "blue wins: the other side withdrew." in page
