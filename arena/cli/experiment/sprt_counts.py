"""`arena experiment sprt`: what a sequential test says of games that were counted anywhere."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from arena.cli.shared.options import AsJson
from arena.cli.shared.output import print_json, print_line
from arena.cli.simulate.command import Confidence
from arena.cli.simulate.sprt_options import Alpha, Beta, Scale, ScaleName, sprt_of
from arena.core.words import say

COUNT = re.compile("[0-9]{1,12}")


def sprt(
    counts: Annotated[
        str,
        typer.Argument(
            metavar="COUNTS",
            help="Losses, draws and wins, or pairs of games by half points 0 to 4: 10,25,40,30,12.",
        ),
    ],
    *,
    elo0: Annotated[float, typer.Option(metavar="ELO", help="The first is better by so little …")] = 0.0,
    elo1: Annotated[float, typer.Option(metavar="ELO", help="… or by so much.")] = 10.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    elo: Scale = ScaleName.LOGISTIC,
    confidence: Confidence = 0.95,
    as_json: AsJson = False,
) -> None:
    """Say how a sequential test stands after counted games, with both Elo scales and their intervals."""
    from arena.cli.shared.failures import UsageError
    from arena.cli.simulate.report import sprt_lines
    from arena.theory.statistics.stopping import counts_summary

    observed = _counts(counts)
    model = "pentanomial" if len(observed) == 5 else "trinomial"
    test = sprt_of((elo0, elo1), alpha=alpha, beta=beta, model=model, elo=elo.value, look=1)
    if not 0 < confidence < 1:
        raise UsageError(
            say("--confidence lies between 0 and 1, such as 0.95, not {confidence:g}", confidence=confidence)
        )
    summary = counts_summary(test, observed, confidence)
    if as_json:
        print_json(summary)
        return
    for line in sprt_lines(summary):
        print_line(line)
    if plain := summary["plain"]:
        for scale in ("logistic", "normalized"):
            print_line(
                say(
                    "{scale} Elo {what:+.2f} ± {what2:.2f} without the stop",
                    scale=scale,
                    what=plain[scale],
                    what2=plain[scale + "_error"],
                )
            )


def _counts(text: str) -> list[int]:
    from arena.cli.shared.failures import UsageError

    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in {3, 5} or not all(COUNT.fullmatch(part) for part in parts):
        raise UsageError(
            say(
                "COUNTS are three or five whole numbers of at most 12 digits with commas, such as 30,45,38, "
                "not {it!r}",
                it=text[:80],
            )
        )
    return [int(part) for part in parts]
