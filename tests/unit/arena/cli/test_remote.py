"""The commands that talk to an arena, against a fake of its API."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from arena.schemas.bots import Submitted
from arena.schemas.ratings import RatingOut
from arena.schemas.tournaments import EntryOut
from arena.schemas.users import UserOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import LEADERBOARD, FakeApi, api, match, page, problem, sample, tournament

__all__ = ["api"]


def test_create_sends_the_whole_plan_and_opens(run: Run, api: FakeApi) -> None:
    """Options become the plan's fields; --open follows up."""
    api.answers["POST", "/tournaments"] = tournament("draft")
    api.answers["POST", "/tournaments/spring/open"] = tournament("open")
    words = ("--time", "1s", "--extensions", "2", "--openings", "2", "--seed", "7", "--param", "size=6")
    limits = ("--limit", "memory_mb=1024", "--limit", "processes=8")
    plan = ("spring", "--format", "double_round_robin", *words, *limits)
    ran = run("tournament", "create", *plan, "--open", "--json")
    assert ran.json()["state"] == "open"
    assert api.sent(0) == {
        "name": "spring",
        "game": "reversed_reversi",
        "params": {"size": 6},
        "format": "double_round_robin",
        "time": {"move_ms": 1000, "extension_ms": 2000, "extensions": 2},
        "limits": {"memory_mb": 1024, "processes": 8},
        "openings": 2,
        "opening_plies": 6,
        "seed": 7,
    }


@pytest.mark.parametrize(("status", "code"), [(401, 4), (403, 4), (404, 2), (409, 2), (422, 2), (503, 1)])
def test_refusals_have_their_exit_codes(run: Run, api: FakeApi, status: int, code: int) -> None:
    """Who one is: 4; what one asked for: 2; the arena itself: 1. The problem's words are the message."""
    api.answers["POST", "/tournaments/spring/start"] = problem(status, "for this reason")
    ran = run("tournament", "start", "spring", "--json")
    assert (ran.code, ran.out, ran.err) == (code, "", "arena: for this reason\n")


def test_without_a_token_nothing_is_sent(run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that needs a token exits with 4 and says how to log in."""
    monkeypatch.delenv("ARENA_TOKEN")
    for words in (("tournament", "start", "spring"), ("auth", "status"), ("user", "create", "ann")):
        ran = run(*words)
        assert ran.code == 4
        assert "arena auth login" in ran.err
    assert not api.asked


def test_login_keeps_a_token_only_after_it_was_accepted(
    run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong token is not kept; a right one serves the commands that follow."""
    monkeypatch.delenv("ARENA_TOKEN")
    api.answers["GET", "/me"] = [
        problem(401, "the token is not known"),
        *[sample(UserOut, name="ann", role="team")] * 2,
    ]
    assert run("auth", "login", "--token", "wrong").code == 4
    assert run("auth", "status").code == 4
    assert run("auth", "login", "--token", "right", "--json").json()["name"] == "ann"
    assert run("auth", "status").out == "ann (team) at http://arena.test, from ARENA_URL\n"
    assert api.asked[-1].headers["Authorization"] == "Bearer right"


def test_a_folder_is_submitted_as_a_zip(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """Its files go without caches, under the folder's name in the house's form."""
    folder = tmp_path / "My_Bot"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "x.pyc").write_text("")
    (folder / "main.py").write_text("run()")
    made = sample(Submitted, bot="my-bot", version=1, archive="ab" * 32, size=5, created=True)
    api.answers["POST", "/bots/my-bot/versions"] = made
    assert run("bot", "submit", str(folder), "--json").json() == made
    body = api.asked[0].content
    start = body.index(b"PK\x03\x04")
    with zipfile.ZipFile(io.BytesIO(body[start:])) as archive:
        assert archive.namelist() == ["main.py"]


def test_a_bot_is_entered_by_the_spelling_of_its_file(run: Run, api: FakeApi) -> None:
    """What `submit My_Bot.py` called my-bot is found as My_Bot, unless there is a bot of that very name."""
    words = ("tournament", "enter", "final", "My_Bot")
    entries = "POST", "/tournaments/final/entries"
    entry = sample(EntryOut, bot="my-bot", version=1, number=1)
    api.answers[entries] = [problem(404, "no"), entry, entry | {"bot": "My_Bot"}, problem(409, "over")]
    assert run(*words).out == "my-bot version 1 is number 1 of final\n"
    assert [api.sent(0), api.sent(1)] == [{"bot": "My_Bot"}, {"bot": "my-bot"}]
    assert run(*words).out == "My_Bot version 1 is number 1 of final\n"
    assert run(*words).err == "arena: over\n"


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_damaged_credentials_are_named(run: Run, api: FakeApi, tmp_path: Path, text: str) -> None:
    """A file that `auth login` did not write so is told on standard error, and not used."""
    saved = tmp_path / "config" / "arena" / "credentials.json"
    saved.parent.mkdir(parents=True)
    saved.write_text(text)
    api.answers["GET", "/me"] = sample(UserOut, name="ann", role="team")
    ran = run("auth", "status")
    assert (ran.code, ran.err) == (0, f"{saved} is damaged and not used; `arena auth login` makes it anew\n")


@pytest.mark.parametrize("name", ["nowhere.py", "notes.txt", "empty", "linked"])
def test_what_is_no_bot_is_not_submitted(run: Run, api: FakeApi, tmp_path: Path, name: str) -> None:
    """A missing file, another kind of file, a folder without main.py and one with a link are refused here."""
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "main.py").write_text("run()")
    (tmp_path / "linked" / "secret").symlink_to(tmp_path / "notes.txt")
    assert run("bot", "submit", name).code == 2
    assert not api.asked


def test_watch_ends_with_the_leaderboard(run: Run, api: FakeApi) -> None:
    """The final table goes to standard output, and the end is told by nothing else."""
    api.answers["GET", "/tournaments/spring"] = tournament("finished", 1)
    api.answers["GET", "/tournaments/spring/leaderboard"] = LEADERBOARD
    ran = run("tournament", "watch", "spring")
    assert ran.code == 0
    assert "ann" in ran.out
    assert "20:44" in ran.out
    assert (ran.out + ran.err).count("finished, 1 of 1") == 1
    assert run("tournament", "standings", "spring", "--json").json() == LEADERBOARD


def test_watching_a_cancelled_tournament_fails(run: Run, api: FakeApi) -> None:
    """Its end is no success."""
    api.answers["GET", "/tournaments/spring"] = tournament("cancelled", 1)
    api.answers["GET", "/tournaments/spring/leaderboard"] = LEADERBOARD
    assert run("tournament", "watch", "spring").code == 1


def test_watching_tells_of_parked_matches_and_ends_when_nothing_else_is_left(
    run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many there are and what to do is said once; with nothing else to play the exit code is 1."""
    monkeypatch.setattr("arena.client.http.time.sleep", lambda _: None)
    going, stuck = tournament("running", 1, pending=1), tournament("running", 2)
    for state in (going, stuck):
        state["matches"]["parked"] = 1
    api.answers["GET", "/tournaments/spring"] = [going, stuck]
    api.answers["GET", "/tournaments/spring/matches"] = page(match("parked"))
    api.answers["GET", "/tournaments/spring/leaderboard"] = LEADERBOARD
    ran = run("tournament", "watch", "spring", "--json")
    assert (ran.code, ran.json()) == (1, LEADERBOARD)
    assert ran.err.count("7 (ann against bob)") == 1
    assert "arena tournament retry spring 7\n" in ran.err
    assert "arena tournament drop spring 7 --reason" in ran.err
    assert "nothing but parked matches" in ran.err


def test_show_says_why_a_tournament_stands_still(run: Run, api: FakeApi) -> None:
    """How far it is, and the reason on a line of its own; one that goes on has none."""
    stands = tournament("running", 2) | {"trouble": "no pairing is left"}
    api.answers["GET", "/tournaments/spring"] = [tournament("running", 2), stands, stands]
    told = "it stands still, because its format does not know how it goes on: no pairing is left\n"
    assert "stands still" not in run("tournament", "show", "spring").out
    assert run("tournament", "show", "spring").out.endswith(told)
    assert run("tournament", "show", "spring", "--json").json()["trouble"] == "no pairing is left"


def test_the_staff_decides_about_parked_matches(run: Run, api: FakeApi) -> None:
    """A match is tried again, or called off with a reason that is sent along."""
    api.answers["POST", "/tournaments/spring/matches/7/retry"] = match("pending")
    api.answers["POST", "/tournaments/spring/matches/7/drop"] = match("cancelled")
    assert run("tournament", "retry", "spring", "7").out.endswith("is pending\n")
    ran = run("tournament", "drop", "spring", "7", "--reason", "agreed", "--json")
    assert (ran.json()["state"], api.sent()) == ("cancelled", {"reason": "agreed"})
    assert run("tournament", "drop", "spring", "7").code == 2


def test_tokens_are_issued_and_revoked(run: Run, api: FakeApi) -> None:
    """A new token is the only thing on standard output; revoking tells how many there were."""
    made = {"user": sample(UserOut, name="ann", role="team"), "token": "new"}
    api.answers["POST", "/users/ann/tokens"] = made
    api.answers["DELETE", "/users/ann/tokens"] = {"revoked": 2}
    assert run("user", "token", "ann").out == "new\n"
    assert run("user", "token", "ann", "--json").json() == {"name": "ann", "role": "team", "token": "new"}
    assert run("user", "revoke", "ann", "--yes", "--json").json() == {"name": "ann", "revoked": 2}


@pytest.mark.parametrize("token", ["bé", "two\nlines", "two words"])
def test_what_is_no_token_is_not_sent(
    run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    """Characters that no token has are said to be there, with exit code 4."""
    monkeypatch.setenv("ARENA_TOKEN", token)
    ran = run("auth", "status")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith("arena: the token")
    assert not api.asked


def test_an_export_that_breaks_off_leaves_the_file_as_it_was(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """No half of an export is ever left, and what was there before stays."""

    class Broken(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"a,b\n"
            yield b"1,2\n"
            raise httpx2.ReadError("broken off")

    api.answers["GET", "/tournaments/spring/export"] = httpx2.Response(200, stream=Broken())
    path = tmp_path / "out.csv"
    path.write_text("before")
    before = set(tmp_path.iterdir())
    assert run("tournament", "export", "spring", "-o", str(path), "--force").code == 1
    assert path.read_text() == "before"
    assert set(tmp_path.iterdir()) == before


def test_a_refused_export_leaves_no_file(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The file is written only when there is something to write."""
    api.answers["GET", "/tournaments/spring/export"] = [
        problem(404, "no"),
        httpx2.Response(200, text="a,b\n"),
    ]
    path = tmp_path / "out.csv"
    assert run("tournament", "export", "spring", "-o", str(path)).code == 2
    assert not path.exists()
    assert run("tournament", "export", "spring", "-o", str(path), "--json").json()["bytes"] == 4
    assert path.read_text() == "a,b\n"


def test_ratings_are_printed_with_what_they_rest_on(run: Run, api: FakeApi) -> None:
    """Wishes are sent along; errors, likelihoods, the prior and the first move's worth are told."""
    line = sample(RatingOut, rank=1, bot="ann", owner="red", games=9, rating=31.5, error=12.25)
    line |= {"resampled_error": 14.0, "stronger_than_next": 0.875, "stronger_than": [None]}
    last = sample(RatingOut, bot="zoe", owner="blue")
    api.answers["GET", "/tournaments/spring/ratings"] = {
        "tournament": "spring",
        "state": "running",
        "model": "davidson",
        "prior": {"reason": "separated", "deviation": 347.4},
        "first_move": {"value": 12.5, "error": 3.0},
        "draws": {"value": 0.5, "error": 0.1},
        "resamples": 50,
        "resamples_with_prior": 2,
        "items": [line, last],
    }
    ran = run("tournament", "ratings", "spring", "--resamples", "50", "--seed", "4", "--pairwise")
    assert ran.code == 0
    assert "+31.5" in ran.out
    assert "87.5%" in ran.out
    assert "normal prior of 347 Elo" in ran.out
    assert "moving first is worth +12.5 ± 3.0 Elo" in ran.out
    assert "50 resamples by opening, 2 of them with a prior" in ran.out
    assert "nu = 0.500 ± 0.100" in ran.out
    asked = {"resamples": "50", "seed": "4", "pairwise": "true", "model": "davidson"}
    assert dict(api.asked[-1].url.params) == asked
    assert run("tournament", "ratings", "spring", "--json").json()["resamples"] == 50


def test_several_bots_are_entered_at_once(run: Run, api: FakeApi) -> None:
    """Those that are refused are named, and the others are entered all the same."""

    def entry(bot: str, number: int) -> dict[str, Any]:
        return sample(EntryOut, bot=bot, version=1, number=number)

    path = ("POST", "/tournaments/final/entries")
    api.answers[path] = [entry("red", 1), problem(409, "blue has not passed"), entry("green", 2)]
    ran = run("tournament", "enter", "final", "red", "blue", "green")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "red version 1 is number 1 of final",
        "green version 1 is number 2 of final",
    ]
    assert ran.err == "arena: not entered: blue: blue has not passed\n"
    api.answers[path] = [entry("red", 1), entry("green", 2)]
    told = run("tournament", "enter", "final", "red", "green", "--json").json()
    assert [each["bot"] for each in told["entries"]] == ["red", "green"]
    assert told["refused"] == []
    assert run("tournament", "enter", "final", "red", "green", "--version", "2").code == 2


def test_a_reference_bot_is_handed_in_by_its_name(run: Run, api: FakeApi) -> None:
    """The server makes its files, under its own name or another one; for nobody else."""
    made = sample(Submitted, bot="random", version=1, archive="ab" * 32, size=5, created=True)
    api.answers["POST", "/bots/random/reference"] = made
    assert "random version 1 submitted" in run("bot", "submit", "@random").out
    assert api.sent(0) == {"reference": "random"}
    api.answers["POST", "/bots/easy/reference"] = made | {"bot": "easy"}
    assert "easy" in run("bot", "submit", "@random", "--name", "easy", "--game", "heap_nim").out
    assert api.sent(1) == {"reference": "random", "games": ["heap_nim"]}
    assert run("bot", "submit", "@random", "--owner", "red").code == 2
