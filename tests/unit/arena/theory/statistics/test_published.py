"""Sequential tests against figures that others published: to the last digit that they print.

The counts and figures are facts from these places:

- fishtest (tests.stockfishchess.org), as quoted in pull requests of official-stockfish/Stockfish: pairs by
  half points ("Ptnml(0-2)") and the log-likelihood ratio, braces for logistic and angle brackets for
  normalised Elo;
- what fishtest's `server/fishtest/stats/sprt.py` of August 2026 prints: estimates after a stop;
- fastchess (Disservin/fastchess): `app/tests/sprt_test.cpp`, `app/tests/elo_test.cpp` and pull request 783.
"""

from __future__ import annotations

import pytest

from arena.theory.statistics.elo import logistic_elo, plain_elo
from arena.theory.statistics.sprt import Sprt, logistic_score
from arena.theory.statistics.sprt_estimate import estimate
from arena.theory.statistics.stopping import counts_summary

Row = tuple[str, float, float, tuple[int, ...], str]

FISHTEST: list[Row] = [
    ("normalized", 0, 2, (371, 10263, 24989, 10642, 379), "2.95"),  # 4194
    ("normalized", 0.5, 2.5, (47, 8181, 25234, 8575, 47), "2.94"),
    ("normalized", 0, 2, (831, 31795, 68460, 32448, 834), "2.93"),  # 5712
    ("normalized", 0.5, 2.5, (307, 54901, 140959, 56230, 281), "2.95"),
    ("normalized", -1.75, 0.25, (289, 26459, 62934, 26379, 331), "2.94"),  # 6285
    ("normalized", -1.75, 0.25, (118, 38575, 109888, 38432, 122), "2.95"),
    ("normalized", 0, 2, (320, 12431, 27275, 12858, 316), "2.95"),  # 6020
    ("normalized", 0.5, 2.5, (197, 45541, 117722, 46579, 228), "2.96"),
    ("normalized", -0.5, 2.5, (117, 4287, 9664, 4481, 135), "2.95"),  # 3679
    ("normalized", 0.5, 3.5, (11, 1383, 3682, 1571, 17), "2.94"),
    ("logistic", -0.25, 1.25, (253, 4282, 17604, 4431, 286), "2.94"),  # 3209
    ("logistic", 0.25, 1.25, (58, 3302, 33130, 3518, 84), "2.97"),
    ("logistic", -0.25, 1.25, (491, 7345, 29693, 7670, 465), "2.96"),  # 3098
    ("logistic", 0.25, 1.25, (53, 2220, 21459, 2445, 47), "2.97"),
    ("logistic", -0.25, 1.25, (115, 2196, 11328, 2317, 136), "2.94"),  # 3331
    ("logistic", 0.25, 1.25, (14, 1030, 14318, 1163, 19), "2.93"),
    ("logistic", -0.5, 1.5, (59, 754, 2467, 865, 75), "2.95"),  # 2951
    ("logistic", 0.25, 1.75, (33, 1185, 8378, 1302, 50), "2.95"),
    ("logistic", -0.5, 1.5, (665, 4806, 9333, 4893, 747), "2.95"),  # 2920
    ("logistic", 0.25, 1.75, (328, 4564, 15580, 4789, 371), "2.98"),
    ("logistic", -0.5, 1.5, (17, 253, 1042, 337, 39), "2.96"),  # 2971
    ("logistic", 0.25, 1.75, (11, 407, 3238, 513, 11), "2.93"),
]

FASTCHESS: list[Row] = [
    ("normalized", 0, 2, (36027, 68692, 36433), "0.92"),
    ("normalized", -1.75, 0.25, (10650, 20431, 10871), "2.30"),
    ("logistic", 0.5, 2.5, (21184, 40708, 21404), "-1.57"),
    ("logistic", 0, 2, (57030, 106593, 57433), "-2.59"),
    ("normalized", 0, 2, (365, 16618, 36229, 16974, 390), "2.25"),
    ("normalized", -1.75, 0.25, (127, 4883, 10712, 5150, 104), "3.01"),
    ("logistic", 0.5, 2.5, (223, 9863, 21279, 10037, 246), "-3.07"),
    ("logistic", 0, 2, (871, 26175, 55983, 26678, 821), "-4.98"),
]


def _test(scale: str, elo0: float, elo1: float, counts: tuple[int, ...]) -> Sprt:
    model = "pentanomial" if len(counts) == 5 else "trinomial"
    return Sprt.model_validate({"elo0": elo0, "elo1": elo1, "elo": scale, "model": model})


@pytest.mark.parametrize(("scale", "elo0", "elo1", "counts", "printed"), FISHTEST + FASTCHESS)
def test_the_ratio_is_the_published_one(
    scale: str, elo0: float, elo1: float, counts: tuple[int, ...], printed: str
) -> None:
    """The log-likelihood ratio of games that were really tested is the one printed then."""
    assert f"{_test(scale, elo0, elo1, counts).ratio(counts):.2f}" == printed


def test_the_bounds_are_the_published_ones() -> None:
    """Chances of 5 % give -2.94 and 2.94, as every page of fishtest shows."""
    assert [f"{bound:.2f}" for bound in Sprt(elo0=0, elo1=2).bounds] == ["-2.94", "2.94"]


@pytest.mark.parametrize(
    ("scale", "elo0", "elo1", "counts", "printed"),
    [
        ("normalized", 0, 2, (1, 20, 300, 900, 779), ("245.472", "219.804", "273.681")),
        ("normalized", 0, 2, (1, 60, 500, 1200, 600), ("188.359", "168.439", "209.478")),
        ("normalized", 0, 2, (379, 10170, 21828, 10640, 343), ("1.421", "0.146", "2.664")),
        ("normalized", 0, 2, (93, 50, 14, 5, 0), ("-310.317", "-356.833", "-271.288")),
        ("logistic", 0, 10, (379, 10170, 21828, 10640, 343), ("3.163", "-4.036", "11.032")),
        ("logistic", 0, 10, (35, 0, 81, 0, 71), ("67.730", "30.720", "106.330")),
        ("logistic", 0, 10, (93, 50, 14, 5, 0), ("-306.892", "-468.327", "-211.149")),
        ("logistic", 0, 10, (5, 14, 33), ("209.151", "130.146", "314.571")),
        ("logistic", 0, 10, (5, 22, 53), ("238.187", "166.887", "333.070")),
        ("logistic", -5, 5, (379, 10170, 21828, 10640, 343), ("0.342", "-6.215", "6.425")),
    ],
)
def test_the_estimate_after_a_stop_is_that_of_fishtest(
    scale: str, elo0: float, elo1: float, counts: tuple[int, ...], printed: tuple[str, ...]
) -> None:
    """Median and interval in logistic Elo, stopped or not, to the three digits printed."""
    found = estimate(_test(scale, elo0, elo1, counts), counts, scale="logistic")
    assert found is not None
    assert tuple(f"{each:.3f}" for each in found[:3]) == printed


@pytest.mark.parametrize("counts", [(1, 20, 300, 900, 779), (1, 60, 500, 1200, 500), (1, 60, 500, 1200, 700)])
def test_the_scale_of_the_question_does_not_matter(counts: tuple[int, ...]) -> None:
    """The same bounds, asked for on the other scale, give the same estimate (fishtest's issue 2571)."""
    normalized = _test("normalized", 0, 2, counts)
    per_game = estimate(normalized, counts, scale="logistic")
    spread = plain_elo(counts)
    assert spread is not None
    assert per_game is not None
    unit = (logistic_score(spread.logistic) - 0.5) / spread.normalized
    asked = [logistic_elo(0.5 + elo * unit) for elo in (0, 2)]
    again = estimate(_test("logistic", asked[0], asked[1], counts), counts)
    assert again is not None
    assert list(again) == pytest.approx(list(per_game), abs=1e-5)


def test_an_estimate_beyond_all_bounds_is_told_at_the_bound() -> None:
    """Where no outcome would be too high, median and interval end at 1000 Elo, as fishtest prints them."""
    counts = (0, 0, 1, 5, 994)
    found = estimate(_test("normalized", 0, 2, counts), counts, scale="logistic")
    assert found is not None
    assert (found.median, f"{found.low:.3f}", found.high) == (1000, "752.433", 1000)


@pytest.mark.parametrize(
    ("counts", "logistic", "normalized", "superiority"),
    [
        ((89, 123, 76), None, ("-20.76", "40.13"), "15.53 %"),
        ((96, 111, 136), ("40.70", "30.43"), ("49.77", "36.77"), "99.60 %"),
        ((34, 54, 63, 64, 75), ("55.58", "27.65"), ("57.94", "28.28"), "100.00 %"),
        ((332, 433, 498, 333, 334), ("-8.64", "10.33"), ("-9.17", "10.96"), "5.05 %"),
        ((7895, 8757, 5685, 568, 9999), ("-21.04", "2.95"), ("-19.01", "2.65"), None),
        ((379, 10170, 21828, 10640, 343), None, ("3.05", "2.31"), None),
    ],
)
def test_plain_elo_is_the_published_one(
    counts: tuple[int, ...],
    logistic: tuple[str, str] | None,
    normalized: tuple[str, str],
    superiority: str | None,
) -> None:
    """Logistic and normalised Elo, their errors and the likelihood of superiority are those of fastchess."""
    found = plain_elo(counts)
    assert found is not None
    assert (f"{found.normalized:.2f}", f"{found.normalized_error:.2f}") == normalized
    if logistic:
        assert (f"{found.logistic:.2f}", f"{found.logistic_error:.2f}") == logistic
    if superiority:
        assert f"{100 * found.superiority:.2f} %" == superiority


def test_the_summary_tells_both_scales() -> None:
    """The estimate is told on either scale, the test's own again as `elo`, and plainly beside them."""
    counts = (379, 10170, 21828, 10640, 343)
    told = counts_summary(_test("normalized", 0, 2, counts), counts)
    assert told["elo"] == told["normalized"] != told["logistic"]
    assert told["logistic"]["superiority"] == told["normalized"]["superiority"]
    assert told["verdict"] == "elo1"
    empty = counts_summary(Sprt(elo0=0, elo1=5), (0, 0, 0, 0, 0))
    assert empty["elo"] is empty["logistic"] is empty["normalized"] is empty["plain"] is None
