"""A report as files: the page, Markdown, every table as CSV, every figure, and all of it as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from arena.reproduction.drawing import alone
from arena.reproduction.findings import Comparison, Report, Section
from arena.reproduction.markdown import text
from arena.reproduction.rendering import page

COLUMNS = (
    *("key", "item", "item_zh", "document", "ours", "interval_low", "interval_high", "expected_low"),
    *("expected_high", "p", "p_holm", "method", "verdict"),
)


def files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Each file's name, a path below the report's folder with `/`, and what is in it."""
    yield "report.html", page(report).encode()
    yield "report.md", text(report).encode()
    yield "report.json", (json.dumps(as_json(report), ensure_ascii=False, indent=1) + "\n").encode()
    for section in report.sections:
        yield from _tables(section)
        for figure in section.figures:
            yield f"figures/{section.name}/{figure.key}.svg", alone(figure.svg).encode()


def as_json(report: Report) -> dict[str, Any]:
    """Everything but the drawings, which have files of their own."""
    return {
        "version": report.version,
        "seed": report.seed,
        "effort": dict(report.effort),
        "documents": [_section(section) for section in report.sections],
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "name": section.name,
        "title": section.title._asdict(),
        "source": section.source._asdict(),
        "verdicts": {str(verdict): count for verdict, count in section.verdicts().items()},
        "exhibits": [
            {
                "key": exhibit.key,
                "title": exhibit.title._asdict(),
                "note": exhibit.note._asdict() if exhibit.note else None,
                "document": asdict(exhibit.document) if exhibit.document else None,
                "ours": asdict(exhibit.ours) if exhibit.ours else None,
                "comparisons": [_comparison(each) for each in exhibit.comparisons],
            }
            for exhibit in section.exhibits
        ],
        "standings": {str(standing): count for standing, count in section.standings().items()},
        "claims": [
            {
                "key": claim.key,
                "kind": claim.kind,
                "where": claim.where,
                "says": claim.says._asdict(),
                "standing": row.standing,
                "found": row.found._asdict(),
                "page": row.page or None,
                "command": row.command or None,
                "about": list(row.about),
            }
            for claim, row in section.claims
        ],
        "figures": [{"key": figure.key, "title": figure.title._asdict()} for figure in section.figures],
        "comments": [
            {"about": list(comment.about), **comment.words._asdict()} for comment in section.comments
        ],
    }


def _comparison(each: Comparison) -> dict[str, Any]:
    return asdict(each) | {
        "what": each.what._asdict(),
        "numbers": dict(each.numbers),
        "verdict": each.verdict,
    }


def _tables(section: Section) -> Iterator[tuple[str, bytes]]:
    for exhibit in section.exhibits:
        name = f"tables/{section.name}/{exhibit.key}"
        yield f"{name}.csv", _csv(COLUMNS, map(_row, exhibit.comparisons))
        for whose, grid in (("document", exhibit.document), ("ours", exhibit.ours)):
            if grid is not None:
                yield f"{name}-{whose}.csv", _csv(grid.columns, grid.rows)


def _row(each: Comparison) -> Sequence[object]:
    interval, expected = each.interval or ("", ""), each.expected or ("", "")
    chances = ("" if p is None else p for p in (each.p, each.adjusted))
    shown = (each.key, each.what.en, each.what.zh, each.document, each.ours)
    return (*shown, *interval, *expected, *chances, each.method, each.verdict)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    written = io.StringIO(newline="")
    table = csv.writer(written)
    table.writerow(columns)
    table.writerows(rows)
    return written.getvalue().encode()
