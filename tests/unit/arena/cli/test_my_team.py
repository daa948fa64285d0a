"""One's own team from the command line, against a fake of the API."""

from __future__ import annotations

from pathlib import Path

import httpx2

from arena.schemas.bots import BotOut, VersionOut
from arena.schemas.matches import ResultOut, SeatOut
from arena.schemas.team import OfferOut, OpeningOut, OwnBot, OwnGameOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]

COMET = sample(VersionOut, bot="comet", version=3, state="failed", archive="0" * 64)


def test_the_teams_bots(run: Run, api: FakeApi) -> None:
    """Each bot stands with its newest check, its form in letters, and what it takes part in."""
    form = [
        {"tournament": "cup", "match": 1, "outcome": each} for each in ("won", "drawn", "lost", "forfeit")
    ]
    entry = {"tournament": "cup", "state": "running", "version": 2, "left_as": None}
    bot = sample(OwnBot, name="comet", newest=COMET, code="timeout", form=form, entries=[entry])
    api.answers["GET", "/me/bots"] = page(bot, sample(OwnBot, name="empty"))
    told = run("my", "bots").out
    for word in ("comet", "failed: timeout", "WDLF", "cup (version 2)", "empty"):
        assert word in told
    assert run("my", "bots", "--json").json()["bots"][0]["name"] == "comet"


def test_what_the_team_could_enter(run: Run, api: FakeApi) -> None:
    """Each open tournament says with which version a bot would play, or what stands in the way."""
    offers = [
        sample(OfferOut, bot="comet", version=2),
        sample(OfferOut, bot="moon", obstacle="other_game"),
    ]
    game = {"name": "heap_nim", "params": {}, "version": 1}
    api.answers["GET", "/me/openings"] = page(sample(OpeningOut, tournament="cup", game=game, bots=offers))
    told = run("my", "open").out
    assert "enter with version 2" in told
    assert "not: other game" in told
    assert run("my", "open", "--json").json()["tournaments"][0]["tournament"] == "cup"


def test_the_teams_games(run: Run, api: FakeApi) -> None:
    """Games are asked for by how they ended, and shown from the bot's side."""
    seats = [sample(SeatOut, bot="rival"), sample(SeatOut, bot="comet", version=4)]
    result = sample(ResultOut, reason="timeout", score=[0, 0], points=[1, 0], wall_ms=[1, 2])
    game = sample(
        OwnGameOut, tournament="cup", number=7, seat=1, outcome="forfeit", seats=seats, result=result
    )
    api.answers["GET", "/me/matches"] = page(game)
    told = run("my", "games", "--outcome", "forfeit", "--bot", "comet").out
    for word in ("cup", "7", "comet 4", "rival", "forfeit", "timeout"):
        assert word in told
    asked = api.asked[-1].url.params
    assert (asked["outcome"], asked["bot"], "tournament" in asked) == ("forfeit", "comet", False)
    assert run("my", "games", "--json").json()["matches"][0]["number"] == 7


def test_getting_ones_own_files_again(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The newest version's zip is written to a file, and one that is there is not replaced unasked."""
    api.answers["GET", "/bots/comet"] = sample(BotOut, name="comet", newest=COMET)
    api.answers["GET", "/bots/comet/versions/3/archive"] = httpx2.Response(200, content=b"PK")
    file = tmp_path / "comet.zip"
    assert run("bot", "download", "comet", "-o", str(file), "--json").json()["version"] == 3
    assert file.read_bytes() == b"PK"
    assert run("bot", "download", "comet", "-o", str(file)).code == 2
