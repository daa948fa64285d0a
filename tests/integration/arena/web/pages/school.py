"""A site where people of a school sign in by its OpenID provider, and their browsers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from sqlalchemy import func, select

from arena.core.clock import utc_now
from arena.people import classes, users
from arena.store.models import Identity
from arena.web.http.dependencies import Services
from tests.integration.arena.people.fake_provider import ISSUER, FakeProvider
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site

HERE = {"Host": "localhost:8080", "Origin": "http://localhost:8080"}
CALLBACK = "/sign-in/openid/callback"


@dataclass
class School:
    """A site where people of a school sign in, and the provider behind it."""

    site: Site
    provider: FakeProvider

    def set_up(self, **setup: Any) -> None:
        """Have the site use the provider, with other settings if wanted."""
        app: Any = self.site.client.app
        app.state.services = replace(app.state.services, provider=self.provider.provider(**setup))

    @property
    def services(self) -> Services:
        """Those of the site."""
        app: Any = self.site.client.app
        return app.state.services  # type: ignore[no-any-return]  # an application has any state

    def count(self, what: Any) -> int:
        """How many rows of a table there are."""
        with self.site.world.database.reading() as session:
            return session.scalar(select(func.count()).select_from(what)) or 0

    def linked(self, name: str, subject: str = "ann-1") -> None:
        """Let an account at the provider sign somebody in."""
        with self.site.world.database.transaction() as session:
            user = users.get(session, name)
            session.add(
                Identity(user_id=user.id, issuer=ISSUER, subject=subject, label="", created_at=utc_now())
            )

    def class_code(self, uses: int = 5) -> str:
        """A code of the class."""
        world = self.site.world
        with world.database.transaction() as session:
            school_class = classes.get(session, CLASS)
            return classes.make_class_code(session, world.staff, school_class, uses=uses, days=1).text


@dataclass
class Browser:
    """Keeps its cookies, and goes to the provider and back."""

    school: School
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, path: str, **fields: str) -> Any:
        """Send a form."""
        return self._told("post", path, data=fields)

    def read(self, path: str) -> Any:
        """Read a page."""
        return self._told("get", path)

    def _told(self, method: str, path: str, **more: Any) -> Any:
        client = self.school.site.client
        client.cookies.clear()
        shown = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = HERE | ({"Cookie": shown} if shown else {})
        answer = getattr(client, method)(path, headers=headers, follow_redirects=False, **more)
        for line in answer.headers.get_list("set-cookie"):
            name, value = line.partition(";")[0].split("=", 1)
            self.cookies[name] = value.strip('"')
        return answer

    def go(self, path: str, **fields: str) -> dict[str, str]:
        """Be sent to the provider; with which question."""
        sent = self.send(path, **fields)
        assert sent.status_code == 200, sent.text
        address = sent.headers["Refresh"].removeprefix("0; url=")
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        self.school.provider.nonce = asked["nonce"]
        return asked

    def back(self, asked: dict[str, str], **told: str) -> Any:
        """Come back from the provider."""
        query = {"state": asked["state"], "code": "code", "iss": ISSUER} | told
        return self.read(f"{CALLBACK}?{httpx2.QueryParams(query)}")

    def come(self, path: str, **fields: str) -> Any:
        """There and back."""
        return self.back(self.go(path, **fields))


def signed_in(school: School, name: str) -> Browser:
    """The browser of somebody who is signed in."""
    cookie = sign_in(school.site, name)["Cookie"]
    return Browser(school, dict([cookie.split("=", 1)]))


def alert(answer: Any) -> str:
    """What a page says of what was wrong."""
    found = re.search(r'<p class="notice" role="alert">([^<]+)</p>', answer.text)
    assert found is not None, answer.text
    return unescape(found[1])
