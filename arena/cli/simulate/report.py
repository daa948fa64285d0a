"""What a simulation came to, in words, as JSON and as a table in a file."""

from __future__ import annotations

import csv as csv_format
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arena.cli.shared.failures import CliError
from arena.cli.shared.options import params_text
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.words import say, say_many
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
            say(
                "{trouble} after {games:,} of {games2}; the same command goes on from there",
                trouble=finished.trouble,
                games=finished.tally.games,
                games2=say_many("{number:,} game", "{number:,} games", finished.spec.games),
            )
        )


def _print_plan(finished: Finished) -> None:
    """What was to be played."""
    spec = finished.spec
    print_line(f"{spec.game.name} {params_text(spec.game.params)}".rstrip())
    print_line(
        say(
            "first player: {name}; second player: {name2}",
            name=spec.players[0].name,
            name2=spec.players[1].name,
        )
    )
    print_line(
        say(
            "seed {seed}, match {match}{finished}\n",
            seed=spec.seed,
            match=spec.match,
            finished=_openings(finished),
        )
    )


def _print(finished: Finished, summary: dict[str, Any]) -> None:
    spec, tally = finished.spec, finished.tally
    _print_plan(finished)
    if summary["first"] is None:
        print_line(say("no games were played"))
        return
    seats = (
        [(say("in seat {seat}", seat=part["seat"]), part) for part in summary["by_seat"]] if spec.swap else []
    )
    parts = [*seats, (say("all games"), summary["first"])]
    columns = ("first player", "", ">games", ">share", "interval")
    print_table(
        columns,
        [row for where, part in parts for row in _rows(where, part, draws=summary["first"]["draws"] > 0)],
    )
    for line in _remarks(finished, summary):
        print_line(line)
    run = summary["run"]
    print_line(
        say(
            "{games} in {seconds:,.1f} s ({games_per_second:,.0f} a second)",
            games=say_many("{number:,} game", "{number:,} games", run["games"]),
            seconds=run["seconds"],
            games_per_second=run["games_per_second"],
        )
    )
    if finished.stopped:
        why = say("the interval is narrow enough") if finished.sprt is None else say("the test is decided")
        print_line(
            say(
                "stopped after {games:,} of {games2}: {why}",
                games=tally.games,
                games2=say_many("{number:,} game", "{number:,} games", spec.games),
                why=why,
            )
        )
    for line in sprt_lines(summary.get("sprt")):
        print_line(line)


def _openings(finished: Finished) -> str:
    count = len(finished.spec.openings)
    return say_many(", {number} opening", ", {number} openings", count) if count else ""


def _rows(where: str, part: dict[str, Any], *, draws: bool) -> Iterator[tuple[str, ...]]:
    yield (where, "", f"{part['games']:,}", "", "")
    for outcome in OUTCOMES:
        if outcome != "draws" or draws:
            share = part["shares"][outcome]
            low, high = f"{100 * share['low']:.3f}", f"{100 * share['high']:.3f}"
            yield (
                "",
                say(outcome),
                f"{part[outcome]:,}",
                f"{100 * share['share']:.3f} %",
                say("{low} to {high} %", low=low, high=high),
            )
    score = part["score"]
    mean = f"{score['mean']:.5f} ± {score['error']:.5f}"
    yield ("", say("score"), "", mean, say("{low:.5f} to {high:.5f}", low=score["low"], high=score["high"]))


def _remarks(finished: Finished, summary: dict[str, Any]) -> list[str]:
    from arena.local.endings import ending

    tally = finished.tally
    error = {"pentanomial": say("pairs of games"), "multinomial": say("wins, draws and losses")}
    method = summary["first"]["score"]["method"]
    game = finished.spec.game.name
    ends = ", ".join(f"{ending(game, reason)} {count:,}" for reason, count in tally.ends.items())
    basis = error.get(method, say("wins and losses"))
    lines = [
        say(
            "intervals {interval}, {confidence:g}; error of the score by {basis}",
            interval=finished.interval,
            confidence=finished.confidence,
            basis=basis,
        ),
        say("mean plies {plies_mean:.3f}; ends: {ends}", plies_mean=summary["plies_mean"], ends=ends),
    ]
    if summary["scores_mean"]:
        lines.append(say("mean scores {:.3f} and {:.3f}").format(*summary["scores_mean"]))
    if any(tally.forfeits):
        lines.append(
            say(
                "forfeits {what:,} and {what2:,}; both: {double_forfeits:,}",
                what=tally.forfeits[0],
                what2=tally.forfeits[1],
                double_forfeits=tally.double_forfeits,
            )
        )
    return lines


def sprt_lines(test: dict[str, Any] | None) -> Iterator[str]:
    """How a sequential test stands, in words; nothing without one."""
    if test is None:
        return
    low, high = test["bounds"]
    told = {
        "elo1": say("{elo:g} Elo is accepted", elo=test["elo1"]),
        "elo0": say("{elo:g} Elo is accepted", elo=test["elo0"]),
        "undecided": say("not decided"),
    }
    counts = ", ".join(f"{count:,}" for count in test["counts"])
    what = (
        say("pairs by half points 0 to 4")
        if test["model"] == "pentanomial"
        else say("losses, draws and wins")
    )
    basis = f"{test['scale']}, {test['model']}"
    yield say(
        "SPRT of {elo:g} against {elo2:g} Elo ({basis}): {counts} {what}",
        elo=test["elo1"],
        elo2=test["elo0"],
        basis=basis,
        counts=counts,
        what=what,
    )
    ratio = say(
        "log-likelihood ratio {llr:+.3f} between {low:+.3f} and {high:+.3f}",
        llr=test["llr"],
        low=low,
        high=high,
    )
    yield f"{ratio}: {told[test['verdict']]}"
    for scale in ("logistic", "normalized"):
        if test[scale]:
            median, low, high = (_elo(test, scale, end) for end in ("median", "low", "high"))
            interval = say(
                "{low} to {high}, {confidence:g}", low=low, high=high, confidence=test["confidence"]
            )
            yield say(
                "{scale} Elo {median} ({interval}, with the stop reckoned in)",
                scale=scale,
                median=median,
                interval=interval,
            )
    if elo := test["elo"]:
        yield say(
            "likelihood of superiority {superiority:.1%}, with the stop reckoned in",
            superiority=elo["superiority"],
        )


def _elo(test: dict[str, Any], scale: str, end: str) -> str:
    """A figure of the estimate; beyond the logistic `MAX_ELO` none is looked for."""
    beyond = say("beyond ") if abs(test["logistic"][end]) >= MAX_ELO else ""
    return f"{beyond}{test[scale][end]:+.2f}"


def _csv(summary: dict[str, Any]) -> bytes:
    text = io.StringIO()
    csv_format.writer(text, lineterminator="\n").writerows(table(summary))
    return text.getvalue().encode()
