"""What a first look at a page takes over the network."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest

from tests.integration.arena.site import Site, play_cup, start_cup

MAX_BYTES = 100_000
LOADED = re.compile(r'(?:<link rel="(?:icon|stylesheet)" href|<script src|<use href)="([^"#]+)')
IMPORTED = re.compile(r"""(?:\bfrom|\bimport\(?)\s*["'`]([^"'`$]+)["'`]""")


@pytest.mark.parametrize(
    "path",
    ["/", "/tournaments/cup", "/tournaments/cup/present", "/tournaments/cup/matches/1", "/play/heap_nim"],
)
def test_a_first_look_is_light(site: Site, path: str) -> None:
    """A page with all styles and scripts that it loads, each of them by gzip, is below 100 kB."""
    start_cup(site)
    play_cup(site)
    sizes: dict[str, int] = {}
    waiting = [path]
    while waiting:
        url = waiting.pop()
        answer = site.client.get(url, headers={"Accept-Encoding": "gzip", "Accept-Language": "zh-TW"})
        assert answer.status_code == 200, url
        sizes[url] = int(answer.headers["content-length"])
        pattern = IMPORTED if url.endswith(".js") else LOADED
        found = pattern.findall(answer.text) if not url.endswith((".css", ".svg")) else []
        waiting += [each for each in {urljoin(url, each) for each in found} if each not in sizes]
    assert {"/static/site.css", "/static/site.js", "/static/i18n.js"} <= sizes.keys()
    assert sum(sizes.values()) < MAX_BYTES, sizes
