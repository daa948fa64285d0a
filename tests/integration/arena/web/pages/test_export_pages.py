"""A tournament's files: what its pages link to, and what is in them for the public and for who runs it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.core.terms import ExportFormat
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import EVIDENCE, Site, play_cup, start_cup
from tests.integration.arena.web.api.hiding import freeze
from tests.integration.arena.web.pages.making import make

NEITHER = {ExportFormat.GGF, ExportFormat.TRF}


def _linked(site: Site, path: str, user: str | None = None) -> list[str]:
    page = site.client.get(path, headers=sign_in(site, user))
    assert page.status_code == 200
    return re.findall(r'href="([^"]+/export\?format=[a-z]+)"', page.text)


def _file(site: Site, path: str, user: str | None = None) -> str:
    answer = site.client.get(path, headers=sign_in(site, user), follow_redirects=False)
    assert answer.status_code == 200, path
    assert answer.headers["content-disposition"].startswith("attachment"), path
    text: str = answer.text
    return text


def test_every_link_leads_to_what_the_api_gives(used: Site) -> None:
    """A cup of Reversi in a round robin is told in all formats, on its page and where it is run."""
    start_cup(used)
    play_cup(used)
    for base, user in (("/tournaments/cup", None), ("/manage/cup", "staff")):
        links = _linked(used, base, user)
        assert links == [f"{base}/export?format={form}" for form in ExportFormat]
        for link, form in zip(links, ExportFormat, strict=True):
            of_api = used.get(f"/tournaments/cup/export?format={form}", user)
            assert _file(used, link, user) == of_api.text, link


@pytest.mark.parametrize(
    ("plan", "missing"),
    [
        ({"game": "heap_nim", "params": {}, "format": "knockout"}, NEITHER),
        ({"game": "heap_nim", "params": {}, "format": "swiss"}, {ExportFormat.GGF}),
    ],
)
def test_a_format_that_cannot_tell_of_it_is_not_offered(
    used: Site, plan: dict[str, Any], missing: set[ExportFormat]
) -> None:
    """Nim is no Reversi, and a knockout no Swiss; who asks all the same is told 409."""
    start_cup(used, **plan)
    links = _linked(used, "/tournaments/cup")
    assert [link.rpartition("=")[2] for link in links] == [
        form for form in ExportFormat if form not in missing
    ]
    for form in missing:
        assert used.client.get(f"/tournaments/cup/export?format={form}").status_code == 409
    assert used.client.get("/tournaments/cup/export?format=exe").status_code == 422


def test_before_the_start_there_is_nothing_to_take(used: Site, teacher: str) -> None:
    """Neither page of an open tournament offers files."""
    make(used, teacher)
    assert _linked(used, "/tournaments/spring") == _linked(used, "/manage/spring", "teacher") == []


def test_in_a_freeze_who_runs_it_has_everything(site: Site) -> None:
    """Results and what bots wrote are in the organiser's file; the public's is the one from before."""
    start_cup(site)
    settle(site)
    freeze(site)
    before = _file(site, "/tournaments/cup/export?format=csv")
    play_cup(site, forfeit=True)
    for user in (None, "red", "teacher"):
        assert _file(site, "/tournaments/cup/export?format=csv", user) == before
        assert _file(site, "/tournaments/cup/export?format=jsonl", user) == ""
    assert before.count(",finished,") == 0
    assert _file(site, "/manage/cup/export?format=csv", "teacher").count(",finished,") == 2
    assert EVIDENCE in _file(site, "/manage/cup/export?format=jsonl", "teacher")
    refused = site.client.get("/manage/cup/export", headers=sign_in(site, "red"))
    assert (refused.status_code, EVIDENCE in refused.text) == (403, False)
