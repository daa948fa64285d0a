"""The chart of ratings: lines inside the drawing, names that do not cover each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from arena.core.terms import TournamentState
from arena.schemas.ratings import HistoryPoint, RatedLine, RatingHistory, RatingOut
from arena.web.pages.rating_chart import (
    BAR_WIDTH,
    HEIGHT,
    LABEL_HEIGHT,
    MAX_LINES,
    WIDTH,
    chart,
    drawn,
    error_bars,
)


def _history(ratings: Sequence[Sequence[float | None]]) -> RatingHistory:
    points = [
        HistoryPoint(games=10 * at, round=at, at=None, prior=None) for at in range(1, len(ratings[0]) + 1)
    ]
    items = [
        RatedLine(
            entry=at, bot=f"bot-{at}", version=1, owner="team", games=9, ratings=list(line), errors=list(line)
        )
        for at, line in enumerate(ratings, start=1)
    ]
    return RatingHistory(
        tournament="cup",
        state=TournamentState.RUNNING,
        kind="likelihood",
        order_dependent=False,
        forgotten=0,
        points=points,
        items=items,
    )


def test_a_line_runs_from_the_first_game_to_the_last() -> None:
    """Higher ratings are higher up, later games further right, the levels round numbers around them."""
    found = chart(_history([[0.0, 60.0, 130.0], [None, -40.0, -130.0]]))
    assert found is not None
    best, newcomer = found.curves
    assert len(best.points) == 3
    assert len(newcomer.points) == 2
    assert [x for x, _ in best.points] == [
        found.ends[0][1],
        (found.ends[0][1] + found.ends[1][1]) / 2,
        found.ends[1][1],
    ]
    heights = [y for _, y in best.points]
    assert heights == sorted(heights, reverse=True)
    assert [level for level, _ in found.levels] == [-150, -100, -50, 0, 50, 100, 150]
    zero = dict(found.levels)[0]
    assert best.points[0][1] == zero
    assert [games for games, _ in found.ends] == [10, 30]


def test_names_do_not_cover_each_other() -> None:
    """Equal ratings have their names below each other, all inside the drawing."""
    found = chart(_history([[1.0, 0.0]] * MAX_LINES))
    assert found is not None
    labels = [curve.label_y for curve in found.curves]
    gaps = [below - above for above, below in pairwise(labels)]
    assert min(gaps) >= LABEL_HEIGHT
    assert 0 < min(labels) <= max(labels) <= HEIGHT
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for curve in found.curves for x, y in curve.points)


def test_only_the_best_are_drawn() -> None:
    """More bots than eyes can tell apart are left out, and so is who has no rating."""
    found = chart(_history([[-5.0 * at, -7.0 * at] for at in range(MAX_LINES + 3)] + [[None, None]]))
    assert found is not None
    assert [curve.bot for curve in found.curves] == [f"bot-{at}" for at in range(1, MAX_LINES + 1)]
    assert chart(_history([[None, None]])) is None
    assert chart(_history([[3.0]])) is None


def _line(entry: int, rating: float | None, error: float | None) -> RatingOut:
    return RatingOut(
        rank=entry,
        entry=entry,
        bot=f"bot{entry}",
        version=1,
        owner="team",
        games=2,
        rating=rating,
        error=error,
        resampled_error=None,
        stronger_than_next=None,
        stronger_than=None,
    )


def test_error_bars_share_a_scale_with_0() -> None:
    """Bars reach two errors to each side, all between the edges; who has no error has none."""
    bars = error_bars([_line(1, 100, 50), _line(2, -100, 25), _line(3, None, None), _line(4, 300, None)])
    assert [*bars] == [1, 2]
    assert bars[1].high == BAR_WIDTH - 4
    assert bars[2].low == 4
    assert bars[1].low == bars[1].zero == bars[2].zero
    assert bars[1].at - bars[1].low == pytest.approx(bars[1].high - bars[1].at, abs=0.2)
    assert bars[2].at - bars[2].low == pytest.approx((bars[1].at - bars[1].low) / 2, abs=0.2)
    assert error_bars([]) == {}


def test_one_bot_alone_is_drawn() -> None:
    """A chart of one line has its levels around it and its name at its end; of one point there is none."""
    found = drawn([2, 4, 10], [("comet", [0.0, 120.0, 40.0])])
    assert found is not None
    (curve,) = found.curves
    assert (curve.bot, len(curve.points), curve.label_y) == ("comet", 3, curve.points[-1][1])
    assert [level for level, _ in found.levels] == [0, 20, 40, 60, 80, 100, 120]
    assert drawn([2], [("comet", [0.0])]) is None
    assert drawn([], []) is None
