"""The tables and numbers of a tournament on a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from arena.schemas.standings import CrossRow
from arena.schemas.statistics import BotNumbersOut, HeadToHeadOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import LEADERBOARD, FakeApi, api, page, sample

__all__ = ["api"]

TOTALS: dict[str, Any] = {"games": 4, "points": 2.5, "wins": 2, "draws": 1, "losses": 1, "forfeits": 1}
TOTALS |= {"score_own": 90, "score_other": 100, "wall_ms": 2500}
OPENING = {"opening": 2, "moves": ["d3", "c5"], "totals": TOTALS}


def test_the_leaderboard_has_a_column_for_each_step_of_its_chain(run: Run, api: FakeApi) -> None:
    """Beside the totals come what the chain counted, what it is, and whether means decided."""
    steps = [{"name": name, "rules": ""} for name in ("points", "buchholz_cut1", "time", "lot")]
    line = LEADERBOARD["items"][0] | {"tie_breaks": [0.75, 12.5, 0.25, 917213400.0], "left_as": "withdrawn"}
    board = LEADERBOARD | {
        "order": steps,
        "bracket": True,
        "means": ["points", "time"],
        "lot_seed": 7,
        "items": [line],
    }
    api.answers["GET", "/tournaments/spring/leaderboard"] = board
    out = run("tournament", "standings", "spring").out
    heads, cells = (
        next(row for row in out.splitlines() if word in row).split() for word in ("rank", "team-1")
    )
    assert heads[3:7] == ["games", "points", "mean", "wins"]
    assert heads[10:13] == ["BH/C1", "time/game", "lot"]
    assert cells[1:3] == ["ann", "(withdrawn)"]
    assert cells[5:7] == ["1", "0.750"]
    assert cells[11:14] == ["12.5", "0.25", "917213400"]
    assert "order: bracket, points, buchholz_cut1, time, lot\n" in out
    assert "different numbers of games: points, time by the mean of a game" in out
    assert "drawn from seed 7" in out
    assert "mean" not in run("tournament", "watch", "spring").err


def test_a_crosstable_of_many_says_what_it_leaves_out(run: Run, api: FakeApi) -> None:
    """Below the table stand how many there are and the command that tells the rest; else nothing."""
    row = sample(CrossRow, bot="ann", cells=[None])
    table = {"tournament": "spring", "state": "running"} | page(row)
    api.answers["GET", "/tournaments/spring/crosstable"] = table | {"total": 300}
    out = run("tournament", "standings", "spring", "--crosstable").out
    assert "the first 1 of 300 bots; arena tournament bot spring BOT" in out
    api.answers["GET", "/tournaments/spring/crosstable"] = table
    assert "bots" not in run("tournament", "standings", "spring", "--crosstable").out


def test_a_wide_crosstable_comes_in_blocks_of_columns(run: Run, api: FakeApi) -> None:
    """No name and no result is ever shortened, every column stands once, and who has not met has a dot."""
    names = [f"a-bot-with-a-rather-long-name-{number}" for number in range(1, 31)]
    cells = [{"points": 10.5, "games": 20}] * 29 + [{"points": 0, "games": 0}]
    items = [
        {"rank": 1, "entry": at, "bot": name, "points": 3.5, "left_as": None, "cells": [None, *cells[1:]]}
        for at, name in enumerate(names, 1)
    ]
    about = {"tournament": "spring", "state": "running"}
    api.answers["GET", "/tournaments/spring/crosstable"] = about | page(*items)
    lines = run("tournament", "standings", "spring", "--crosstable").out.splitlines()
    heads = [line.split()[2:] for line in lines if "points" in line]
    assert len(heads) > 1
    assert [head for each in heads for head in each] == [str(number) for number in range(1, 31)]
    rows = [line for line in lines if names[29] in line]
    assert len(rows) == len(heads)
    assert "".join(rows).count("10.5/20") == 28
    assert rows[-1].rstrip().endswith("·")


def test_a_bots_numbers(run: Run, api: FakeApi) -> None:
    """By seat, by opening with its moves, by opponent, and the kinds of forfeits."""
    api.answers["GET", "/tournaments/spring/bots/ann"] = found = sample(
        BotNumbersOut, bot="ann", version=3, owner="team-1", totals=TOTALS, seats=[TOTALS, TOTALS],
        openings=[OPENING], opponents=[{"bot": "bob", "totals": TOTALS}],
        forfeits={"timeout": 1}, longest_ms=1234,
    )  # fmt: skip
    out = run("tournament", "bot", "spring", "ann").out
    for told in ("ann version 3 of team-1", "2 d3 c5", "bob", "90:100", "forfeits, timeout: 1", "1.2 s"):
        assert told in out
    assert run("tournament", "bot", "spring", "ann", "--json").json() == found


@pytest.mark.parametrize(("likely", "told"), [(0.9375, "93.8%"), (None, None)])
def test_head_to_head(run: Run, api: FakeApi, likely: float | None, told: str | None) -> None:
    """The first bot's numbers, and how likely it is the stronger one where that can be said."""
    api.answers["GET", "/tournaments/spring/head-to-head"] = sample(
        HeadToHeadOut, one="ann", other="bob", totals=TOTALS, seats=[TOTALS, TOTALS],
        openings=[OPENING | {"opening": 0, "moves": []}], superiority=likely,
    )  # fmt: skip
    out = run("tournament", "head-to-head", "spring", "ann", "bob").out
    assert dict(api.asked[-1].url.params) == {"one": "ann", "other": "bob"}
    assert "ann against bob" in out
    assert "the beginning" in out
    assert ("stronger" in out) == (told is not None)
    assert told is None or told in out


def test_balance(run: Run, api: FakeApi) -> None:
    """The first seat's share in all and by opening with its interval, and everybody's seats."""
    even = {"games": 4, "wins": 2, "draws": 0, "losses": 2, "share": 0.5, "low": 0.15, "high": 0.85}
    none = dict.fromkeys(even, 0) | {"share": None, "low": None, "high": None, "lopsided": False}
    api.answers["GET", "/tournaments/spring/balance"] = {
        "tournament": "spring",
        "first": even | {"lopsided": True},
        "openings": [{"opening": 1, "moves": ["d3"], "first": none}],
        "seats": [{"bot": "ann", "first": 3, "second": 1}],
        "widest": 2,
    }
    out = run("tournament", "balance", "spring").out
    for told in ("50.0%", "15.0% to 85.0%", "not even", "1 d3", "difference between the seats of a bot: 2"):
        assert told in out
