"""A browser at an arena's pages: what it asks for, what it complains of, and what axe finds on them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ConsoleMessage, Error, Page, Request, expect

from tests.acceptance.pictures import Pictures
from tests.acceptance.screens import other_than, shown_on

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")

NOT_YET = re.compile(r"^(202|503)\b")
"""The title of what stands for a page while it is worked out, or nobody has time; it asks again by itself."""
CAME_ANEW = re.compile("context was destroyed|axe is not defined")
"""What is said of a page that has read itself again since it was begun to be looked at."""
WAIT_MS = 120_000
expect.set_options(timeout=WAIT_MS)

RULES: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],  # all of these, and of what is in order an example: it is told much sooner
}
VIOLATIONS = """rules => axe.run(rules).then(({violations}) => violations.flatMap(
    ({id, nodes}) => nodes.map(({html, failureSummary}) => `${id}: ${html} ${failureSummary}`)))"""
"""What axe finds, in words. All else that it tells of a page would be ten times as much."""


class Reader:
    """Reads pages of one arena. `foreign` are requests to elsewhere, `complaints` what the console says."""

    pictures: ClassVar[Pictures | None] = None
    """Where what is checked is kept as pictures, if that is wanted."""
    one_screen: ClassVar[bool] = False
    """Whether each page is looked at only as it is shown, and not also on another screen."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.foreign: list[str] = []
        self.complaints: list[str] = []
        self._url = url
        page.emulate_media(reduced_motion="reduce")  # so that no colour is judged half-way to another
        page.on("request", self._asked)
        page.on("console", self._told)

    def open(self, path: str) -> None:
        """Read the page at a path, and check it."""
        self.visit(path)
        self._await_page()
        self.check()

    def visit(self, path: str) -> None:
        """Read the page at a path; one that reads itself again just then is left after that."""
        address = path if path.startswith("http") else self._url + path
        try:
            self.page.goto(address)
        except Error as error:
            if "interrupted by another navigation" not in error.message:
                raise
            self.page.wait_for_load_state()
            self.page.goto(address)

    def press(self, link: str) -> None:
        """Follow the link or press the button that a selector finds, and check the next page."""
        with self.page.expect_navigation():
            self.page.click(link)
        self._await_page()
        self.check()

    def send(self, form: str, **fields: str) -> None:
        """Fill in the form that a selector finds, send it, and check the next page."""
        for name, value in fields.items():
            self.page.fill(f'{form} [name="{name}"]', value)
        self.press(f"{form} button")

    def check(self) -> None:
        """Fail where axe finds something, or the page is wider than the window.

        That is looked for on another screen too, but for `one_screen`. A page that reads itself again
        meanwhile is checked anew.
        """
        faults = self._undisturbed(self._faults if self.one_screen else self._faults_on_both)
        assert faults == [], faults
        if self.pictures is not None:
            self.pictures.take(self.page)

    def faults(self) -> list[str]:
        """What there is to complain of on this screen; a page that reads itself again is looked at anew."""
        return self._undisturbed(self._faults)

    def _undisturbed(self, look: Callable[[], list[str]]) -> list[str]:
        """What is found, by one look at a page that has its style and does not come anew meanwhile."""
        while True:
            self.page.wait_for_load_state()
            try:
                return look()
            except Error as error:
                if not CAME_ANEW.search(error.message):
                    raise

    def _faults_on_both(self) -> list[str]:
        """What there is to complain of on this screen and another."""
        told = self._faults()
        with shown_on(self.page, other_than(self.page)):
            told += self._faults()
        return told

    def _faults(self) -> list[str]:
        """What axe finds on this screen, and whether the page is wider than it, each with the address."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        told = [f"{self.page.url}: {each}" for each in self.page.evaluate(VIOLATIONS, RULES)]
        if not self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            told.append(f"{self.page.url}: wider than {self.page.evaluate('innerWidth')} px")
        return told

    def _await_page(self) -> None:
        """Wait for what was asked for, where something stands for it."""
        expect(self.page).not_to_have_title(NOT_YET, timeout=WAIT_MS)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._url + "/", "data:")):
            self.foreign.append(request.url)

    def _told(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and "status of 4" not in message.text:
            self.complaints.append(message.text)
