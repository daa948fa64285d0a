"""What a match's page tells of its clocks."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.world import issue_matches, play
from workers.core.contract import CpuContention


def test_extensions_left_and_time_not_charged(site: Site) -> None:
    """Where an extension was spent the page says how many are left, and where the host was busy, how long."""
    start_cup(site)
    with site.world.database.transaction() as session:
        message = issue_matches(session, site.world.settings)[0]
    result = play(message.spec)
    first, second, third, *rest = result.moves
    lost = CpuContention(waited_ns=3 * 10**8, lost_ns=3 * 10**8)
    moves = (
        replace(first, extension=True),
        replace(second, wall_ns=10**9, strain=lost),
        replace(third, extension=True, wall_ns=2 * 10**9),
        *rest,
    )
    assert (first.seat, second.seat, third.seat) == (0, 1, 0)
    site.world.record(message, result.model_copy(update={"moves": moves}))
    page = site.client.get("/tournaments/cup/matches/1", headers={"Accept-Language": "en"}).text
    assert re.findall(r"<mark>extension</mark> <span class=\"dim\">(\d+) left</span>", page) == ["2", "1"]
    assert page.count("host busy, 0.300 s not charged") == 1
    row = page[: page.index("host busy, 0.300 s")].rpartition("<tr")[2]
    assert re.findall(r'<td class="num">(\d\.\d+ s)', row) == ["1.000 s", "0.700 s"]
