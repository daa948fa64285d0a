"""Letting a class in and joining it from the command line, against a fake of the API."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.schemas.account import CodeOut, MadeToken, TokenOut
from arena.schemas.classes import ClassOut
from arena.schemas.users import LinkOut, UserOut, UserState, UserWithToken
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, problem, sample, tournament

__all__ = ["api"]

AMY = sample(UserWithToken, user=sample(UserOut, name="amy", role="team", team="red"), token="arena_x")


def test_joining_keeps_the_token(run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """A code needs no token, and the one that it brings serves the commands that follow."""
    monkeypatch.delenv("ARENA_TOKEN")
    api.answers["POST", "/join"] = [problem(404, "this code is wrong"), AMY]
    api.answers["GET", "/me"] = AMY["user"]
    words = ("auth", "join", "abcde-23456", "--name", "amy", "--team", "red")
    refused = run(*words)
    assert (refused.code, "this code is wrong" in refused.err) == (2, True)
    assert run(*words, "--json").json()["name"] == "amy"
    assert api.sent() == {"code": "abcde-23456", "name": "amy", "team": "red"}
    assert "Authorization" not in api.asked[-1].headers
    assert run("auth", "status").code == 0
    assert api.asked[-1].headers["Authorization"] == "Bearer arena_x"


def test_own_tokens_are_made_listed_and_revoked(run: Run, api: FakeApi) -> None:
    """What a token is good for is sent, its text alone is on standard output, and one goes by its number."""
    told = {"id": 3, "name": "figures", "scope": "read", "expires_at": "2100-06-01T08:00:00Z"}
    api.answers["POST", "/me/tokens"] = sample(MadeToken, token="arena_new", **told)
    api.answers["GET", "/me/tokens"] = page(sample(TokenOut, **told))
    api.answers["DELETE", "/me/tokens/3"] = {}
    words = ("auth", "token", "create", "--name", "figures", "--scope", "read", "--days", "30")
    assert run(*words).out == "arena_new\n"
    assert api.sent() == {"name": "figures", "scope": "read", "days": 30}
    assert run(*words, "--json").json()["token"] == "arena_new"
    run("auth", "token", "create")
    assert api.sent() == {"name": "", "scope": "all", "days": None}
    listed = run("auth", "token", "list").out
    assert all(each in listed for each in ("3", "figures", "read", "2100-06-01 08:00 UTC"))
    assert run("auth", "token", "list", "--json").json()["tokens"][0]["id"] == 3
    assert run("auth", "token", "revoke", "3", "--yes").out == "token 3 is worthless now\n"
    assert run("auth", "token", "revoke", "3", "--yes", "--json").json() == {"number": 3}
    for wrong in (("--scope", "write"), ("--days", "0"), ("--days", "367")):
        assert run("auth", "token", "create", *wrong).code == 2


def test_a_token_that_cannot_be_kept_is_printed(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The code may be used up, so that whoever joined has the token all the same, and is told why."""
    (tmp_path / "config").write_text("no folder")
    api.answers["POST", "/join"] = AMY
    api.answers["GET", "/me"] = AMY["user"]
    words = ("auth", "join", "abcde-23456", "--name", "amy")
    ran = run(*words)
    assert (ran.code, ran.out) == (4, "arena_x\n")
    assert "credentials.json cannot be written" in ran.err
    assert run(*words, "--json").json() == {"name": "amy", "token": "arena_x"}
    login = run("auth", "login", "--token", "arena_x")
    assert (login.code, "cannot be written" in login.err) == (4, True)


def test_a_class_and_its_code(run: Run, api: FakeApi) -> None:
    """A class is made, listed, given an organiser and a code, whose text alone is on standard output."""
    made = sample(ClassOut, name="7a", organisers=["ms-lin"])
    api.answers["POST", "/classes"] = made
    api.answers["GET", "/classes"] = page(made)
    api.answers["PUT", "/classes/7a/organisers/ms-lin"] = made
    api.answers["POST", "/classes/7a/codes"] = sample(CodeOut, text="ABCDE-23456", uses_left=30)
    assert run("class", "create", "7a").out == "7a is there now\n"
    assert run("class", "list", "--json").json() == {"classes": [made]}
    assert run("class", "organiser", "7a", "ms-lin").out == "7a is run by ms-lin\n"
    ran = run("class", "code", "7a", "--uses", "30", "--days", "2")
    assert ran.out == "ABCDE-23456\n"
    assert "for 30 teams" in ran.err
    assert api.sent() == {"uses": 30, "days": 2}


def test_a_link_alone_is_on_standard_output(run: Run, api: FakeApi) -> None:
    """So it can be piped to where it is sent."""
    made = sample(LinkOut, user="red", url="http://arena.test/sign-in/link/x")
    api.answers["POST", "/users/red/link"] = made
    assert run("user", "link", "red").out == "http://arena.test/sign-in/link/x\n"
    assert run("user", "link", "red", "--json").json() == made


def test_who_has_nothing_left_to_sign_in_with_needs_a_link(run: Run, api: FakeApi) -> None:
    """A new role is told, and that a link is to be handed out where nothing that signs in is left."""
    made = sample(UserState, name="red", role="organiser", tokens=0, sessions=0, links=0, passkeys=0)
    for has_password in (False, True):
        api.answers["PUT", "/users/red/role"] = made | {"has_password": has_password}
        ran = run("user", "role", "red", "organiser", "--yes")
        assert ran.out == "red has the role organiser\n"
        assert ("arena user link red" in ran.err) is not has_password


def test_a_class_is_named_where_it_is_given(run: Run, api: FakeApi) -> None:
    """Users and tournaments are for a class if one is named, and otherwise nothing is sent of one."""
    api.answers["POST", "/users"] = AMY
    api.answers["POST", "/tournaments"] = tournament("draft")
    for words, sent in (((), {}), (("--class", "7a"), {"class_name": "7a"})):
        run("user", "create", "red", *words)
        assert api.sent() == {"name": "red", "role": "team"} | sent
        run("tournament", "create", "spring", *words)
        assert {key: value for key, value in api.sent().items() if key == "class_name"} == sent


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("Role: organiser", "Team: owls", "Password: no", "Tokens: 2", "Leader: yes", "Links: 1")),
        ("zh_TW", ("角色: 主辦人", "隊伍: owls", "密碼: 否", "權杖: 2", "隊長: 是", "連結: 1")),
    ],
)
def test_a_user_is_shown_in_words(
    run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch, language: str, told: tuple[str, ...]
) -> None:
    """Each line says what it is of in the reader's language, and not by the name of a field."""
    made = sample(UserState, name="red", role="organiser", team="owls", is_leader=True, tokens=2, links=1)
    api.answers["GET", "/users/red"] = made | {"has_password": False}
    monkeypatch.setenv("LANGUAGE", language)
    shown = run("user", "show", "red").out.replace("\uff1a", ": ")
    assert set(told) <= set(shown.splitlines())
    assert "_" not in shown
