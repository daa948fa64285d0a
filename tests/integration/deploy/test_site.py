"""The documentation becomes a site without a warning, which needs nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from arena.cli.app import GROUPS
from deploy.site import api
from tests.acceptance.browsing import needs_chromium
from tests.acceptance.conftest import browser, playwright
from tests.documents import ROOT
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.long

__all__ = ["browser", "playwright"]

FROM_ELSEWHERE = re.compile(r"<(?:script|img|iframe)[^>]* src=\"https?:|<link[^>]* href=\"https?:")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of it."""
    folder = tmp_path_factory.mktemp("documentation") / "site"
    command = [sys.executable, "-m", "deploy.site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_document_is_a_page_that_the_contents_name(site: Path) -> None:
    """Nothing is left out, each page loads only what is beside it, and says in which language it is."""
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    pages = {path.relative_to(site): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    assert sources <= set(pages)
    assert [page for page, text in pages.items() if FROM_ELSEWHERE.search(text)] == []
    chinese = {page for page, text in pages.items() if '<html class="no-js" lang="zh-Hant-TW"' in text}
    assert chinese == {page for page in pages if page.parts[0] == "zh-Hant-TW"} != set()


def test_commands_operations_and_names_of_python_are_there(site: Path) -> None:
    """Every group in both languages, every operation of the API, and the names that programs import."""
    for folder in ("commands", "zh-Hant-TW/commands"):
        names = {path.stem for path in (site / folder).glob("arena*.html")}
        assert names == {"arena", *(f"arena-{name}" for name in GROUPS)}
    told = "".join(path.read_text(encoding="utf-8") for path in (site / "api").glob("*.html"))
    operations = [
        f"{method.upper()} {path}" for path, each in api.description()["paths"].items() for method in each
    ]
    assert [operation for operation in operations if operation not in told] == []
    python = (site / "python.html").read_text(encoding="utf-8")
    for name in (
        "arena.research.simulate",
        "arena_bot.run",
        "engines.game.Game",
        "arena.environments.aec.env",
    ):
        assert f'id="{name}"' in python


@needs_chromium
@pytest.mark.parametrize(("asked", "found"), [("排行榜", "第一個機器人"), ("graded", "Grading")])
def test_a_reader_finds_pages_without_a_server(site: Path, browser: Browser, asked: str, found: str) -> None:
    """The search answers in a browser that has the site as files: Chinese, and English by its stems."""
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{(site / 'search.html').as_uri()}?q={asked}")
    page.wait_for_selector(f"#search-results li a:has-text('{found}')", timeout=PATIENCE_SECONDS * 1000)
    page.close()
    assert faults == []
