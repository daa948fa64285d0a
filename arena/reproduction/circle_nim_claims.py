"""Every claim of the circle-Nim document with what became of it, and its first figures drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from arena.reproduction.agreement import estimate
from arena.reproduction.boards import sheet, triangle
from arena.reproduction.circle_nim_facts import OFTEN_RECORDS, OFTEN_ROWS, Facts
from arena.reproduction.claims import Answers
from arena.reproduction.documents import circle_nim as document
from arena.reproduction.findings import Comparison, Figure, Row, Words
from arena.reproduction.record_sets import Cell, Sets
from engines.games.circle_nim import FEWEST_ROWS, MAX_ROWS, lines

PLAY = "arena game play circle_nim --against algo3_vs_hum:10000"
SIMULATE = "arena simulate circle_nim --rows 5 --first {} --second random --games 3000"
REDRAWN = {
    5: [f"table-1/{games}/mean" for games in (100, 1_000, 10_000, 100_000)],
    6: [
        f"table-1/{games}/{what}"
        for games in (100, 1_000, 10_000, 100_000)
        for what in ("deviation", "spread")
    ],
    7: ["table-2/"],
    **{8 + at: [f"table-{number}/" for number in range(3 + 3 * at, 6 + 3 * at)] for at in range(3)},
    **{11 + at: [f"table-{number}/" for number in range(3 + at, 12, 3)] for at in range(3)},
}
"""The figures that are charts, with the comparisons of what they show."""

FULL_15 = (1 << 15) - 1


class Rates:
    """Our winning rates of the algorithms."""

    def __init__(self, sets: Mapping[Cell, Sets]) -> None:
        self._means = {cell: estimate(each.wins, each.games).mean for cell, each in sets.items()}

    def row(self, algorithm: int, rows: int) -> list[float]:
        """By the number of records, ascending."""
        return [self._means[Cell(rows, algorithm, records)] for records in document.RECORDS]

    def told(self, algorithm: int, rows: int) -> str:
        """The same as text."""
        return " / ".join(f"{rate:.3f}" for rate in self.row(algorithm, rows))


def rows(
    comparisons: Sequence[Comparison],
    exact: Mapping[int, float],
    sets: Mapping[Cell, Sets],
    facts: Facts,
    million: Sets | None,
) -> Iterator[Row]:
    """A row for every claim of the inventory."""
    answer, rates = Answers(comparisons), Rates(sets)
    yield from _game(answer, facts)
    yield from _algorithms(answer, facts)
    for number in range(1, 12):
        yield answer.compared(f"table-{number}", f"table-{number}/")
    for number, about in REDRAWN.items():
        row = answer.compared(f"figure-{number}", *about, zh="已重畫。", en="Redrawn.")
        yield replace(row, about=(f"figure-{number}",))
    yield from _random(answer, exact, facts.five)
    yield from _discussion(answer, exact, rates)
    yield from _programs(answer, facts, million)


def _game(answer: Answers, facts: Facts) -> Iterator[Row]:
    yield answer.works("rules", "arena game rules circle_nim", "規則相同。", "The same rules.")
    yield answer.true_if(
        "figure-1",
        all(
            not set(document.CHOICE_LISTS[each].split()) ^ set(lines(each).texts) for each in document.CHOICES
        ),
        "圖檔不在文件中；編號由附錄的選擇表得知，與我們相同，已畫出。",
        "The drawing is missing; the appendix's lists give the numbers, which are ours, drawn below.",
        "figure-1",
    )
    yield answer.unknown(
        "figure-2",
        "圖檔不在文件中；畫的是同類例子：中間的圈圈已消去，4-6 不是選擇。",
        "The drawing is missing. An example of the kind is drawn: with the circle between them gone, two"
        " circles are not neighbours.",
        "figure-2",
    )
    plies, alike = document.EXAMPLE_GAME_PLIES, facts.example
    yield answer.true_if(
        "figure-3",
        0 < alike.games == alike.lost,
        f"圖檔不在文件中，消去的圈圈不得而知；隨機對局中恰為 {plies} 步的 {alike.games} 場，"
        f"A 輸 {alike.lost} 場。",
        f"The drawing is missing, so which circles were taken is not known. Of {alike.games:,} random games"
        f" that took {plies} plies A lost {alike.lost:,}.",
    )
    yield answer.compared("choices", "choices/")
    yield answer.works(
        "layers-3-to-6",
        "arena solve circle_nim --size 7",
        f"這裡為 {FEWEST_ROWS} 到 {MAX_ROWS} 層。",
        f"Here {FEWEST_ROWS} to {MAX_ROWS} rows.",
    )
    checked, wrong = facts.odd
    yield answer.true_if(
        "figure-4",
        wrong == 0,
        f"3、4、5 層只剩單個圈圈的 {checked} 個盤面全部符合（例外 {wrong}）。",
        f"It holds in all {checked} positions of single circles with 3, 4 and 5 rows ({wrong} exceptions).",
        "figure-4",
    )


def _algorithms(answer: Answers, facts: Facts) -> Iterator[Row]:
    yield answer.works(
        "random", SIMULATE.format("random"), "隨機玩家。", "The player random.", "table-1/100000/mean"
    )
    for number in (1, 2, 3):
        yield answer.works(
            f"strategy-{number}",
            SIMULATE.format(f"algo{number}:10000"),
            f"玩家 algo{number}。",
            f"The player algo{number}.",
        )
    twice = facts.twice
    yield answer.true_if(
        "strategy-2-once",
        twice.more_than_once == 0,
        f"沒有單個圈圈可選時，程式改從所有選擇中抽，可能又與失敗棋譜相同：{OFTEN_ROWS} 層、{OFTEN_RECORDS} 個"
        f"棋譜的 {twice.games} 場中，{twice.used} 場用到策略 2，{twice.more_than_once} 場用到兩次以上"
        f"（例如 {twice.example}）。",
        "Where no single circle is left to choose, the code draws from all lines, and may do as a losing"
        f" record does. With {OFTEN_ROWS} rows and {OFTEN_RECORDS:,} records {twice.used} of {twice.games:,}"
        f" games used strategy 2, and {twice.more_than_once} more than once (such as {twice.example}).",
    )


def _random(answer: Answers, exact: Mapping[int, float], five: int) -> Iterator[Row]:
    listed = ", ".join(f"{rows}: {chance:.6f}" for rows, chance in exact.items())
    yield answer.true_if(
        "to-one-half",
        exact[5] == 0.5,
        f"趨近精確機率 {exact[5]:.6f}，不是 0.5。",
        f"It tends to the exact probability {exact[5]:.6f}, not to 0.5.",
        "table-1/100000/mean",
    )
    winner = {1: ("先手必勝", "the first player wins"), -1: ("後手必勝", "the second player wins")}
    perfect_zh, perfect_en = winner.get(five, ("是和", "it is drawn"))
    yield answer.true_if(
        "fair-five",
        exact[5] == 0.5 and five == 0,
        f"隨機下時與 0.5 相差 {abs(0.5 - exact[5]):.2%}；完美下法時{perfect_zh}。",
        f"Between random players the chance is {abs(0.5 - exact[5]):.2%} off a half; with perfect play"
        f" {perfect_en}.",
        "table-2/5/mean",
    )
    spreads = [math.sqrt(exact[5] * (1 - exact[5]) / column.games) for column in document.TABLE_1]
    yield answer.true_if(
        "smaller-spread",
        spreads == sorted(spreads, reverse=True),
        "標準差與場數的平方根成反比。",
        "It falls with the square root of the number of games.",
        "table-1/100/spread",
    )
    ratio = spreads[-2] / spreads[-1]
    yield answer.true_if(
        "same-spread",
        round(ratio) == 1,
        f"前者應是後者的 {ratio:.2f} 倍；印出的是 {document.TABLE_1[-2].deviation} 與"
        f" {document.TABLE_1[-1].deviation}。",
        f"The former should be {ratio:.2f} times the latter; printed are {document.TABLE_1[-2].deviation} and"
        f" {document.TABLE_1[-1].deviation}.",
        "table-1/10000/spread",
        "table-1/100000/spread",
    )
    yield answer.true_if(
        "fewer-rows",
        all(less <= more for less, more in pairwise(exact[each] for each in sorted(exact))),
        f"精確機率（層數: 機率）{listed}。",
        f"Exact probabilities (rows: probability) {listed}.",
        *(f"table-2/{each}/mean" for each in (3, 4, 5, 6)),
    )
    yield answer.unknown(
        "five-rows-usual",
        "關於人們的習慣，不能由計算得知。",
        "It is about people's habits; no computation can tell.",
    )


def _discussion(answer: Answers, exact: Mapping[int, float], rates: Rates) -> Iterator[Row]:
    yield answer.true_if(
        "aim",
        all(rates.row(number, each)[-1] > exact[each] for number in (1, 2, 3) for each in (3, 4, 5)),
        "與隨機下的精確機率相比，三種演算法在各層都提高勝率。",
        "Each algorithm with 100,000 records is above the exact rate of random play, with 3, 4 and 5 rows.",
    )
    rising = all(
        more >= less - 0.003
        for number in (1, 2)
        for each in (3, 4, 5)
        for less, more in pairwise(rates.row(number, each))
    )
    yield answer.true_if(
        "more-records",
        rising,
        "以多組棋譜平均，各層勝率都隨棋譜增加。",
        "Over many record sets every rate rises with them.",
    )
    five = rates.row(1, 5)
    yield answer.true_if(
        "dip-at-10000",
        five[2] <= five[1],
        f"以多組棋譜平均並不下降（5 層）：{rates.told(1, 5)}。",
        f"Over many record sets it does not fall (5 rows): {rates.told(1, 5)}.",
        "table-3/10000",
    )
    printed = _least_printed(3, 4, 5)
    above = all(rate > 0.5 for each in (3, 4, 5) for rate in rates.row(1, each)[2:])
    yield answer.true_if(
        "all-above-half",
        float(printed) > 0.5,
        f"文件自己的表 3 到 5 在 1000 筆以上最低是 {printed}。多組棋譜平均在 5 層 10000 筆是 {five[2]:.4f}"
        f"（{'各層皆超過' if above else '並非各層都超過'}）。",
        f"The least mean beyond 1,000 records in its own tables 3 to 5 is {printed}. Over many sets 10,000"
        f" have {five[2]:.4f} with 5 rows ({'all are above' if above else 'not all are above'}).",
        "table-3/10000",
    )
    printed = _least_printed(3, 6)
    yield answer.true_if(
        "five-above-half",
        float(printed) > 0.5,
        f"表 3 與表 6 在 1000 筆以上最低是 {printed}。多組棋譜平均（演算法一）{rates.told(1, 5)}、"
        f"（演算法二）{rates.told(2, 5)}。",
        f"The least mean beyond 1,000 records in its tables 3 and 6 is {printed}. Over many sets"
        f" {rates.told(1, 5)} (algorithm 1) and {rates.told(2, 5)} (algorithm 2).",
        "table-3/10000",
        "table-6/10000",
    )
    yield from _by_algorithm(answer, rates)


def _by_algorithm(answer: Answers, rates: Rates) -> Iterator[Row]:
    yield answer.compared("algo1-figures", "table-5/100", "table-4/10000", "table-3/100000")
    yield answer.compared("algo2-figures", "table-8/100", "table-8/1000", "table-6/100000")
    steps = [more - less for less, more in pairwise(rates.row(2, 4))]
    shown = ", ".join(f"{step:+.3f}" for step in steps)
    yield answer.true_if(
        "algo2-linear",
        all(0.03 < step < 0.08 for step in steps),
        f"多組棋譜平均的增加：{shown}。",
        f"The steps over many record sets: {shown}.",
        "table-7/100",
        "table-7/100000",
    )
    yield answer.compared("algo3-figures", "table-11/100", "table-10/1000", "table-9/10000")
    yield answer.compared("four-rows-near-seven", "table-4/100000", "table-7/100000", "table-10/100000")
    level = all(abs(rates.row(number, 3)[3] - rates.row(number, 3)[1]) < 0.03 for number in (1, 2, 3))
    yield answer.true_if(
        "three-rows-level",
        level,
        f"3 層：{rates.told(1, 3)}；{rates.told(2, 3)}；{rates.told(3, 3)}。",
        f"Three rows: {rates.told(1, 3)}; {rates.told(2, 3)}; {rates.told(3, 3)}.",
    )
    yield answer.compared("best-algorithm", "table-9/10000")


def _least_printed(*numbers: int) -> str:
    """The least mean that the tables with these numbers print for more than 1,000 records."""
    tables = (table for table in document.ALGORITHM_TABLES if table.number in numbers)
    return min((each.mean for table in tables for each in table.columns if each.records > 1000), key=float)


def _programs(answer: Answers, facts: Facts, million: Sets | None) -> Iterator[Row]:
    yield answer.works(
        "parallel",
        "arena reproduce --out DIR --on workers",
        "模擬可在所有核心與多台主機上並行，數字相同。",
        "Games are played on all cores, or on the arena's workers, with the same numbers.",
    )
    yield answer.works(
        "figure-14",
        PLAY,
        "圖檔不在文件中；在終端機對弈，網頁以後。",
        "The drawing is missing; play at the terminal, pages come later.",
    )
    yield answer.works("people-program", PLAY, "再執行一次即再玩一局。", "Run it again for another game.")
    people = facts.people
    yield answer.true_if(
        "people-player",
        False,
        "它每次都交出全部失敗棋譜（failChessList），所以策略 3 從不會用到，是另一個玩家（algo3_vs_hum）："
        f"5 層對隨機 {people.games} 場勝 {people.won / people.games:.3f}；其中"
        f" {people.broken_off / people.games:.0%} 的對局，"
        "原程式會因棋譜比對局短而以 IndexError 中斷。",
        "It hands over all losing records (failChessList) at every turn, so strategy 3 never comes up:"
        f" another player, algo3_vs_hum. With 5 rows against random it wins {people.won / people.games:.3f}"
        f" of {people.games:,} games; in {people.broken_off / people.games:.0%} of them the printed program"
        " would break off with an IndexError, where a record is shorter than the game.",
    )
    yield answer.works(
        "people-input",
        PLAY,
        "不合法的輸入會說明原因並再問一次。",
        "A move that is not allowed is explained and asked again.",
    )
    yield from _numbers_asked(answer, million)


def _numbers_asked(answer: Answers, million: Sets | None) -> Iterator[Row]:
    yield answer.works(
        "game-num",
        "arena simulate circle_nim --rows 5 --first random --second random --games 1 --record game.jsonl",
        "場數任意；一局可記錄後用 arena match show 顯示。",
        "Any number of games; one can be recorded and shown with arena match show.",
    )
    yield answer.works(
        "record-num",
        SIMULATE.format("algo3:100:7"),
        "ALGO:RECORDS:SEED，1 到 1000000。",
        "ALGO:RECORDS:SEED, 1 to 1,000,000 of each kind.",
    )
    rate = None if million is None else f"{estimate(million.wins, million.games).mean:.4f}"
    known_zh = f"這次得到 {rate}。" if rate else "以 --million 在報告中重做。"
    known_en = f"Played here: {rate}." if rate else "With --million the report plays it."
    yield answer.works(
        "million-records",
        SIMULATE.format(f"algo3:{document.MAX_RECORDS}"),
        f"沒有任何表用到這個設定。{known_zh}",
        f"No table has it. {known_en}",
        *(["million"] if rate else []),
    )
    yield answer.works(
        "three-runs",
        SIMULATE.format("algo3:10000:7"),
        "種子固定棋譜；報告用許多組棋譜。",
        "The seed fixes the records; the report uses many sets.",
    )
    yield answer.works(
        "progress",
        SIMULATE.format("random"),
        "進度顯示在標準錯誤輸出。",
        "Progress stands on standard error.",
    )
    yield answer.true_if(
        "heading-human",
        False,
        "程式中沒有人：呼叫的是 com_vs_com。",
        "No human is in it: it calls com_vs_com.",
    )


def figures() -> Iterator[Figure]:
    """Its figures 1, 2 and 4; the third would need the circles of a game that is not told."""
    yield Figure(
        "figure-1",
        Words("圖 1　五層圈圈的編號", "Figure 1. The numbers of five rows"),
        sheet(
            [
                triangle(5, FULL_15, [(3, 4, 5)], caption="4-5-6"),
                triangle(5, FULL_15, [(3, 4, 8)], caption="4-5-9 ✗"),
            ],
            2,
        ),
    )
    gone = FULL_15 & ~(1 << 4)
    yield Figure(
        "figure-2",
        Words(
            "圖 2　不能穿越已消去的圈圈（同類例子）",
            "Figure 2. No jump over a circle that is gone (an example of the kind)",
        ),
        sheet([triangle(5, gone, [(3, 5)], caption="4-6 ✗")], 1),
    )
    yield Figure(
        "figure-4",
        Words(
            "圖 4　留下奇數個單個圈圈（同類例子）",
            "Figure 4. An odd number of single circles is left (examples of the kind)",
        ),
        sheet(
            [
                triangle(5, sum(1 << at for at in circles))
                for circles in ((12,), (0, 10, 12), (0, 4, 10, 12, 14))
            ],
            3,
        ),
    )
