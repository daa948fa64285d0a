"""The table of a season: tournaments that are counted together, as `docs/seasons.md` describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class Result(NamedTuple):
    """What a team made of a tournament: its place, and its share of the points of its games.

    A team that was disqualified has no place and gets nothing; without a game there is no share.
    """

    team: str
    place: int | None
    share: Fraction | None


@dataclass(frozen=True)
class Scoring:
    """How tournaments are counted: by `points` for places 1, 2 and so on, or where these are None by share.

    A share of everything is worth `whole` points. Of a team's tournaments its `best` count, all if None.
    """

    points: tuple[Fraction, ...] | None
    whole: Fraction = Fraction(100)
    best: int | None = None


class Made(NamedTuple):
    """What a team got for a tournament in which it took part, and whether that is in its sum."""

    place: int | None
    points: Fraction
    counts: bool


@dataclass(frozen=True)
class SeasonLine:
    """A team; of every tournament of the season what it made there, None where it did not take part."""

    rank: int
    team: str
    points: Fraction
    made: tuple[Made | None, ...]


def season_table(tournaments: Sequence[Sequence[Result]], scoring: Scoring) -> list[SeasonLine]:
    """The teams of some tournaments, best first.

    Teams that share a place share the points of the places that they fill. Among teams with as many points
    those with more first places are ahead, then with more second ones and so on, in all tournaments of the
    season, counted or not. Who is equal in all that shares a rank, in the order of names.
    """
    points = [_points(results, scoring) for results in tournaments]
    places = [{each.team: each.place for each in results} for results in tournaments]
    teams = sorted({team for each in points for team in each})
    rows = [
        (team, _counted([(where.get(team), got.get(team)) for where, got in both], scoring.best))
        for team in teams
        for both in [list(zip(places, points, strict=True))]
    ]
    depth = max((each.place or 0 for _, made in rows for each in made if each), default=0)
    keyed = [(*_strength(made, depth), team, made) for team, made in rows]
    keyed.sort(key=lambda row: (-row[0], [-count for count in row[1]], row[2]))
    lines: list[SeasonLine] = []
    for at, (total, countback, team, made) in enumerate(keyed):
        level = at > 0 and keyed[at - 1][:2] == (total, countback)
        lines.append(SeasonLine(lines[-1].rank if level else at + 1, team, total, made))
    return lines


def _points(results: Sequence[Result], scoring: Scoring) -> dict[str, Fraction]:
    """What each team gets for a tournament."""
    if scoring.points is None:
        return {
            each.team: (each.share or Fraction(0)) * scoring.whole * (each.place is not None)
            for each in results
        }
    there = Counter(each.place for each in results if each.place is not None)
    shared = {
        place: sum(scoring.points[place - 1 : place - 1 + count], Fraction(0)) / count
        for place, count in there.items()
    }
    return {each.team: Fraction(0) if each.place is None else shared[each.place] for each in results}


def _counted(got: Sequence[tuple[int | None, Fraction | None]], best: int | None) -> tuple[Made | None, ...]:
    """What a team made of each tournament; of equal results the earlier ones count."""
    played = [at for at, (_, points) in enumerate(got) if points is not None]
    order = sorted(played, key=lambda at: (-(got[at][1] or 0), at))
    counting = {*(order if best is None else order[:best])}
    return tuple(
        None if points is None else Made(place, points, at in counting)
        for at, (place, points) in enumerate(got)
    )


def _strength(made: Sequence[Made | None], depth: int) -> tuple[Fraction, tuple[int, ...]]:
    """The sum of what counts, and how often each place was reached."""
    total = sum((each.points for each in made if each and each.counts), Fraction(0))
    often = Counter(each.place for each in made if each)
    return total, tuple(often[place] for place in range(1, depth + 1))
