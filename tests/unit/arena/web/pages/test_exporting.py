"""Files that pages let readers take away, worked out where nobody else waits for them."""

from __future__ import annotations

import pytest
from fastapi import APIRouter
from starlette.requests import Request

from arena.web.http.costly_routes import CostlyRoute
from arena.web.pages import experiments, exports, solves, sweeps


@pytest.mark.parametrize(
    "router",
    [exports.managed, exports.public, experiments.exporting, solves.exporting, sweeps.exporting],
)
def test_every_file_counts_as_long(router: APIRouter) -> None:
    """So that those who take files leave calculators to those who ask for little."""
    request = Request({"type": "http", "method": "GET", "path": "/", "headers": []})
    assert router.routes
    for route in router.routes:
        assert isinstance(route, CostlyRoute)
        assert route.is_long(request)
