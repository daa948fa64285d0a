"""How tests have people play on the pages, as a browser without scripts sends their forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site


def sent(site: Site, path: str, user: str | None = None, **fields: Any) -> Any:
    """The page that answers a form."""
    headers = sign_in(site, user)
    return site.client.post(path, headers=headers, data=fields, follow_redirects=True)


def begun(
    site: Site,
    game: str = "heap_nim",
    user: str | None = None,
    params: Mapping[str, str] = {"heaps": "1, 1, 1"},
    **fields: Any,
) -> Any:
    """The page of a game that was begun by its form, or the form with what was refused."""
    told = {"opponent": "@random", "side": "you", **fields}
    return sent(
        site, f"/play/{game}", user, **told, **{f"param-{name}": each for name, each in params.items()}
    )


def legal_on(page: str) -> list[str]:
    """The moves that have a button."""
    return re.findall(r'name="move" id="move-\d+" value="([^"]+)"', page)
