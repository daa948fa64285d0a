"""The organisers' page of whether a tournament's totals are those that its results add up to."""

from __future__ import annotations

from html import unescape

from sqlalchemy import select

from arena.store.models import Result
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, play_cup, start_cup

PAGE = "/manage/cup/verification"


def test_what_differs_is_shown_to_who_runs_it(site: Site) -> None:
    """Nothing, until a result is changed by hand: then each line that the command prints stands there."""
    start_cup(site)
    play_cup(site)
    settle(site)
    teacher = sign_in(site, "teacher")
    assert f'href="{PAGE}"' in site.client.get("/manage/cup", headers=teacher).text
    assert "Nothing differs" in site.client.get(PAGE, headers=teacher).text
    assert site.client.get(PAGE, headers=sign_in(site, "elsewhere")).status_code == 403
    with site.world.database.transaction() as session:
        result = session.scalars(select(Result).order_by(Result.match_id)).first()
        assert result is not None
        result.first_half_points, result.second_half_points = (
            result.second_half_points,
            result.first_half_points,
        )
    told = site.get("/tournaments/cup/verification", "staff").json()["differences"]
    assert told
    page = unescape(site.client.get(PAGE, headers=teacher).text)
    assert [line for line in told if f"<li>{line}</li>" not in page] == []
    assert "Nothing differs" not in page
    chinese = site.client.get(PAGE, headers=teacher | {"Accept-Language": "zh-TW"}).text
    assert f"有 {len(told)} 項總計與結果的加總不符" in chinese
