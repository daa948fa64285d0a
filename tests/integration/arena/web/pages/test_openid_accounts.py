"""Accounts at the school's provider: joined with by a code, linked, unlinked, and let out."""

from __future__ import annotations

from sqlalchemy import select, update

from arena.core.clock import utc_now
from arena.people import classes, users
from arena.store.models import Event, Identity, JoinCode, OpenIdRequest, User
from tests.integration.arena.people.fake_provider import ISSUER
from tests.integration.arena.roles import CLASS
from tests.integration.arena.web.pages.school import HERE, Browser, School, alert, signed_in


def test_who_joins_by_a_code_needs_no_password(school: School, ann: Browser) -> None:
    """They lead a new team of the class, are signed in by the school from then on, and the code is used."""
    code = school.class_code(uses=1)
    answer = ann.come("/join/openid", code=code.lower(), name="安妮", team="green")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    with school.site.world.database.reading() as session:
        anna = users.get(session, "安妮")
        assert (anna.is_leader, anna.password_hash, anna.role) == (True, None, "team")
        assert anna.class_id == classes.get(session, CLASS).id
        assert session.scalars(select(JoinCode.text).where(JoinCode.uses_left > 0)).all() != [code]
        kinds = session.scalars(select(Event.kind).order_by(Event.id.desc()).limit(3)).all()
    assert kinds == ["user.signed_in", "identity.linked", "user.joined"]
    again = Browser(school)
    assert again.come("/sign-in/openid").status_code == 303


def test_what_is_wrong_with_a_code_is_told_before_anybody_is_sent(school: School, ann: Browser) -> None:
    """And what was typed is there again; trying the names keeps neither a user nor a use of the code."""
    code, before = school.class_code(uses=1), school.count(User)
    for fields in (
        {"code": "AAAAA-22222", "name": "anna", "team": "green"},
        {"code": code, "name": "red", "team": "green"},
        {"code": code, "name": "anna", "team": ""},
    ):
        answer = ann.send("/join/openid", **fields)
        assert answer.status_code in {404, 409, 422}
        assert f'name="name" value="{fields["name"]}"' in answer.text
    asked = ann.go("/join/openid", code=code, name="anna", team="green")
    assert school.count(User) == before
    assert ann.back(asked).status_code == 303
    assert school.count(User) == before + 2


def test_a_code_that_was_used_up_meanwhile_joins_nobody(school: School, ann: Browser) -> None:
    """The form is shown again with what was typed, and the account stays free."""
    code = school.class_code(uses=1)
    asked = ann.go("/join/openid", code=code, name="anna", team="green")
    school.site.client.cookies.clear()
    taken = {"code": code, "name": "bob", "team": "teal"}
    assert (
        school.site.client.post("/join", data=taken, headers=HERE, follow_redirects=False).status_code == 303
    )
    answer = ann.back(asked)
    assert answer.status_code == 404
    assert 'name="team" value="green"' in answer.text
    assert school.count(Identity) == 0


def test_who_has_an_account_does_not_join_a_second_time(school: School, ann: Browser) -> None:
    """The code keeps its use, and the words say that the account signs in somebody."""
    school.linked("red")
    code = school.class_code(uses=1)
    answer = ann.come("/join/openid", code=code, name="anna", team="green")
    assert answer.status_code == 409
    assert "signs in somebody here already" in alert(answer)
    with school.site.world.database.reading() as session:
        assert session.scalar(select(JoinCode.uses_left).where(JoinCode.text == code)) == 1


def test_one_links_and_unlinks_one_s_own(school: School) -> None:
    """Not somebody else's, not a second one, and not away with the last way in."""
    red, blue = signed_in(school, "red"), signed_in(school, "blue")
    assert red.come("/account/openid").status_code == 303
    taken = blue.come("/account/openid")
    assert taken.status_code == 409
    assert "signs in somebody here already" in alert(taken)
    school.provider.claims = {"sub": "red-2"}
    assert red.come("/account/openid").status_code == 409
    (linked,) = school.site.get("/me/identities", "red").json()["items"]
    assert (linked["subject"], linked["issuer"], linked["label"]) == ("ann-1", ISSUER, "ann")
    place = f"/account/openid/{linked['id']}/unlink"
    assert blue.send(place).status_code == 404
    assert school.site.delete(f"/me/identities/{linked['id']}", "blue").status_code == 404
    assert "Nothing else would sign you in" in alert(red.send(place))
    assert red.send("/account/password", password="blue horse 7 lamps").status_code == 303
    assert red.send(place).status_code == 303
    assert school.site.get("/me/identities", "red").json()["items"] == []


def test_only_who_asked_to_link_links(school: School) -> None:
    """Who signs out meanwhile, or as somebody else, links nothing."""
    red = signed_in(school, "red")
    asked = red.go("/account/openid")
    red.cookies |= signed_in(school, "blue").cookies
    assert red.back(asked).status_code == 401
    asked = red.go("/account/openid")
    red.cookies["arena"] = ""
    answer = red.back(asked)
    assert answer.status_code == 401
    assert 'action="/sign-in/password"' in answer.text
    assert school.count(Identity) == 0


def test_the_staff_s_revocation_ends_it(school: School, ann: Browser) -> None:
    """As it does passwords and passkeys, and what was begun to be linked; one's own leaves one's own."""
    school.linked("red")
    assert ann.come("/sign-in/openid").status_code == 303
    red = signed_in(school, "red")
    school.provider.claims = {"sub": "other"}
    asked = red.go("/account/openid")
    school.linked("blue", "blue-1")
    with school.site.world.database.transaction() as session:
        blue = users.get(session, "blue")
        users.revoke_tokens(session, blue, actor=blue)
    assert school.count(Identity) == 2
    assert school.site.delete("/users/red/tokens", "staff").status_code == 200
    assert (school.count(Identity), school.count(OpenIdRequest)) == (1, 0)
    assert ann.read("/account").status_code == 303
    assert red.back(asked).status_code == 401
    school.provider.claims = {}
    assert ann.come("/sign-in/openid").status_code == 403


def test_who_was_let_out_comes_in_no_more_but_may_join_anew(school: School, ann: Browser) -> None:
    """The account of the school is free again for them, by a code."""
    school.linked("red")
    with school.site.world.database.transaction() as session:
        session.execute(update(User).where(User.name == "red").values(left_at=utc_now()))
    assert ann.come("/sign-in/openid").status_code == 403
    joined = ann.come("/join/openid", code=school.class_code(), name="anna", team="green")
    assert joined.status_code == 303
    assert "anna" in ann.read("/account").text
