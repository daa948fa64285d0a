"""Sonneborn-Berger and Koya from running totals of pairs, where all pairings are fixed beforehand.

There both follow from what everybody made against everybody in all, so that no round needs to be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class OfPairs(NamedTuple):
    """What is counted from pairs: quarter points of Sonneborn-Berger, and half points of Koya."""

    sonneborn_berger: dict[int, int]
    koya: dict[int, int]


def of_pairs(
    pairs: Iterable[tuple[int, int, int, int]], half_points: Mapping[int, int], most: int
) -> OfPairs:
    """Both for everybody in `half_points`, everybody's score.

    Args:
        pairs: for every ordered pair that has met, what the first made against the second, and its games.
        half_points: everybody's score.
        most: the most half points that anybody could have made.
    """
    found = OfPairs(dict.fromkeys(half_points, 0), dict.fromkeys(half_points, 0))
    half = {number for number, score in half_points.items() if 2 * score >= most}
    for one, other, made, _ in pairs:
        found.sonneborn_berger[one] += made * half_points[other]
        if other in half:
            found.koya[one] += made
    return found
