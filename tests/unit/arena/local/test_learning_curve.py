"""The picture of a learning curve, read as the XML that it is."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from arena.local.learning_curve import Learning, curve

ROUNDS = (
    Learning(4000, 12.0, 11.0, 0.9, 0.85, 0.95),
    Learning(8000, 10.0, 9.5, 0.6, 0.55, 0.65),
    Learning(160_000, 9.0, 8.0, 0.45, 0.4, 0.5),
)


def drawn(*rounds: Learning) -> ET.Element:
    """The picture of these rounds."""
    return ET.fromstring(b"".join(curve(rounds)))  # noqa: S314  (it was made just here)


def lines(picture: ET.Element) -> list[list[tuple[float, float]]]:
    """The points of all lines: of what taught, of what was held out, and of the points."""
    found = [each.attrib["points"].split() for each in picture.iter() if each.tag.endswith("polyline")]
    return [[(float(point.split(",")[0]), float(point.split(",")[1])) for point in each] for each in found]


def test_lines_follow_the_rounds() -> None:
    """Rounds go from left to right, smaller errors lie lower, and so do fewer points."""
    taught, held_out, points = lines(drawn(*ROUNDS))
    for line in (taught, held_out, points):
        assert [x for x, _ in line] == sorted({x for x, _ in line})
        assert [y for _, y in line] == sorted({y for _, y in line})
    assert all(low[1] > high[1] for low, high in zip(taught, held_out, strict=True))
    texts = ["".join(each.itertext()) for each in drawn(*ROUNDS).iter() if each.tag.endswith("text")]
    assert {"round 3", "160,000 games"} <= set(texts)


@pytest.mark.parametrize(
    "rounds",
    [
        ROUNDS[:1],
        (Learning(64, 0.0, 0.0, 1.0, 0.99, 1.0),),
        (Learning(64, 5.0, 5.0, 0.5, 0.499, 0.501),) * 12,
        (Learning(64, 1e-5, 0.0, 0.0, 0.0, 0.01), Learning(64, 60.0, 59.0, 1.0, 0.98, 1.0)),
    ],
)
def test_all_lies_within_the_picture(rounds: tuple[Learning, ...]) -> None:
    """One round, errors that are all the same, and the least and greatest shares: no line leaves its half."""
    picture = drawn(*rounds)
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    *errors, points = lines(picture)
    for x, y in [each for line in errors for each in line]:
        assert 0 < x < width
        assert 0 < y < height / 2
    for _, y in points:
        assert height / 2 < y < height
