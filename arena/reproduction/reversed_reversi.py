"""The Reversed Reversi document: its opening, its time rule, its results tables, and its bot at play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arena.documents import reversed_reversi as document
from arena.documents.inventory import DOCUMENTS
from arena.documents.texts import Words
from arena.reproduction import reversi_claims, reversi_matches
from arena.reproduction.claims import answered
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Comment, Comparison, Exhibit, Grid, Method, Section, counted
from arena.reproduction.record_sets import Where
from arena.reproduction.reversi_facts import Facts, facts
from arena.reproduction.reversi_matches import Games, Series
from arena.reproduction.texts import comment
from bots.reference import group8
from engines.games.reversed_reversi import ReversedReversi
from workers.core.contract import TimeControl

PLACES = ("第一名", "第二名")
GROUP = 8

steps = reversi_matches.steps


def reproduce(effort: Effort, where: Where, advance: Callable[[], None]) -> Section:
    """The section of the report; `advance` is called `steps` times."""
    series = reversi_matches.play(where, advance)
    return section(series, reversi_matches.play_many(effort, where, advance), facts(where.seed))


def section(series: Series, games: Sequence[Games], known: Facts) -> Section:
    """The section with these matches and games, and what is known beyond them."""
    exhibits = (_opening(), _time(), _first_weights(), _results(series))
    compared = [each for exhibit in exhibits for each in exhibit.comparisons]
    return Section(
        "reversed_reversi",
        *DOCUMENTS["reversed_reversi"],
        exhibits,
        tuple(reversi_claims.figures()),
        (*_on_example(), *_on_places(), *_on_rounds(), reversi_matches.on_strength(games)),
        answered("reversed_reversi", compared, reversi_claims.computed(known, series, games)),
    )


def _first_weights() -> Exhibit:
    """The table of weights that the program never reads, beside the one that it does."""
    columns = ("列 row", *map(str, range(8)))
    unused = tuple((str(at), *map(str, line)) for at, line in enumerate(document.FIRST_WEIGHTS))
    read = [group8.WEIGHTS[8 * row : 8 * row + 8] for row in range(8)]
    used = tuple((str(at), *map(str, line)) for at, line in enumerate(read))
    return Exhibit(
        "first-weights",
        Words("圖 2-1-1：從未使用的權重表", "Figure 2-1-1: the table of weights that is never used"),
        (),
        Grid(columns, unused),
        Grid(columns, used),
        Words(
            "左表 weight 由 weightChange 修改，但搜尋只讀右邊 heuristic 裡的表。",
            "The table on the left is what weightChange changes; the search reads only the one on the right,"
            " inside heuristic.",
        ),
    )


def square(row: int, column: int) -> str:
    """The square of an element of the document's array, in Othello notation."""
    return f"{'abcdefgh'[column]}{row + 1}"


def _marked(value: int) -> list[str]:
    """The squares of the document's opening that hold this value, in alphabetical order."""
    return sorted(
        square(row, column)
        for row, line in enumerate(document.OPENING)
        for column, each in enumerate(line)
        if each == value
    )


def _discs(state: Any) -> tuple[list[str], list[str]]:
    """The squares of X and of O at the beginning, X being whoever moves."""
    squares = [square(row, column) for row in range(8) for column in range(8)]
    own, other = (
        [name for at, name in enumerate(squares) if board >> at & 1] for board in (state.own, state.opp)
    )
    return sorted(own), sorted(other)


def playable(state: Any) -> list[str]:
    """The squares where the side to move may place a disc."""
    game = ReversedReversi()
    return sorted(game.move_to_text(move) for move in game.legal_moves(state))


def _opening() -> Exhibit:
    """The array of the opening, and the example that does not fit it."""
    initial = ReversedReversi().initial()
    crosses, circles = _discs(initial)
    first, _ = document.EXAMPLE_MOVES
    listed = document.OPENING[first[0]][first[1]] == document.PLAYABLE
    comparisons = (
        counted("opening/x", Words("X 的位置", "discs of X"), _text(document.CROSS), " ".join(crosses)),
        counted("opening/o", Words("O 的位置", "discs of O"), _text(document.CIRCLE), " ".join(circles)),
        counted(
            "opening/playable",
            Words("X 第一步可下的位置（陣列中的 3）", "where X may play first (3 in its array)"),
            _text(document.PLAYABLE),
            " ".join(playable(initial)),
        ),
        Comparison(
            "opening/example",
            Words(f"圖 1-2 的例子：X{first}", f"its figure 1-2: X at {first}"),
            "可下 legal",
            "陣列中是 3 marked 3" if listed else "陣列中不是 3 not marked 3",
            Method.ARITHMETIC,
            agrees=listed,
        ),
    )
    title = Words("圖 2-1-1：開局", "Figure 2-1-1: the opening")
    grid = Grid(
        ("列 row", *map(str, range(8))),
        tuple((str(at), *map(str, line)) for at, line in enumerate(document.OPENING)),
    )
    return Exhibit("opening", title, comparisons, grid)


def _text(value: int) -> str:
    return " ".join(_marked(value))


def _time() -> Exhibit:
    """The class's time rule is the default here."""
    control = TimeControl()
    rows = (
        (
            "answer",
            Words("每次回應時間（秒）", "seconds an answer"),
            document.ANSWER_SECONDS,
            control.move_ms / 1000,
        ),
        ("extensions", Words("每局延長次數", "extensions a game"), document.EXTENSIONS, control.extensions),
        (
            "extended",
            Words("延長時的上限（秒）", "seconds of an extended answer"),
            document.EXTENDED_SECONDS,
            control.extension_ms / 1000,
        ),
    )
    comparisons = tuple(counted(f"time/{key}", what, theirs, round(ours)) for key, what, theirs, ours in rows)
    return Exhibit("time", Words("比賽規則第 5 條：時間", "Rule 5: time"), comparisons)


def _places(result: document.Result) -> list[int]:
    """The places that the rule gives: fewer discs, better place."""
    order = sorted(entrant.discs for entrant in result.entrants)
    return [order.index(entrant.discs) + 1 for entrant in result.entrants]


def _results(series: Series) -> Exhibit:
    """The results tables, whether they fit the rule, and matches here in the same form."""
    comparisons = []
    for number, result in enumerate(document.RESULTS, start=1):
        name = Words(
            f"{result.round}（對第 {result.entrants[1].group} 組）",
            f"match {number} (group {result.entrants[1].group})",
        )
        discs = sum(entrant.discs for entrant in result.entrants)
        comparisons += [
            Comparison(
                f"results/{number}/discs",
                Words(f"{name.zh}，雙方子數和不超過 64", f"{name.en}, discs of both, at most 64"),
                str(discs),
                "≤ 64",
                Method.ARITHMETIC,
                agrees=discs <= 64,
            ),
            Comparison(
                f"results/{number}/place",
                Words(
                    f"{name.zh}，第 {GROUP} 組名次（少子者勝）",
                    f"{name.en}, place of group {GROUP} (fewer discs win)",
                ),
                str(result.entrants[0].place),
                str(_places(result)[0]),
                Method.ARITHMETIC,
                agrees=_places(result)[0] == result.entrants[0].place,
            ),
        ]
    return Exhibit(
        "results",
        Words("參、競賽結果", "Section 3: results of the matches"),
        tuple(comparisons),
        _printed(),
        reversi_matches.grid(series, PLACES),
        Words(
            "右表是忠實重寫的第 8 組程式在這裡的對局，格式同文件；時間是本機實測，每次執行都會不同。",
            "On the right the group's program, rewritten move for move, at play here, in the document's"
            " form; times were measured on this machine and differ from run to run.",
        ),
    )


def _printed() -> Grid:
    columns = ["組別"]
    rows = [["對戰比分"], ["花費時間"], ["排名"]]
    for result in document.RESULTS:
        for entrant in result.entrants:
            columns.append(f"{result.round} 第 {entrant.group} 組")
            for row, cell in zip(
                rows, (str(entrant.discs), entrant.time, PLACES[entrant.place - 1]), strict=True
            ):
                row.append(cell)
    return Grid(tuple(columns), tuple(map(tuple, rows)))


def _on_example() -> Iterator[Comment]:
    """Whether the example's moves are legal, also with the colours exchanged."""
    game = ReversedReversi()
    initial = game.initial()
    at_first, at_second = document.EXAMPLE_MOVES
    first, second = square(*at_first), square(*at_second)
    exchanged = initial._replace(own=initial.opp, opp=initial.own)
    if first not in playable(initial) and first in playable(exchanged):
        legal = second in playable(game.play(exchanged, game.move_from_text(first)))
        also = Words("也合法", "legal too") if legal else Words("仍不合法", "not")
        about = ("opening/example",)
        yield comment("reversed_reversi", "example", about, first=at_first, second=at_second, also=also)


def _on_places() -> Iterator[Comment]:
    """Results in which the side with fewer discs is not placed first."""
    wrong = {
        f"results/{number}/place": "{}:{}".format(*(entrant.discs for entrant in result.entrants))
        for number, result in enumerate(document.RESULTS, start=1)
        if _places(result) != [entrant.place for entrant in result.entrants]
    }
    if wrong:
        scores = Words("、".join(wrong.values()), " and ".join(wrong.values()))
        yield comment("reversed_reversi", "places", tuple(wrong), scores=scores)


def _on_rounds() -> Iterator[Comment]:
    """The first result leads to the last eight, the second ends among the last sixteen."""
    before, after = (result.consequence for result in document.RESULTS)
    if "八強" in before and "十六強" in after:
        yield comment("reversed_reversi", "rounds", ("results",), before=before, after=after)
