"""How numbers and times stand on a page."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient

from arena.web.answers import templates
from arena.web.app import create_app
from arena.web.pages.i18n import ENGLISH
from tests.integration.arena.site import make_site
from tests.integration.arena.world import World


@pytest.mark.parametrize(
    ("lang", "form"),
    [("en", r"[A-Z][a-z]{2} \d+, 20\d\d"), ("zh-Hant-TW", r"20\d\d年\d+月\d+日")],
)
def test_times_are_local(sqlite_world: Callable[[], World], lang: str, form: str) -> None:
    """A time is shown in the server's zone, in the language's form, and says how far the zone is from UTC."""
    world = sqlite_world()
    changes = {"database_url": str(world.database.engine.url), "timezone": ZoneInfo("Asia/Taipei")}
    with TestClient(create_app(world.settings.model_copy(update=changes), world.broker)) as client:
        make_site(world, client)
        page = client.get("/bots", headers={"Accept-Language": lang}).text
    written = re.findall(r'<time datetime="([^"]+)">([^<]+)</time>', page)
    assert len(written) == 2
    for exact, shown in written:
        there = dt.datetime.fromisoformat(exact).astimezone(ZoneInfo("Asia/Taipei"))
        assert re.fullmatch(rf"{form} {there:%H:%M} \(UTC\+08:00\)", shown)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0 µs"),
        (0.000_043, "43 µs"),
        (0.000_4, "0.4 ms"),
        (0.012_34, "12.3 ms"),
        (0.1, "0.100 s"),
        (4321.5, "4,321.500 s"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    """A short time is shown in a unit in which it is not nothing, a long one in seconds."""
    assert templates.duration(seconds, ENGLISH.locale) == shown
