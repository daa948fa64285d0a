"""The report's files: one page without references, JSON with all figures, and every table as CSV."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser

from arena.documents import circle_nim as document
from arena.documents.inventory import Claim, ClaimKind, Standing
from arena.documents.texts import Words
from arena.reproduction.drawing import Chart, Curve, Point, draw
from arena.reproduction.files import COLUMNS, files
from arena.reproduction.findings import (
    Comment,
    Comparison,
    Exhibit,
    Figure,
    Grid,
    Method,
    Report,
    Row,
    Section,
    counted,
    judged,
)

WORDS = Words("標題", "a title <with> marks")


def report() -> Report:
    """A small report with one of everything."""
    compared = (
        counted("t/1", Words("甲", "first"), 12, 13, (0, 1)),
        Comparison(
            "t/2", WORDS, "0.5", "0.51", Method.BINOMIAL, p=0.04, expected=(0.4, 0.6), interval=(0.50, 0.52)
        ),
    )
    grid = Grid(("", "個數"), (("甲", "12"),))
    line = Curve("one", [Point(1, 0.5), Point(2, 0.6)], [Point(1, 0.4)])
    figure = Figure("figure-5", WORDS, draw(Chart("figure-5", "x", "y", [line])))
    exhibits = judged([Exhibit("table-1", WORDS, compared, grid, grid, WORDS)])
    comments = (Comment(("t/1",), Words("說明", "a comment")),)
    claim = Claim("first", ClaimKind.CLAIM, "摘要 abstract", Words("說法 `s <= t`", "a claim"))
    row = Row(
        "first", Standing.WORKS, Words("此處", "here it `is`"), "/play/nim", "arena game list", ("t/1",)
    )
    section = Section("circle_nim", WORDS, WORDS, exhibits, (figure,), comments, ((claim, row),))
    return Report((section,), 5, {"record_sets": 2}, "0.0")


class Tags(HTMLParser):
    """Notes what a page refers to and which identifiers it has, and that its elements close in order."""

    VOID = ("meta", "br", "link", "img", "use", "path")

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.identifiers: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        found = dict(attrs)
        self.links += [str(found[name]) for name in ("href", "src", "xlink:href") if name in found]
        if "id" in found:
            self.identifiers.append(str(found["id"]))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it, with nothing to close."""
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """It closes the innermost element."""
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_needs_no_other_file_and_its_links_lead_somewhere() -> None:
    """Every link is one inside the page to an identifier that is there once, and elements close in order."""
    tags = Tags()
    tags.feed(dict(files(report()))["report.html"].decode())
    assert tags.open == []
    assert tags.links
    assert all(link.startswith("#") and link[1:] in tags.identifiers for link in tags.links)
    assert len(set(tags.identifiers)) == len(tags.identifiers)


def test_the_page_shows_figures_verdicts_and_both_languages() -> None:
    """What is compared stands there with its verdict in Chinese and English, special characters escaped."""
    page = dict(files(report()))["report.html"].decode()
    for words in (
        "標題",
        "a title &lt;with&gt; marks",
        "誤差內一致",
        "differs",
        "0.4000\N{EN DASH}0.6000",
        "a comment",
    ):
        assert words in page
    assert "<with>" not in page
    assert '<td class="differs">12</td>' in page


def test_code_is_marked_up_and_no_backtick_is_left() -> None:
    """What stands between backticks is code on the page, its special characters escaped."""
    page = dict(files(report()))["report.html"].decode()
    assert "`" not in page
    assert "說法 <code>s &lt;= t</code>" in page
    assert "here it <code>is</code>" in page


def test_claims_stand_on_the_page_and_in_the_json() -> None:
    """A claim with its place, what became of it and by which command, counted in the summary."""
    found = dict(files(report()))
    page = found["report.html"].decode()
    assert '<code class="command">arena game list</code>' in page
    assert "works as" in page
    told = json.loads(found["report.json"])["documents"][0]
    assert told["standings"]["works as"] == 1
    assert told["claims"][0]["command"] == "arena game list"
    assert told["claims"][0]["standing"] == "works as"


def test_json_and_csv_hold_the_same_comparisons() -> None:
    """Key, verdict and adjusted p-value are the same in both, and tables stand in files of their own."""
    found = dict(files(report()))
    told = json.loads(found["report.json"])
    compared = told["documents"][0]["exhibits"][0]["comparisons"]
    rows = list(csv.DictReader(io.StringIO(found["tables/circle_nim/table-1.csv"].decode())))
    assert [row["key"] for row in rows] == [each["key"] for each in compared] == ["t/1", "t/2"]
    assert [row["verdict"] for row in rows] == [each["verdict"] for each in compared]
    assert float(rows[1]["p_holm"]) == compared[1]["adjusted"] == 0.04
    assert tuple(rows[0]) == COLUMNS
    grid = list(csv.reader(io.StringIO(found["tables/circle_nim/table-1-document.csv"].decode())))
    assert grid == [["", "個數"], ["甲", "12"]]


def test_the_same_report_gives_the_same_files() -> None:
    """Nothing in the files depends on when they were written."""
    assert list(files(report())) == list(files(report()))
    assert document.TITLE not in dict(files(report()))["report.html"].decode()
