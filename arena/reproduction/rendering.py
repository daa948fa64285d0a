"""A report as one page of HTML that needs no other file."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from arena.documents.inventory import ClaimKind, Standing
from arena.documents.texts import Words
from arena.reproduction.findings import LEVEL, Exhibit, Method, Report, Verdict

VERDICTS = {
    Verdict.EXACT: Words("完全一致", "agrees exactly"),
    Verdict.WITHIN: Words("誤差內一致", "agrees within error"),
    Verdict.DIFFERS: Words("不同", "differs"),
    Verdict.SLIP: Words("自相矛盾", "contradicts itself"),
}

METHODS = {
    Method.EXACT: Words("精確計算", "exact count"),
    Method.ARITHMETIC: Words("由文件數字計算", "from the document's own figures"),
    Method.BINOMIAL: Words("精確二項檢定", "exact binomial test"),
    Method.CHI_SQUARE: Words("卡方檢定", "chi-square test"),
    Method.PREDICTION: Words("多組棋譜的預測（t 檢定）", "prediction from record sets (t)"),
}

STANDINGS = {
    Standing.REPRODUCED: Words("重現", "reproduced"),
    Standing.CONTRADICTED: Words("不符", "contradicted"),
    Standing.WORKS: Words("可用", "works as"),
    Standing.UNKNOWN: Words("無從得知", "cannot be known"),
}

KINDS = {
    ClaimKind.TABLE: Words("表", "table"),
    ClaimKind.FIGURE: Words("圖", "figure"),
    ClaimKind.BOARD: Words("盤面", "board"),
    ClaimKind.NUMBER: Words("數字", "number"),
    ClaimKind.CLAIM: Words("說法", "claim"),
    ClaimKind.OPTION: Words("功能", "option"),
}

WORDS = {
    "about": Words(
        "每一份文件印出的數字與我們算出的數字並列。能精確計算的就精確比較；由對局估計的，用註明的檢定比"
        f"較，同一份文件的所有檢定以 Holm 法一起校正，校正後 p 值小於 {LEVEL:g} 判為「不同」。文件由自己的"
        "數字算出而算錯的，判為「自相矛盾」。",
        "Every figure that a document prints stands beside ours. What can be computed exactly is compared"
        " exactly; what was estimated by playing is compared by the test named, the p-values of all tests"
        f" of a document adjusted together by Holm's method, and differs if that is below {LEVEL:g}. A"
        " figure that does not follow from the document's own others contradicts itself.",
    ),
    "comments": Words("說明與差異", "Comments and differences"),
    "claims": Words("文件的每一項說法", "Everything that the document says"),
    "about_claims": Words(
        "文件中的每一個圖、盤面、數字、說法與程式功能各一列：重現、不符（並說明實情）、可用（附競技場的網頁或指令），或無從得知（附"
        "原因）。",
        "A row for every figure, board, number, claim and program option of the document: reproduced,"
        " contradicted (with what is true), works as (with a page or a command), or cannot be known (with the"
        " reason).",
    ),
    "figures": Words("圖", "Figures"),
    "legend": Words(
        "實心點與線是我們的數字，淡色帶是兩者相同時文件的點有 95 % 會落入的範圍，空心點是文件的數字。",
        "Filled marks and lines are ours; open marks are the document's. If both describe the same, 95 of"
        " 100 of the document's marks lie in the pale band.",
    ),
}


def page(report: Report) -> str:
    """The whole page."""
    environment = Environment(
        loader=PackageLoader("arena.reproduction"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "chance": _chance,
        "range": _range,
        "marks": _marks,
        "confirmed": _confirmed,
        "inline": _inline,
    }
    style, _, _ = environment.loader.get_source(environment, "report.css")  # type: ignore[union-attr]
    template = environment.get_template("report.html")
    return template.render(
        report=report,
        css=style,
        verdicts=VERDICTS,
        methods=METHODS,
        standings=STANDINGS,
        kinds=KINDS,
        words=WORDS,
    )


def _inline(text: str) -> Markup:
    """Text in which what stands between backticks is code."""
    parts = text.split("`")
    shown = (
        Markup("<code>{}</code>").format(each) if at % 2 else escape(each) for at, each in enumerate(parts)
    )
    return Markup().join(shown)


def _chance(p: float | None) -> str:
    """A p-value in two or three figures."""
    if p is None:
        return ""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def _range(limits: tuple[float, float] | None) -> str:
    """Two limits, with as many places as tell them apart well."""
    if limits is None:
        return ""
    low, high = limits
    places = 4 if high >= 0.01 and high - low >= 0.0005 else 5
    return f"{low:.{places}f}–{high:.{places}f}"


def _marks(exhibit: Exhibit) -> dict[tuple[int, int], str]:
    """The cells of the document's table that are not confirmed, each with its verdict as a CSS class."""
    return {
        each.cell: each.verdict.name.lower()
        for each in exhibit.comparisons
        if each.cell is not None and each.verdict in {Verdict.DIFFERS, Verdict.SLIP}
    }


def _confirmed(exhibit: Exhibit) -> bool:
    """Whether a table stands there whose every figure agrees exactly, so that the list adds nothing to it."""
    return exhibit.document is not None and all(each.verdict is Verdict.EXACT for each in exhibit.comparisons)
