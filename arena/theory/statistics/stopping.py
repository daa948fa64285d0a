"""The first player's mean score in a simulation, and when it is known or tested well enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.theory.statistics.elo import plain_elo
from arena.theory.statistics.intervals import Method, quantile
from arena.theory.statistics.scores import Estimate, score_estimate
from arena.theory.statistics.sprt import SCALES, Sprt
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


def decided_by(spec: SimulationSpec, sprt: Sprt) -> Stop:
    """The rule that ends a simulation once `sprt` is decided; it is asked after every `sprt.every` games.

    Raises:
        ValueError: seats are not swapped, so that there are no pairs.
    """
    if not spec.swap:
        raise ValueError("a test by pairs of games exchanges the seats")

    def enough(tally: Tally) -> bool:
        return sprt.verdict(observations(sprt, tally)) != "undecided"

    return enough


def observations(sprt: Sprt, tally: Tally) -> tuple[int, ...]:
    """What `sprt` is asked about: pairs by half points 0 to 4, or losses, draws and wins."""
    return tally.pairs if sprt.model == "pentanomial" else tally.wins_draws_losses[::-1]


def sprt_summary(sprt: Sprt, tally: Tally, confidence: float = 0.95) -> dict[str, Any]:
    """The test, how it stands and the difference that it makes likely, ready for JSON."""
    return counts_summary(sprt, observations(sprt, tally), confidence)


def counts_summary(sprt: Sprt, counts: Sequence[int], confidence: float = 0.95) -> dict[str, Any]:
    """The same for the observations by their score, the lowest first.

    `elo` is the estimate on the test's scale, `logistic` and `normalized` on both, with the stop reckoned in;
    `plain` has no regard to it.
    """
    from arena.theory.statistics.sprt_estimate import estimate  # noqa: PLC0415 - SciPy takes long to read

    estimates = {scale: estimate(sprt, counts, confidence, scale) for scale in SCALES}
    told: dict[str, Any] = {scale: one and one._asdict() for scale, one in estimates.items()}
    plain = plain_elo(counts, confidence)
    return sprt.model_dump(mode="json", exclude={"elo"}) | {
        "scale": sprt.elo,
        "bounds": list(sprt.bounds),
        "counts": list(counts),
        "llr": sprt.ratio(counts),
        "verdict": sprt.verdict(counts),
        "elo": told[sprt.elo],
        **told,
        "plain": None if plain is None else plain._asdict(),
        "confidence": confidence,
    }


def rule_name(half_width: float | None, confidence: float, method: Method, sprt: Sprt | None = None) -> str:
    """The name of the rule for a journal; empty without one."""
    if sprt is not None:
        return f"sprt {sprt.model_dump_json()}"
    return "" if half_width is None else f"half width {half_width!r}, {method}, {confidence!r}"
