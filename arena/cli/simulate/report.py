"""What a simulation came to, in words, as JSON and as a table in a file."""

from __future__ import annotations

import csv as csv_format
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arena.cli.shared.failures import CliError
from arena.cli.shared.output import print_json, print_line, print_table
from arena.experiments.simulations import OUTCOMES, summarise, table
from arena.local.files import write_whole
from arena.theory.statistics.intervals import Method
from arena.theory.statistics.sprt import MAX_ELO, Sprt
from arena.theory.statistics.stopping import sprt_summary
from workers.simulation.contract import SimulationSpec, Tally


class Finished(NamedTuple):
    """A run that ended: what was played, and how long this run took for the games that it played itself.

    `stopped` says that the stopping rule ended it, `trouble` what else did before all games were played.
    """

    spec: SimulationSpec
    tally: Tally
    confidence: float
    interval: Method
    seconds: float
    played_now: int
    stopped: bool
    trouble: str = ""
    sprt: Sprt | None = None


def report(finished: Finished, *, csv: Path | None, force: bool = False, as_json: bool) -> None:
    """Print the results; a run that was broken off exits with 1 after them.

    Raises:
        UsageError: the table cannot be written.
        CliError: the run was broken off.
    """
    summary = summarise(finished.spec, finished.tally, finished.confidence, finished.interval)
    if finished.sprt is not None:
        summary["sprt"] = sprt_summary(finished.sprt, finished.tally, finished.confidence)
    summary |= {
        "stopped": finished.stopped,
        "interrupted": bool(finished.trouble),
        "run": {
            "games": finished.played_now,
            "seconds": round(finished.seconds, 3),
            "games_per_second": round(finished.played_now / max(finished.seconds, 1e-9), 1),
        },
    }
    print_json(summary) if as_json else _print(finished, summary)
    if csv:
        write_whole(csv, [_csv(summary)], force=force)
    if finished.trouble:
        raise CliError(
            f"{finished.trouble} after {finished.tally.games:,} of {finished.spec.games:,} games;"
            " the same command goes on from there"
        )


def _print(finished: Finished, summary: dict[str, Any]) -> None:
    spec, tally = finished.spec, finished.tally
    params = ", ".join(f"{name}={value}" for name, value in spec.game.params.items())
    print_line(f"{spec.game.name} {params}".rstrip())
    print_line(f"first player: {spec.players[0].name}; second player: {spec.players[1].name}")
    print_line(f"seed {spec.seed}, match {spec.match}{_openings(finished)}\n")
    if summary["first"] is None:
        print_line("no games were played")
        return
    seats = [(f"in seat {part['seat']}", part) for part in summary["by_seat"]] if spec.swap else []
    parts = [*seats, ("all games", summary["first"])]
    columns = ("first player", "", ">games", ">share", "interval")
    print_table(
        columns,
        [row for where, part in parts for row in _rows(where, part, draws=summary["first"]["draws"] > 0)],
    )
    for line in _remarks(finished, summary):
        print_line(line)
    run = summary["run"]
    print_line(f"{run['games']:,} games in {run['seconds']:,.1f} s ({run['games_per_second']:,.0f} a second)")
    if finished.stopped:
        why = "the interval is narrow enough" if finished.sprt is None else "the test is decided"
        print_line(f"stopped after {tally.games:,} of {spec.games:,} games: {why}")
    for line in sprt_lines(summary.get("sprt")):
        print_line(line)


def _openings(finished: Finished) -> str:
    count = len(finished.spec.openings)
    return f", {count} opening{'' if count == 1 else 's'}" if count else ""


def _rows(where: str, part: dict[str, Any], *, draws: bool) -> Iterator[tuple[str, ...]]:
    yield (where, "", f"{part['games']:,}", "", "")
    for outcome in OUTCOMES:
        if outcome != "draws" or draws:
            share = part["shares"][outcome]
            low, high = f"{100 * share['low']:.3f}", f"{100 * share['high']:.3f}"
            yield ("", outcome, f"{part[outcome]:,}", f"{100 * share['share']:.3f} %", f"{low} to {high} %")
    score = part["score"]
    mean = f"{score['mean']:.5f} ± {score['error']:.5f}"
    yield ("", "score", "", mean, f"{score['low']:.5f} to {score['high']:.5f}")


def _remarks(finished: Finished, summary: dict[str, Any]) -> list[str]:
    tally = finished.tally
    error = {"pentanomial": "pairs of games", "multinomial": "wins, draws and losses"}
    method = summary["first"]["score"]["method"]
    ends = ", ".join(f"{reason} {count:,}" for reason, count in tally.ends.items())
    basis = error.get(method, "wins and losses")
    lines = [
        f"intervals {finished.interval}, {finished.confidence:g}; error of the score by {basis}",
        f"mean plies {summary['plies_mean']:.3f}; ends: {ends}",
    ]
    if summary["scores_mean"]:
        lines.append("mean scores {:.3f} and {:.3f}".format(*summary["scores_mean"]))
    if any(tally.forfeits):
        lines.append(
            f"forfeits {tally.forfeits[0]:,} and {tally.forfeits[1]:,}; both: {tally.double_forfeits:,}"
        )
    return lines


def sprt_lines(test: dict[str, Any] | None) -> Iterator[str]:
    """How a sequential test stands, in words; nothing without one."""
    if test is None:
        return
    low, high = test["bounds"]
    told = {
        "elo1": f"{test['elo1']:g} Elo is accepted",
        "elo0": f"{test['elo0']:g} Elo is accepted",
        "undecided": "not decided",
    }
    counts = ", ".join(f"{count:,}" for count in test["counts"])
    what = "pairs by half points 0 to 4" if test["model"] == "pentanomial" else "losses, draws and wins"
    basis = f"{test['scale']}, {test['model']}"
    yield f"SPRT of {test['elo1']:g} against {test['elo0']:g} Elo ({basis}): {counts} {what}"
    ratio = f"log-likelihood ratio {test['llr']:+.3f} between {low:+.3f} and {high:+.3f}"
    yield f"{ratio}: {told[test['verdict']]}"
    for scale in ("logistic", "normalized"):
        if test[scale]:
            median, low, high = (_elo(test, scale, end) for end in ("median", "low", "high"))
            interval = f"{low} to {high}, {test['confidence']:g}"
            yield f"{scale} Elo {median} ({interval}, with the stop reckoned in)"
    if elo := test["elo"]:
        yield f"likelihood of superiority {elo['superiority']:.1%}, with the stop reckoned in"


def _elo(test: dict[str, Any], scale: str, end: str) -> str:
    """A figure of the estimate; beyond the logistic `MAX_ELO` none is looked for."""
    beyond = "beyond " if abs(test["logistic"][end]) >= MAX_ELO else ""
    return f"{beyond}{test[scale][end]:+.2f}"


def _csv(summary: dict[str, Any]) -> bytes:
    text = io.StringIO()
    csv_format.writer(text, lineterminator="\n").writerows(table(summary))
    return text.getvalue().encode()
