"""A tournament that is made on the pages."""

from __future__ import annotations

from tests.integration.arena.roles import CLASS
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import send
from tests.integration.arena.world import GAME

TITLE = "春季決賽 <b>&\"'"
PLAN = {
    "title": TITLE,
    "name": "spring",
    "class_name": CLASS,
    "game": GAME,
    "shown_game": GAME,
    "param-size": "4",
    "param-reversed": "on",
    "format": "double_round_robin",
    "shown_format": "double_round_robin",
    "move": "1.5",
    "extensions": "0",
    "openings": "0",
    "open": "on",
}


def make(used: Site, teacher: str, **fields: str) -> str:
    """Make it, with other fields than the usual ones; the address of its page."""
    answer = send(used, "/manage/new", teacher, **PLAN | fields)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location
