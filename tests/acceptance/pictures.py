"""Pictures of every page and state that a browser's journey checks: at three widths, light and dark."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import FloatRect, Page

from tests.acceptance.screens import Screen, shown_on

SIZES = ((390, 844), (1366, 768), (1920, 1080))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HIGHEST = 2400


class Pictures:
    """Takes them into a folder, numbered in the order of the journey that `name` is of."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder / re.sub(r"\W+", "-", name).strip("-")
        self._numbers = itertools.count(1)

    def take(self, page: Page) -> None:
        """Take six of a page as it is now, and leave it as it was."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = re.sub(r"\W+", "-", urlsplit(page.url).path).strip("-") or "home"
        name = f"{next(self._numbers):03}-{path[:60]}"
        for (width, height), scheme in itertools.product(SIZES, SCHEMES):
            with shown_on(page, Screen(width, height, scheme)):
                whole = min(HIGHEST, page.evaluate("document.documentElement.scrollHeight"))
                clip = FloatRect(x=0, y=0, width=width, height=max(whole, height))
                picture = page.screenshot(full_page=True, clip=clip)
            (self._folder / f"{name}-{width}-{scheme}.png").write_bytes(picture)
