"""Sites that people use, for pages that need somebody signed in, and by which they sign in."""

from __future__ import annotations

import pytest

from tests.integration.arena.people.fake_provider import FakeProvider
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.school import Browser, School


@pytest.fixture
def used(site: Site) -> Site:
    """A site with somebody of every role."""
    settle(site)
    return site


@pytest.fixture
def teacher(used: Site) -> str:
    """What the browser of an organiser shows."""
    return sign_in(used, "teacher")["Cookie"]


@pytest.fixture
def school(used: Site) -> School:
    """A site with a school's provider."""
    school = School(used, FakeProvider())
    school.set_up()
    return school


@pytest.fixture
def ann(school: School) -> Browser:
    """Somebody's browser."""
    return Browser(school)


@pytest.fixture
def hall(site: Site) -> Site:
    """A site with a host that plays."""
    site.world.tournament("hall", start=False)
    return site
