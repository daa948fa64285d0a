"""`arena experiment compare` and `arena experiment plan`: statistics that need no server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.theory.statistics.scores import Estimate
    from workers.simulation.contract import SimulationSpec, Tally

Confidence = Annotated[float, typer.Option(metavar="SHARE", help="Confidence of the intervals.")]


class Result(NamedTuple):
    """A simulation that a file tells of."""

    path: Path
    spec: SimulationSpec
    tally: Tally

    def score(self, confidence: float) -> Estimate:
        """The first player's mean score."""
        from arena.theory.statistics.stopping import first_score

        return first_score(self.spec, self.tally, confidence)


def compare(
    one: Annotated[Path, typer.Argument(metavar="A.json", help="What `arena simulate --json` printed.")],
    other: Annotated[Path, typer.Argument(metavar="B.json", help="Another such file.")],
    *,
    confidence: Confidence = 0.95,
    as_json: AsJson = False,
) -> None:
    """Compare the first players' mean scores in two simulations, with the p-value of their difference."""
    from arena.theory.statistics import comparison

    _check_confidence(confidence)
    results = read_result(one), read_result(other)
    chances = [(result.spec.game, result.spec.seed, result.spec.match) for result in results]
    if chances[0] == chances[1]:
        note(
            say("both have the same seed and match: their games share their chance, and are not independent")
        )
    estimates = results[0].score(confidence), results[1].score(confidence)
    experiments = [_told(result, each) for result, each in zip(results, estimates, strict=True)]
    counts = results[0].tally.wins_draws_losses, results[1].tally.wins_draws_losses
    compared = comparison.compare(*counts, estimates=estimates, confidence=confidence)
    if as_json:
        told = compared._asdict() | {"interval": compared.interval._asdict(), "confidence": confidence}
        print_json({"experiments": experiments} | told)
        return
    columns = ("", ">games", ">wins", ">draws", ">losses", ">score", ">error")
    print_table(columns, map(_cells, experiments))
    low, high = compared.interval
    print_line(
        say(
            "difference {difference:+.5f} ± {error:.5f}  [{low:+.5f}, {high:+.5f}]",
            difference=compared.difference,
            error=compared.error,
            low=low,
            high=high,
        )
    )
    print_line(
        say("p = {p_value:.3g}, two-sided; test: {test}", p_value=compared.p_value, test=compared.test)
    )


def _told(result: Result, estimate: Estimate) -> dict[str, Any]:
    wins, draws, losses = result.tally.wins_draws_losses
    counts = {"games": result.tally.games, "wins": wins, "draws": draws, "losses": losses}
    return {"file": str(result.path)} | counts | {"score": estimate.mean, "error": estimate.error}


def _cells(told: dict[str, Any]) -> list[str]:
    *counted, score, error = list(told.values())[1:]
    return [told["file"], *(f"{count:,}" for count in counted), f"{score:.5f}", f"{error:.5f}"]


def plan(
    *,
    half_width: Annotated[
        float | None, typer.Option(metavar="W", help="Know the mean score to within W to each side.")
    ] = None,
    detect: Annotated[
        float | None, typer.Option(metavar="D", help="Tell two mean scores apart that differ by D.")
    ] = None,
    power: Annotated[float, typer.Option(metavar="SHARE", help="Probability of detecting it.")] = 0.9,
    confidence: Confidence = 0.95,
    score: Annotated[
        float, typer.Option(metavar="SHARE", help="Mean score expected (with --detect: the first).")
    ] = 0.5,
    draws: Annotated[float, typer.Option(metavar="SHARE", help="Share of drawn games expected.")] = 0.0,
    as_json: AsJson = False,
) -> None:
    """Say how many games are needed to know a mean score, or to tell two of them apart."""
    from arena.theory.statistics.planning import games_for_half_width, games_to_detect

    _check_confidence(confidence)
    if (half_width is None) == (detect is None):
        raise UsageError(say("give either --half-width or --detect"))
    try:
        if half_width is not None:
            games = games_for_half_width(half_width, confidence, score, draws)
        else:
            games = games_to_detect(detect or 0.0, power, confidence, score, draws)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if as_json:
        asked = {"half_width": half_width, "detect": detect, "power": None if detect is None else power}
        print_json({"games": games} | asked | {"confidence": confidence, "score": score, "draws": draws})
        return
    each = "" if detect is None else say(" in each of the two experiments")
    print_line(say("{games}{each}", games=say_many("{number:,} game", "{number:,} games", games), each=each))


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise UsageError(
            say("--confidence lies between 0 and 1, such as 0.95, not {confidence:g}", confidence=confidence)
        )


def read_result(path: Path) -> Result:
    """The simulation whose results, as JSON, the file holds.

    Raises:
        UsageError, InputError: it cannot be read, or holds something else, or no games.
    """
    from pydantic import ValidationError

    from arena.local.files import text_of
    from workers.simulation.contract import SimulationSpec, Tally

    try:
        results = json.loads(text_of(path))
        result = Result(
            path, SimulationSpec.model_validate(results["spec"]), Tally.model_validate(results["tally"])
        )
    except (ValueError, KeyError, TypeError, RecursionError, ValidationError):
        raise UsageError(
            say("{path} does not hold the results of a simulation (`arena simulate --json`)", path=path)
        ) from None
    if not result.tally.games:
        raise UsageError(say("{path} holds a simulation without games", path=path))
    return result
