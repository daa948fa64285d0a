"""Who met whom, and how far apart they are: the tables below a series of `arena match run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.cli.shared.output import amount, print_line, print_table
from arena.core.words import N_, say

VERDICTS = {
    "elo1": N_("accepted: better by elo1"),
    "elo0": N_("accepted: better by elo0"),
    "undecided": N_("undecided"),
}
"""What the test of a pair has come to."""


def print_pairs(summary: Mapping[str, Any], labels: Sequence[str]) -> None:
    """The bots by their Elo with a crosstable, where there are more than two; every pair; the tests."""
    bots, pairs = summary["bots"], summary["pairs"]
    if len(bots) > 2:
        order = sorted(range(len(bots)), key=lambda at: (-_share(bots[at]), at))
        _print_crosstable(bots, pairs, labels, order)
    tested = [pair for pair in pairs if pair["sprt"]]
    columns = ("pair", ">games", ">wins", ">draws", ">losses", ">points", ">Elo", ">±", ">better")
    print_table(columns, [_pair_row(pair, labels) for pair in pairs])
    print_line(
        say("Elo of the first of a pair, ± half of its 95 % interval, and how likely it is the better one")
    )
    for pair in tested:
        print_line(_test(pair, labels))


def _print_crosstable(
    bots: Sequence[Mapping[str, Any]],
    pairs: Sequence[Mapping[str, Any]],
    labels: Sequence[str],
    order: Sequence[int],
) -> None:
    """Ranks by the share of points; in the row of a bot what it made against the one of each rank."""
    met: dict[tuple[int, int], str] = {}
    for pair in pairs:
        one, other = pair["bots"]
        met[one, other], met[other, one] = (f"{amount(points)}/{pair['games']}" for points in pair["points"])
    heads = [f">{rank}" for rank in range(1, len(order) + 1)]
    rows = []
    for rank, at in enumerate(order, start=1):
        games = _games(bots[at])
        share = f"{100 * _share(bots[at]):.1f} %" if games else ""
        cells = ["" if other == at else met[at, other] for other in order]
        rows.append((rank, labels[at], *_elo(bots[at], bots[at]["points"], games), share, *cells))
    print_table((">rank", "bot", ">Elo", ">±", ">share", *heads), rows)


def _games(bot: Mapping[str, Any]) -> int:
    return int(bot["wins"] + bot["draws"] + bot["losses"])


def _share(bot: Mapping[str, Any]) -> float:
    games = _games(bot)
    return float(bot["points"]) / games if games else 0.0


def _elo(told: Mapping[str, Any], points: float, games: int) -> tuple[str, str]:
    """Elo and its error; where all games were won or lost it is beyond what they can tell."""
    if told["elo"] is None:
        beyond = "-inf" if not points else "inf" if points == games else ""
        return beyond if games else "", ""
    return f"{round(told['elo'], 1) + 0.0:+.1f}", "" if told[
        "elo_error"
    ] is None else f"{told['elo_error']:.1f}"


def _pair_row(pair: Mapping[str, Any], labels: Sequence[str]) -> tuple[object, ...]:
    better = "" if pair["superiority"] is None else f"{100 * pair['superiority']:.1f} %"
    counts = (pair[key] for key in ("games", "wins", "draws", "losses"))
    elo = _elo(pair, pair["points"][0], pair["games"])
    return (_named(pair, labels), *counts, amount(pair["points"][0]), *elo, better)


def _test(pair: Mapping[str, Any], labels: Sequence[str]) -> str:
    test = pair["sprt"]
    low, high = test["bounds"]
    return say(
        "{pair}: {verdict}, log-likelihood ratio {llr:.2f} between {low:.2f} and {high:.2f}",
        pair=_named(pair, labels),
        verdict=say(VERDICTS[test["verdict"]]),
        llr=test["llr"],
        low=low,
        high=high,
    )


def _named(pair: Mapping[str, Any], labels: Sequence[str]) -> str:
    one, other = (labels[at] for at in pair["bots"])
    return say("{one} v {other}", one=one, other=other)
