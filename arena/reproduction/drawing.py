"""Charts as SVG: our numbers as lines with their intervals, a document's as open marks.

The same numbers always give the same bytes: identifiers are salted with the chart's own key, and nothing
about time or program goes into the file. Text stays text.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure

COLOURS = ("#0b6e99", "#c2410c", "#4d7c0f", "#7c3aed")
"""Told apart by readers with the common colour weaknesses, and in print by the marks below."""

MARKS = ("o", "s", "^", "D")
SIZE = (6.4, 4.3)
FONT = (
    '<style>text { font-family: "Noto Sans TC", "Noto Sans CJK TC", "PingFang TC", "Microsoft JhengHei",'
    " system-ui, sans-serif; }</style>"
)
"""As the page has it, for a drawing that stands alone."""


class Point(NamedTuple):
    """A value at `x`; `low` to `high` is its interval, if it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


class Curve(NamedTuple):
    """One quantity: ours, and the document's points for the same."""

    name: str
    ours: Sequence[Point]
    document: Sequence[Point]


class Chart(NamedTuple):
    """What is drawn; `log` names the axes that are logarithmic, `level` is a reference line and its name."""

    key: str
    x_label: str
    y_label: str
    lines: Sequence[Curve]
    log: str = ""
    level: tuple[float, str] | None = None


def draw(chart: Chart) -> str:
    """The chart as one SVG element."""
    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the user's own settings are
        mpl.rcParams.update({"svg.hashsalt": chart.key, "svg.fonttype": "none", "font.family": "sans-serif"})
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        for line, colour, mark in zip(chart.lines, COLOURS, MARKS, strict=False):
            _add(axes, line, colour, mark)
        _finish(axes, chart)
        written = io.StringIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # text stays text: the reader's font has it
            figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _embedded(written.getvalue(), chart.key)


def alone(svg: str) -> str:
    """An SVG element as a file of its own, in its natural size."""
    box = re.search(r'viewBox="[^" ]+ [^" ]+ ([^" ]+) ([^" ]+)"', svg)
    assert box is not None  # noqa: S101  (each of our drawings has one)
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    opened = svg.replace("<svg ", f'<svg {spaces} width="{box[1]}" height="{box[2]}" ', 1)
    return opened.replace(">", f">{FONT}", 1) + "\n"


def _add(axes: Any, line: Curve, colour: str, mark: str) -> None:
    banded = [point for point in line.ours if point.low is not None]
    axes.fill_between(
        [point.x for point in banded],
        [point.low for point in banded],
        [point.high for point in banded],
        color=colour,
        alpha=0.18,
        linewidth=0,
    )
    axes.plot(
        [point.x for point in line.ours],
        [point.y for point in line.ours],
        color=colour,
        marker=mark,
        markersize=4,
        label=f"{line.name}: 這裡 here",
    )
    axes.plot(
        [point.x for point in line.document],
        [point.y for point in line.document],
        color=colour,
        marker=mark,
        markersize=8,
        markerfacecolor="none",
        linestyle="none",
        label=f"{line.name}: 文件 document",
    )


def _finish(axes: Any, chart: Chart) -> None:
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    if "x" in chart.log:
        axes.set_xscale("log")
    else:
        axes.set_xticks(sorted({point.x for line in chart.lines for point in line.ours}))
    if "y" in chart.log:
        axes.set_yscale("log")
    if chart.level is not None:
        axes.axhline(chart.level[0], color="#6b7280", linewidth=1, linestyle=":", label=chart.level[1])
    axes.grid(visible=True, alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.figure.legend(loc="outside upper center", ncols=2, fontsize="small", frameon=False, columnspacing=5)


def _embedded(document: str, key: str) -> str:
    """The element without the file's head, its identifiers told from those of other charts on the page."""
    element = document[document.index("<svg") :].strip()
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{key}-", element)
    return re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" role="img">', element, count=1)
