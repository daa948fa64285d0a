"""The L-Game document: every count beside the exact one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arena.documents import l_game as document
from arena.documents.inventory import DOCUMENTS
from arena.documents.texts import Words
from arena.reproduction import l_game_claims, l_game_figures
from arena.reproduction.claims import answered
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Comparison, Exhibit, Grid, Method, Section, counted
from arena.reproduction.l_game_comments import comments, many
from arena.reproduction.l_game_facts import TRIALS, Facts, facts
from arena.reproduction.l_game_rules import Rules, share
from arena.reproduction.record_sets import Where
from engines.games.l_game import LGame
from engines.solvers.l_game import analyse

HINTS = {
    "off the corner": Words("L 形棋子盡量不要放在棋盤的角落", "the L not in a corner"),
    "not symmetric": Words("棋子盡量不要放在對稱的位子", "no symmetric placement"),
    "disc touches": Words("圓形棋子要和自己的 L 形棋子接觸", "a disc touches one's own L"),
    "inside the other": Words(
        "把自己的 L 形棋子放在對方的直角部份內側", "one's own L inside the other's angle"
    ),
    "all four": Words("四項都遵守", "all four together"),
}
"""The document's four hints, and all of them, by the names that the analysis gives them."""


def steps(_effort: Effort) -> int:
    """How often `reproduce` reports progress."""
    return 2


def reproduce(_effort: Effort, _where: Where, advance: Callable[[], None]) -> Section:
    """The section of the report; `advance` is called `steps` times."""
    analysis = analyse(LGame())
    advance()
    known = facts()
    advance()
    return section(analysis, known)


def section(analysis: Mapping[str, Any], known: Facts) -> Section:
    """The section that this analysis makes, and what is known beyond it."""
    exhibits = (
        _positions(analysis),
        _histogram(analysis),
        _win_histogram(analysis),
        _rounds(analysis),
        _claims(analysis),
        _hints(analysis, known.rules),
        _learner(known),
    )
    compared = [each for exhibit in exhibits for each in exhibit.comparisons]
    return Section(
        "l_game",
        *DOCUMENTS["l_game"],
        exhibits,
        tuple(l_game_figures.figures(analysis, known)),
        tuple(comments(analysis)),
        answered("l_game", compared, l_game_claims.computed(analysis, known)),
    )


def _learner(known: Facts) -> Exhibit:
    """The learner of 1985, written as it is described, after more and more games of training."""
    rows = tuple(tuple(f"{number:,}" for number in each) for each in known.trained)
    columns = (
        "練習場數 games of training",
        "認得的 WinNode known",
        "勝 won",
        "和 drawn",
        "敗 lost",
    )
    return Exhibit(
        "learner",
        Words("民國 74 年的學習程式", "The learner of 1985"),
        (),
        ours=Grid(columns, rows),
        note=Words(
            f"玩家 learner 與只看一步的 person 練習後，再與它下 {TRIALS} 場（先後手各半）；WinNode 每方"
            f" {document.WIN_NODES_A_SIDE} 個。",
            f"The player learner trained with person, who sees one move ahead; then {TRIALS:,} games with it,"
            f" half of them in each seat. A side has {document.WIN_NODES_A_SIDE:,} WinNodes.",
        ),
    )


def _positions(analysis: Mapping[str, Any]) -> Exhibit:
    """Question 1 of the document: how many positions there are, and what they are."""
    title = Words("問題 1：盤面數", "Question 1: numbers of positions")
    return Exhibit("positions", title, tuple(_numbers_of_positions(analysis)))


def _numbers_of_positions(analysis: Mapping[str, Any]) -> Iterator[Comparison]:
    every, won, lost = (
        analysis["positions"],
        analysis["values"]["won_at_once"],
        analysis["values"]["lost_at_once"],
    )
    rows = (
        ("both", "盤面總數", "positions of both sides", document.POSITIONS, every["both_sides"]),
        ("side", "每一方的盤面", "positions a side", document.POSITIONS_A_SIDE, every["a_side"]),
        (
            *("symmetry", "扣除對稱的盤面", "positions a side up to symmetry"),
            *(document.POSITIONS_UP_TO_SYMMETRY, every["up_to_symmetry"]),
        ),
        ("win", "WinNode（每一方）", "WinNodes a side", document.WIN_NODES_A_SIDE, won["a_side"]),
        (
            *("win-symmetry", "WinNode（扣除對稱）", "WinNodes up to symmetry"),
            *(document.WIN_NODES_UP_TO_SYMMETRY, won["up_to_symmetry"]),
        ),
        ("lose", "LoseNode（每一方）", "LoseNodes a side", document.LOSE_NODES_A_SIDE, lost["a_side"]),
        ("lose-both", "輸的盤面（雙方）", "LoseNodes of both sides", document.LOSE_NODES, lost["both_sides"]),
        (
            *("lose-symmetry", "LoseNode（扣除對稱）", "LoseNodes up to symmetry"),
            *(document.LOSE_NODES_UP_TO_SYMMETRY, lost["up_to_symmetry"]),
        ),
    )
    for key, zh, en, expected, value in rows:
        yield counted(f"positions/{key}", Words(zh, en), expected, value)


def _histogram(analysis: Mapping[str, Any]) -> Exhibit:
    """All positions by the number of positions that may follow."""
    ours = [row["positions"] for row in analysis["moves"]["histogram"]]
    comparisons = [*_columns("children", document.HISTOGRAM, ours)]
    moves = analysis["moves"]
    comparisons += [
        counted("children/sum", Words("總計", "sum"), document.POSITIONS, sum(ours)),
        counted("children/mean", Words("平均", "mean"), document.MEAN_CHILDREN, f"{moves['mean']:.2f}"),
        counted(
            "children/fewest",
            Words("最少（不為 0 者）", "fewest, where there are any"),
            document.MIN_CHILDREN,
            moves["fewest"],
        ),
        counted("children/most", Words("最多", "most"), document.MAX_CHILDREN, moves["most"]),
    ]
    title = Words(
        "問題 2：Child Node 個數統計（雙方所有盤面）", "Question 2: positions by number of following ones"
    )
    return Exhibit("children", title, tuple(comparisons), _grid(document.HISTOGRAM), _grid(ours))


def _win_histogram(analysis: Mapping[str, Any]) -> Exhibit:
    ours = [row["won_at_once"] for row in analysis["moves"]["histogram"]]
    comparisons = [*_columns("win-children", document.WIN_NODE_HISTOGRAM, ours)]
    comparisons.append(counted("win-children/sum", Words("總計", "sum"), document.WIN_NODES, sum(ours)))
    title = Words(
        "問題 2：Child Node 個數統計（WinNode）", "Question 2: WinNodes by number of following positions"
    )
    return Exhibit("win-children", title, tuple(comparisons), _grid(document.WIN_NODE_HISTOGRAM), _grid(ours))


def _columns(key: str, theirs: tuple[int, ...], ours: list[int]) -> Iterator[Comparison]:
    for at, (number, printed, counted_here) in enumerate(zip(document.CHILDREN, theirs, ours, strict=True)):
        words = Words(f"{number} 個", f"{number} following")
        yield counted(f"{key}/{number}", words, printed, counted_here, (at, 1))


def _grid(counts: tuple[int, ...] | list[int]) -> Grid:
    rows = tuple(
        (f"{number} 個", str(count)) for number, count in zip(document.CHILDREN, counts, strict=True)
    )
    return Grid(("Child Node", "個數"), rows)


def _rounds(analysis: Mapping[str, Any]) -> Exhibit:
    """Question 6: the special positions, all of whose moves lose, round by round."""
    later = [row for row in analysis["rounds"] if row["round"] > 0]
    comparisons = [
        counted(
            f"rounds/{number}",
            Words(f"第 {number} 輪新增（雙方）", f"round {number}, new ones of both sides"),
            printed,
            row["lost_both_sides"],
        )
        for number, (printed, row) in enumerate(zip(document.ROUNDS, later, strict=False), start=1)
    ]
    comparisons += [
        counted("rounds/number", Words("輪數", "number of rounds"), len(document.ROUNDS), len(later)),
        counted(
            "rounds/side",
            Words("特殊盤面（每一方）", "special positions a side"),
            document.SPECIAL_A_SIDE,
            sum(row["lost"] for row in later),
        ),
        counted(
            "rounds/symmetry",
            Words("特殊盤面（扣除對稱）", "special positions up to symmetry"),
            document.SPECIAL_UP_TO_SYMMETRY,
            sum(row["lost_up_to_symmetry"] for row in later),
        ),
        counted(
            "rounds/win",
            Words("最後的 WinNode（每一方）", "WinNodes a side in the end"),
            document.LAST_WIN_NODES_A_SIDE,
            analysis["values"]["won"]["a_side"],
        ),
    ]
    title = Words("問題 6：遲早會輸的特殊盤面", "Question 6: special positions, lost sooner or later")
    return Exhibit("rounds", title, tuple(comparisons))


def _claims(analysis: Mapping[str, Any]) -> Exhibit:
    """What the document says of the start, of the corners, and of positions with many moves."""
    sure, likely = (
        many(analysis, least) for least in (document.SURE_WIN_CHILDREN, document.LIKELY_WIN_CHILDREN)
    )
    corner = next(each for each in analysis["corners"] if each["which"] == "no move")
    no = {False: "沒有 none", True: "有 one"}
    comparisons = (
        counted(
            "claims/start",
            Words("起始盤面的下一步", "first moves"),
            document.FIRST_MOVES,
            analysis["start"]["moves"],
        ),
        counted(
            "claims/forced-win",
            Words("起始盤面的必勝法", "a forced win from the start"),
            no[document.FORCED_WIN_FROM_START],
            no[analysis["start"]["forced_win"]],
        ),
        counted(
            "claims/corner",
            Words("15 種必輸盤面中 L 在角落者", "of the 15 lost positions, L in a corner"),
            document.LOSE_NODES_WITH_L_IN_CORNER,
            corner["angle_in_corner"],
        ),
        counted(
            "claims/195",
            Words("195 個以上必為 WinNode：例外", "195 or more following: not WinNodes"),
            0,
            sure["positions"] - sure["won_at_once"],
        ),
        Comparison(
            "claims/169",
            Words("169 個以上幾乎都是 WinNode", "169 or more following: nearly all WinNodes"),
            "幾乎都是 nearly all",
            f"{likely['won_at_once']} / {likely['positions']}",
            Method.EXACT,
            agrees=likely["won_at_once"] > 0.95 * likely["positions"],
        ),
    )
    return Exhibit("claims", Words("其他結論", "Other conclusions"), comparisons)


def _hints(analysis: Mapping[str, Any], rules: Rules) -> Exhibit:
    """Each strategic hint: does it lose less often for whoever has just followed it? And all four at once."""
    comparisons = []
    for each in analysis["hints"]:
        if each["hint"] in HINTS:
            kept, broken = (share(each, which, "lost") for which in ("followed", "not_followed"))
            comparisons.append(
                Comparison(
                    f"hints/{each['hint'].replace(' ', '-')}",
                    HINTS[each["hint"]],
                    "較不易輸 loses less",
                    f"{kept:.1%} / {broken:.1%}",
                    Method.EXACT,
                    agrees=kept < broken,
                    numbers={"lost if followed": kept, "lost if not": broken},
                )
            )
    comparisons.append(
        counted(
            "hints/go-on",
            Words(
                f"和局盤面中四項都遵守的 {rules.drawn.kept} 種下法：會輸的",
                f"of {rules.drawn.kept:,} moves from drawn positions that follow all four, those that lose",
            ),
            0,
            rules.drawn.lost,
        )
    )
    return Exhibit(
        "hints",
        Words("問題 3：四個策略", "Question 3: the four hints"),
        tuple(comparisons),
        note=Words(
            "「我們」一欄：剛下完的一方，遵守／不遵守該策略的盤面中，在雙方完美下法下會輸的比例（所有盤面"
            "一樣重）。最後一列算的是下法，一方的所有和局盤面都算在內。",
            "Ours: of the positions in which the side that has just moved followed the hint / did not,"
            " the share that it loses under perfect play, every position weighing the same. The last line"
            " counts moves, those of a side from all its drawn positions.",
        ),
    )
