"""Users and tokens through the API."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy.orm import Session

from arena.core.terms import Role
from arena.people import administering, passwords, users
from tests.integration.arena.site import API, PLAN, Site


def test_letting_somebody_in(site: Site) -> None:
    """The staff makes a user, whose token works at once; another token leaves it valid."""
    made = site.post("/users", "staff", json={"name": "green", "role": "team"})
    assert made.status_code == 201
    site.tokens["green"] = made.json()["token"]
    assert site.get("/me", "green").json()["name"] == "green"
    site.tokens["again"] = site.post("/users/green/tokens", "staff").json()["token"]
    assert site.get("/me", "again").json() == site.get("/me", "green").json()
    assert [user["name"] for user in site.get("/users", "staff").json()["items"]] == [
        "blue",
        "green",
        "red",
        "staff",
    ]


@pytest.mark.parametrize(("user", "status"), [(None, 401), ("red", 403)])
def test_users_are_the_staffs(site: Site, user: str | None, status: int) -> None:
    """Neither the public nor a team sees or makes users and tokens."""
    assert site.get("/users", user).status_code == status
    assert site.post("/users", user, json={"name": "green"}).status_code == status
    assert site.post("/users/red/tokens", user).status_code == status
    assert site.delete("/users/red/tokens", user).status_code == status


def test_shutting_somebody_out(site: Site) -> None:
    """The staff makes all tokens of a user worthless at once; a new one lets the user in again."""
    site.tokens["again"] = site.post("/users/red/tokens", "staff").json()["token"]
    assert site.delete("/users/red/tokens", "staff").json() == {"revoked": 2}
    assert site.get("/me", "red").status_code == site.get("/me", "again").status_code == 401
    assert site.get("/me", "blue").status_code == 200
    assert site.delete("/users/red/tokens", "staff").json() == {"revoked": 0}
    site.tokens["red"] = site.post("/users/red/tokens", "staff").json()["token"]
    assert site.get("/me", "red").json()["name"] == "red"
    assert site.delete("/users/nobody/tokens", "staff").status_code == 404


def test_nobody_shuts_out_oneself(site: Site) -> None:
    """The token that is shown stays valid, so the staff can exchange its own but not lose the last."""
    assert site.delete("/users/staff/tokens", "staff").json() == {"revoked": 0}
    site.tokens["fresh"] = site.post("/users/staff/tokens", "staff").json()["token"]
    assert site.delete("/users/staff/tokens", "fresh").json() == {"revoked": 1}
    assert site.get("/me", "staff").status_code == 401
    assert site.get("/me", "fresh").json()["name"] == "staff"


@pytest.mark.parametrize(
    "header", ["Bearer wrong", "Bearer", "Basic cmVkOnJlZA==", "wrong", "Bearer \xff", "Bearer a b"]
)
@pytest.mark.parametrize("path", ["/me", "/tournaments"])
def test_bad_tokens(site: Site, path: str, header: str) -> None:
    """A header that holds no valid token is refused also where none is needed."""
    answer = site.client.get(f"/api/v1{path}", headers={b"Authorization": header.encode("latin-1")})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("name", ["", "a b", "x" * 61, "nul\0", "\ud800", "../x", "red"])
def test_bad_names(site: Site, name: str) -> None:
    """A name that cannot be or is taken makes no user."""
    assert site.post("/users", "staff", json={"name": name}).status_code in {409, 422}
    assert site.get("/users", "staff").json()["total"] == 3


def test_names_that_look_like_others_are_refused(site: Site) -> None:
    """A user, a bot or a tournament whose name looks like another one's is a conflict that names it."""
    site.submit("alpha", "red")
    site.post("/tournaments", "staff", json=PLAN | {"name": "cup1"})
    made = [
        site.post("/users", "staff", json={"name": "r\u0435d"}),
        site.submit("\u0430lpha", "red"),
        site.post("/tournaments", "staff", json=PLAN | {"name": "cupl"}),
    ]
    assert [answer.status_code for answer in made] == [409] * 3
    for answer, other in zip(made, ("user 'red'", "bot 'alpha'", "tournament 'cup1'"), strict=True):
        assert f"looks like the {other}" in answer.json()["detail"]


def _promote(session: Session) -> None:
    administering.set_role(session, users.get(session, "staff"), "red", Role.ORGANISER)


def _let_out_and_in(session: Session) -> None:
    staff = users.get(session, "staff")
    administering.disable(session, staff, "red")
    administering.enable(session, staff, "red")


def _revoke(session: Session) -> None:
    users.revoke_tokens(session, users.get(session, "red"), actor=users.get(session, "staff"))


@pytest.mark.parametrize("act", [_promote, _let_out_and_in, _revoke])
def test_a_password_does_not_outlive_the_token_that_it_was_chosen_by(
    site: Site, monkeypatch: pytest.MonkeyPatch, act: Callable[[Session], None]
) -> None:
    """Who has an old token and chooses a password just as all of before is made worthless has nothing."""
    hashed = passwords.hashed

    def meanwhile(password: str) -> str:
        with site.world.database.transaction() as session:
            act(session)
        return hashed(password)

    monkeypatch.setattr(passwords, "hashed", meanwhile)
    body = {"password": "blue horse 7 lamps"}
    answer = site.client.put(API + "/me/password", json=body, headers=site.headers("red"))
    assert (answer.status_code, answer.json()["detail"]) == (
        401,
        "what you had signed in by was made worthless at this moment",
    )
    with site.world.database.reading() as session:
        assert users.get(session, "red").password_hash is None
