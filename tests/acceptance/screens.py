"""Screens that a page is looked at on: how wide, how high, light or dark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple

from playwright.sync_api import Page, ViewportSize

_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"


class Screen(NamedTuple):
    """Pixels of CSS, and what the system is set to."""

    width: int
    height: int
    scheme: Literal["light", "dark"]


PHONE: Final = Screen(390, 800, "dark")
LAPTOP: Final = Screen(1366, 768, "light")


def other_than(page: Page) -> Screen:
    """A laptop's for a page on a narrow screen, a phone's for one on a wide one."""
    return PHONE if page.evaluate("innerWidth") > (PHONE.width + LAPTOP.width) / 2 else LAPTOP


@contextmanager
def shown_on(page: Page, screen: Screen) -> Iterator[None]:
    """Show a page on another screen, and afterwards as before, at the same place."""
    size, dark, place = page.viewport_size, page.evaluate(_DARK), page.evaluate("[scrollX, scrollY]")
    page.set_viewport_size(ViewportSize(width=screen.width, height=screen.height))
    page.emulate_media(color_scheme=screen.scheme)
    try:
        yield
    finally:
        if size is not None:
            page.set_viewport_size(size)
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.evaluate("place => scrollTo(...place)", place)
