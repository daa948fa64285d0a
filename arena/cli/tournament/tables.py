"""A tournament's tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arena.cli.shared.output import GAP, amount, console, print_line, print_table
from arena.core.words import N_, say, say_many

if TYPE_CHECKING:
    from arena.schemas.ratings import RatedGames, RatingOut
    from arena.schemas.standings import CrossCell, CrossRow, Crosstable, Leaderboard, StandingOut

SHORT = {
    "sonneborn_berger": "SB",
    "buchholz": "BH",
    "buchholz_cut1": "BH/C1",
    "buchholz_cut2": "BH/C2",
    "buchholz_median": "BH/M1",
    "koya": "KS",
    "progressive": "PS",
    "average_rating": "ARO",
    "disc_difference": N_("discs +/-"),
    "brightwell": "BQ",
    "wins": "WIN",
}
"""The heads of columns for tie-breaks with long names: as federations write them."""

HAVE_COLUMNS = ("points", "discs", "time")
"""Tie-breaks that every leaderboard shows anyway."""


def leaderboard_columns(board: Leaderboard) -> tuple[str, ...]:
    """The columns of a leaderboard: the totals, and its chain of tie-breaks."""
    return (
        *(">rank", "bot", "owner", ">games", ">points", *((">mean",) if "points" in board.means else ())),
        *(">wins", ">draws", ">losses", ">forfeits"),
        *(f">{_head(board, name)}" for _, name in _extra(board)),
        *(">score", ">time"),
    )


def leaderboard_rows(board: Leaderboard) -> list[tuple[object, ...]]:
    """The cells of a leaderboard under `leaderboard_columns`."""
    names = [step.name for step in board.order]
    mean = names.index("points") if "points" in board.means else None
    return [
        (
            *(line.rank, _named(line), line.owner, line.games, amount(line.points)),
            *(() if mean is None else (_number(line.tie_breaks[mean], ".3f"),)),
            *(line.wins, line.draws, line.losses, line.forfeits),
            *(_plain(line.tie_breaks[at]) for at, _ in _extra(board)),
            f"{line.score_own}:{line.score_other}",
            f"{line.wall_ms / 1000:.1f} s",
        )
        for line in board.items
    ]


def print_leaderboard(board: Leaderboard) -> None:
    """The standings as a table on standard output, with what they are ordered by."""
    title = say(
        "{tournament}: {state}, {played} of {matches} played",
        tournament=board.tournament,
        state=board.state,
        played=board.played,
        matches=say_many("{number} match", "{number} matches", board.matches),
    )
    print_table(leaderboard_columns(board), leaderboard_rows(board), title)
    steps = [*(["bracket"] if board.bracket else []), *(step.name for step in board.order)]
    print_line(say("order: {steps}", steps=", ".join(steps)))
    if board.means:
        print_line(
            say(
                "bots have different numbers of games: {means} by the mean of a game",
                means=", ".join(board.means),
            )
        )
    if board.lot_seed is not None:
        print_line(say("lots are drawn from seed {lot_seed}", lot_seed=board.lot_seed))


def _plain(value: float | None) -> str:
    return _number(value, ".3f").rstrip("0").removesuffix(".") if value else _number(value, "g")


def _named(line: StandingOut | CrossRow) -> str:
    return line.bot if line.left_as is None else f"{line.bot} ({line.left_as})"


def _extra(board: Leaderboard) -> list[tuple[int, str]]:
    """The steps of the chain that need a column, with their places in it."""
    steps = enumerate(step.name for step in board.order)
    shown = {"points", *(name for name in HAVE_COLUMNS if name not in board.means)}
    return [(place, name) for place, name in steps if name not in shown]


def _head(board: Leaderboard, name: str) -> str:
    short = say(SHORT.get(name, "")) or say(name.replace("_", " "))
    return short + say("/game") * (name in board.means)


def print_crosstable(table: Crosstable) -> None:
    """Points of every row's bot against every column's, on standard output, in blocks of columns that fit."""
    rows = table.items
    heads = [f">{place}" for place in range(table.offset + 1, table.offset + len(rows) + 1)]
    about = [(head[1:], _named(row), amount(row.points)) for head, row in zip(heads, rows, strict=True)]
    cells = [[_crossed(cell) for cell in row.cells] for row in rows]
    for columns in _fitting(about, cells):
        shown = [(*line, *row[columns]) for line, row in zip(about, cells, strict=True)]
        print_table(
            ("", "bot", ">points", *heads[columns]),
            shown,
            say("{tournament}: {state}", tournament=table.tournament, state=table.state),
        )
    if len(rows) < table.total:
        print_line(
            say(
                "the first {count} of {total}; arena tournament bot {tournament} BOT tells what one made "
                "against all others",
                count=len(rows),
                total=say_many("{number} bot", "{number} bots", table.total),
                tournament=table.tournament,
            )
        )


def _crossed(cell: CrossCell | None) -> str:
    if cell is None:
        return "—"
    return f"{amount(cell.points)}/{cell.games}" if cell.games else "·"


def _fitting(about: Sequence[tuple[str, ...]], cells: Sequence[Sequence[str]]) -> Iterator[slice]:
    """The columns of cells that fit beside what each row is about, so many at a time."""
    if not about:
        return
    from rich.cells import cell_len

    beside = sum(max(map(cell_len, column)) for column in zip(*about, strict=True))
    widest = max(len(cell) for row in cells for cell in row)
    room = console().width - beside - GAP * len(about[0])
    step = max(1, room // (widest + GAP))
    for start in range(0, len(cells), step):
        yield slice(start, start + step)


def print_ratings(table: RatedGames, title: str) -> None:
    """Ratings with their errors, and what they rest on, on standard output."""
    lines, resampled, pairwise = table.items, table.resamples > 0, _rated_with_pairs(table.items)
    owned = any(line.owner for line in lines)
    columns = (
        *(">rank", "bot", *(("owner",) if owned else ()), ">games", ">Elo", ">error"),
        *((">resampled",) if resampled else ()),
        ">above next",
        *(f">{at}" for at in range(1, len(pairwise) + 1)),
    )
    rows = [
        (
            *("" if line.rank is None else line.rank, line.bot),
            *((line.owner,) if owned else ()),
            line.games,
            *(_number(line.rating, "+.1f"), _number(line.error, ".1f")),
            *((_number(line.resampled_error, ".1f"),) if resampled else ()),
            _number(line.stronger_than_next, ".1%"),
            *(_number(over, ".1%") for over in line.stronger_than or ()),
        )
        for line in lines
    ]
    print_table(columns, rows, title)
    for told in _basis(table):
        print_line(told)


def _rated_with_pairs(lines: list[RatingOut]) -> list[RatingOut]:
    return [line for line in lines if line.stronger_than is not None]


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _basis(table: RatedGames) -> Iterator[str]:
    reasons = {
        "not connected": say("wins and draws do not lead from every bot to every other"),
        "separated": say("an infinite advantage or share of draws would fit best"),
    }
    if prior := table.prior:
        yield say(
            "provisional: {what}; normal prior of {deviation:.0f} Elo",
            what=reasons[prior.reason],
            deviation=prior.deviation,
        )
    if seat := table.first_move:
        yield say("moving first is worth {value:+.1f} ± {error:.1f} Elo", value=seat.value, error=seat.error)
    if draws := table.draws:
        yield "draws: " + {
            "davidson": say("nu = {value:.3f} ± {error:.3f}"),
            "ordo": say("{value:.2%} ± {error:.2%} between equals"),
            "bayeselo": say("drawelo {value:.1f} ± {error:.1f} Elo"),
        }[table.model.removesuffix("-plain")].format(value=draws.value, error=draws.error)
    if table.resamples:
        priors = table.resamples_with_prior
        yield say(
            "{resamples} by opening, {priors} of them with a prior",
            resamples=say_many("{number} resample", "{number} resamples", table.resamples),
            priors=priors,
        )
