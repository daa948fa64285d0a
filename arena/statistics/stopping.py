"""The first player's mean score in a simulation, and when it is known well enough."""

from __future__ import annotations

from arena.statistics.intervals import Method, quantile
from arena.statistics.scores import Estimate, score_estimate
from workers.simulation.contract import SimulationSpec, Tally
from workers.simulation.prefix import Stop


def first_score(
    spec: SimulationSpec, tally: Tally, confidence: float = 0.95, method: Method = "wilson"
) -> Estimate:
    """The mean score of players[0]; a game that both lost counts as lost.

    Raises:
        ValueError: `tally` counts no games.
    """
    pairs = tally.pairs if spec.paired else ()
    return score_estimate(tally.wins_draws_losses, pairs, confidence, method)


def stop_at(
    spec: SimulationSpec, half_width: float, confidence: float = 0.95, method: Method = "wilson"
) -> Stop:
    """The rule that ends a simulation once the interval of `first_score` reaches `half_width` to each side.

    Looking again and again makes the interval's confidence a little less than it says, the less so the more
    games there are: Y. S. Chow and H. Robbins, *On the asymptotic theory of fixed-width sequential confidence
    intervals for the mean*, Annals of Mathematical Statistics 36 (1965) 457-462.

    Raises:
        ValueError: a number is out of range.
    """
    quantile(confidence)
    if not 0 < half_width < 0.5:
        raise ValueError(f"a half width lies between 0 and 0.5, not {half_width:g}")

    def enough(tally: Tally) -> bool:
        return first_score(spec, tally, confidence, method).interval.half_width <= half_width

    return enough


def rule_name(half_width: float | None, confidence: float, method: Method) -> str:
    """The name of that rule for a journal; empty without one."""
    return "" if half_width is None else f"half width {half_width!r}, {method}, {confidence!r}"
