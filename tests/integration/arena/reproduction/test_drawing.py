"""Charts as SVG: well-formed, repeatable, and fit to stand together on one page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl

from arena.reproduction.drawing import Chart, Curve, Point, draw

LINES = [
    Curve("3 rows", [Point(100, 0.5, 0.4, 0.6), Point(1000, 0.6, 0.5, 0.7)], [Point(100, 0.45)]),
    Curve("4 rows", [Point(100, 0.3), Point(1000, 0.4)], [Point(1000, 0.41)]),
]


def chart(key: str) -> Chart:
    """A chart with two lines."""
    return Chart(key, "records", "rate", LINES, log="x", level=(0.5, "one half"))


def test_a_chart_is_one_element_that_names_its_lines() -> None:
    """It parses as XML and has the axes' and lines' names as text."""
    element = ET.fromstring(draw(chart("figure-8")).replace("<svg ", '<svg xmlns:xlink="x" ', 1))  # noqa: S314
    words = " ".join(text.strip() for text in element.itertext())
    for name in (
        "records",
        "rate",
        "3 rows: 這裡 here",
        "3 rows: 文件 document",
        "4 rows: 文件 document",
        "one half",
    ):
        assert name in words


def test_the_same_chart_gives_the_same_bytes_whatever_the_users_settings() -> None:
    """Drawn again, and with another font size set, not a byte is different."""
    once = draw(chart("figure-8"))
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9}):
        assert draw(chart("figure-8")) == once


def test_two_charts_on_a_page_share_no_identifier() -> None:
    """Every identifier, and every reference to one, begins with the chart's own key."""
    svg = draw(chart("figure-8"))
    names = re.findall(r'\bid="([^"]+)"|url\(#([^)]+)\)|href="#([^"]+)"', svg)
    assert names
    assert all("".join(name).startswith("figure-8-") for name in names)
