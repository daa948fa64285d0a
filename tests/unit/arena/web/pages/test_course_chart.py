"""Where the line of an experiment runs."""

from __future__ import annotations

from arena.schemas.experiments import CoursePoint, PrintedOut
from arena.web.pages.course_chart import HEIGHT, LEFT, WIDTH, chart


def _point(games: int, mean: float, half: float) -> CoursePoint:
    return CoursePoint(games=games, mean=mean, low=mean - half, high=mean + half)


def _printed(mean: str, games: int) -> PrintedOut:
    return PrintedOut(
        document="circle_nim",
        table="table-1",
        runs=[mean],
        mean=mean,
        games=games,
        low=0,
        high=1,
        same_records=False,
    )


def test_there_is_no_chart_without_games() -> None:
    """Before the first chunk nothing is drawn."""
    assert chart([], []) is None


def test_line_and_band_lie_within_the_drawing() -> None:
    """Games run to the right, better scores higher; what is wild at the beginning is cut off at the edge."""
    drawn = chart([_point(10, 0.9, 0.4), _point(5000, 0.5, 0.02), _point(10_000, 0.52, 0.01)], [])
    assert drawn is not None
    xs, ys = zip(*(*drawn.line, *drawn.band), strict=True)
    assert LEFT <= min(xs) < max(xs) <= WIDTH
    assert 0 <= min(ys) < max(ys) <= HEIGHT
    assert [x for x, _ in drawn.line] == sorted(x for x, _ in drawn.line)
    assert drawn.line[2][1] < drawn.line[1][1]
    assert drawn.last[3] < drawn.last[1] < drawn.last[2]
    assert [level for level, _ in drawn.levels] == [0.48, 0.49, 0.5, 0.51, 0.52, 0.53]
    assert drawn.printed is None


def test_the_documents_mean_of_the_most_games_is_drawn() -> None:
    """Of several figures that with the most games is, and the scale reaches to it."""
    drawn = chart([_point(1000, 0.5, 0.01)], [_printed("0.6", 10), _printed("0.45", 500)])
    assert drawn is not None
    assert drawn.printed is not None
    assert drawn.printed[0] == "0.45"
    assert drawn.levels[0][0] <= 0.45
    assert 0 < drawn.printed[1] <= HEIGHT


def test_a_score_that_is_known_exactly_still_has_a_scale() -> None:
    """All games won: the interval and the levels do not collapse."""
    drawn = chart([CoursePoint(games=10, mean=1.0, low=1.0, high=1.0)], [])
    assert drawn is not None
    assert len(drawn.levels) >= 2
