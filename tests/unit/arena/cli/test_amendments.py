"""The commands that change a tournament that has begun, against a fake of the API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, match, page, problem, tournament

__all__ = ["api"]

WHY = ("--reason", "for the test")
SENT = {"reason": "for the test"}
COMMANDS: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("withdraw", "spring", "ann", "--yes"), "/entries/ann/withdraw", SENT),
    (("disqualify", "spring", "ann", "--yes"), "/entries/ann/disqualify", SENT | {"annul": False}),
    (("disqualify", "spring", "ann", "--annul", "--yes"), "/entries/ann/disqualify", SENT | {"annul": True}),
    (("rerun", "spring", "7"), "/matches/7/rerun", SENT),
    (("rerun-round", "spring", "2", "--yes"), "/rounds/2/rerun", SENT),
    (("set-result", "spring", "7", "draw"), "/matches/7/result", SENT | {"winner": "draw"}),
]


@pytest.mark.parametrize(("words", "path", "body"), COMMANDS, ids=[" ".join(words) for words, *_ in COMMANDS])
def test_amendments_are_sent_with_their_reason(
    run: Run, api: FakeApi, words: tuple[str, ...], path: str, body: dict[str, Any]
) -> None:
    """Each asks the arena for just that; without a reason it does not; a refusal is told."""
    answer = match("pending") if "/matches/" in path else tournament("running")
    api.answers["POST", f"/tournaments/spring{path}"] = [answer, answer, problem(409, "too late")]
    assert run("tournament", *words).code == 2
    assert not api.asked
    ran = run("tournament", *words, *WHY)
    assert (ran.code, api.sent()) == (0, body)
    assert "spring" in ran.out
    assert run("tournament", *words, *WHY, "--json").json() == answer
    assert run("tournament", *words, *WHY).err == "arena: too late\n"


def test_a_winner_is_one_of_four(run: Run, api: FakeApi) -> None:
    """Anything else is refused here."""
    assert run("tournament", "set-result", "spring", "7", "third", *WHY).code == 2
    assert not api.asked


def test_verifying_fails_where_totals_differ(run: Run, api: FakeApi) -> None:
    """Agreement is told with exit code 0; differences are printed with exit code 1."""
    right = {"tournament": "spring", "agrees": True, "differences": []}
    wrong = right | {"agrees": False, "differences": ["entry 1: games is 3"]}
    api.answers["GET", "/tournaments/spring/verification"] = [right, wrong, wrong]
    assert run("tournament", "verify", "spring").code == 0
    ran = run("tournament", "verify", "spring")
    assert (ran.code, ran.out) == (1, "entry 1: games is 3\n")
    ran = run("tournament", "verify", "spring", "--json")
    assert (ran.code, ran.json()) == (1, wrong)


def test_the_log_is_printed_with_its_reasons(run: Run, api: FakeApi) -> None:
    """Every line tells when, who, what, which match and why."""
    line = {"at": "2026-11-21T23:00:00Z", "kind": "match.rerun", "user": "staff", "match": 7}
    line |= {"data": {"reason": "power cut", "annulled": False}}
    api.answers["GET", "/tournaments/spring/log"] = page(line)
    ran = run("tournament", "log", "spring")
    for word in ("2026-11-21T23:00:00", "staff", "match.rerun", "7", "reason: power cut"):
        assert word in ran.out
    assert "annulled" not in ran.out
    assert run("tournament", "log", "spring", "--json").json() == {"log": [line]}


def test_create_sends_the_options_of_a_format(run: Run, api: FakeApi) -> None:
    """Only what was asked for is sent, under the names that the formats know."""
    api.answers["POST", "/tournaments"] = tournament("draft")
    words = ("--groups", "4", "--qualifiers", "2", "--best-of", "3", "--third-place", "--tie-breaks", "1")
    run("tournament", "create", "spring", "--format", "groups", *words, "--order", "points, direct")
    sent = api.sent()
    assert (sent["format"], sent["standings_order"]) == ("groups", ["points", "direct"])
    assert sent["options"] == {
        "groups": 4,
        "qualifiers": 2,
        "best_of": 3,
        "tie_breaks": 1,
        "third_place": True,
    }
    assert "reuse" not in sent
    run("tournament", "create", "spring", "--reuse")
    assert api.sent()["reuse"] is True
    run("tournament", "create", "spring", "--format", "gauntlet", "--hero", "ann", "--hero", "bob")
    assert (api.sent()["heroes"], "options" in api.sent()) == (["ann", "bob"], False)


def test_a_ladder_is_ended(run: Run, api: FakeApi) -> None:
    """The command asks for it and tells the state."""
    api.answers["POST", "/tournaments/spring/end"] = tournament("running")
    assert run("tournament", "end", "spring", "--yes").out.startswith("spring is running")
