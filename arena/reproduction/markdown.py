"""A report as Markdown: what became of each claim, with the page or the command that does it now."""

from __future__ import annotations

from collections.abc import Iterator

from arena.documents.texts import Words
from arena.reproduction.findings import Report, Section, Verdict
from arena.reproduction.rendering import KINDS, STANDINGS, VERDICTS, WORDS

TITLE = Words("文件數字的重現", "The documents' numbers, reproduced")
COLUMNS = (
    *("出處 where", "種類 kind", "文件說 says", "結果 result", "網頁、指令 page, command"),
    "這裡 here",
)


def text(report: Report) -> str:
    """All of it, Traditional Chinese and English side by side."""
    lines = [f"# {_both(TITLE)}", "", WORDS["about"].zh, "", WORDS["about"].en, ""]
    for section in report.sections:
        lines += _section(section)
    return "\n".join(lines)


def _section(section: Section) -> Iterator[str]:
    yield from (f"## {_both(section.title)}", "", section.source.zh, "", section.source.en, "")
    for verdict, count in section.verdicts().items():
        yield f"- {_both(VERDICTS[verdict])}: {count}"
    yield ""
    wrong = [each for each in section.comparisons() if each.verdict in {Verdict.DIFFERS, Verdict.SLIP}]
    if wrong:
        yield from _table(("項目 item", "文件 document", "我們 ours", "判定 verdict"))
        for each in wrong:
            yield _row(_both(each.what), each.document, each.ours, _both(VERDICTS[each.verdict]))
        yield ""
    if section.comments:
        yield from (f"### {_both(WORDS['comments'])}", "")
        yield from (f"- {comment.words.zh} {comment.words.en}" for comment in section.comments)
        yield ""
    yield from (f"### {_both(WORDS['claims'])}", "")
    yield from _table(COLUMNS)
    for claim, row in section.claims:
        does = " ".join(f"`{each}`" for each in (row.page, row.command) if each)
        kind, standing = _both(KINDS[claim.kind]), _both(STANDINGS[row.standing])
        yield _row(claim.where, kind, _both(claim.says), standing, does, _both(row.found))
    yield ""


def _table(columns: tuple[str, ...]) -> Iterator[str]:
    yield _row(*columns)
    yield _row(*("---" for _ in columns))


def _row(*cells: str) -> str:
    told = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(told)} |"


def _both(words: Words) -> str:
    return f"{words.zh} {words.en}"
