"""Where the links of a page lead on the site, and how Chinese is cut into words."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.site.markdown import plain, table
from deploy.site.search import Words
from deploy.site.sources import linked


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Some pages: one of the top, a decision, an index of them and one below."""
    for name in ("cli.md", "CHANGELOG.md", "decisions/0007-why.md", "decisions/index.md", "tutorials/a.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("see `docs/cli.md`", "see [`docs/cli.md`](../cli.md)"),
        ("see `docs/none.md`", "see `docs/none.md`"),
        ("by decision 7, not decision 8", "by [decision 7](../decisions/0007-why.md), not decision 8"),
        ("[decision 7](x.md)", "[decision 7](x.md)"),
        ("[all](../decisions)", "[all](../decisions/index.md)"),
        ("[new](../../CHANGELOG.md#a)", "[new](../CHANGELOG.md#a)"),
        ("[out](https://example.org)", "[out](https://example.org)"),
        ("    arena # decision 7", "    arena # decision 7"),
        ("```\ndecision 7\n```", "```\ndecision 7\n```"),
    ],
)
def test_links_lead_to_pages_of_the_site(folder: Path, text: str, meant: str) -> None:
    """Paths and decisions that are named are links where there is such a page, and code stays as it is."""
    decisions = {7: folder / "decisions/0007-why.md"}
    assert linked(text, folder / "tutorials/a.md", folder, decisions) == f"{meant}\n"


def test_chinese_is_cut_into_pairs_of_characters() -> None:
    """So that a word is found within a sentence; a character alone, English and numbers stay whole."""
    words = Words({}).split("建立賽事 spring，共20局，局 round_robin")
    assert words == ["建立", "立賽", "賽事", "spring", "共", "20", "局", "局", "round_robin"]


def test_texts_of_the_program_mean_the_same_as_markdown() -> None:
    """What Markdown has a meaning for is escaped, but in code, where bars of a table are."""
    assert plain("a*b  <c>\n`d|e*`") == r"a\*b \<c\> `d\|e*`"
    assert table(("A", "B"), iter([("1", "2")])).splitlines() == ["| A | B |", "|---|---|", "| 1 | 2 |"]
    assert table(("A",), iter([])) == ""
