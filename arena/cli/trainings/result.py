"""What is told of a player that was learned."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.cli.shared.output import print_line, print_table
from arena.core.words import say, say_many


def print_curve(rounds: Sequence[Mapping[str, Any]], curve: Sequence[Mapping[str, Any]]) -> None:
    """What the rounds of a plan came to that are whole, as `arena.local.trained.recipe` has it."""
    columns = (">round", ">games", ">depth", ">error", ">error taught", ">points", ">low", ">high")
    rows = []
    for plan, each in zip(rounds, curve, strict=False):
        errors = (f"{math.sqrt(each[name]):.2f}" for name in ("error", "error_taught"))
        shares = (f"{each[name] / each['games']:.1%}" for name in ("points", "points_low", "points_high"))
        rows.append((each["round"], f"{plan['games']:,}", plan["depth"], *errors, *shares))
    if rows:
        print_table(columns, rows)
        print_line(say("error: root mean square in discs, on every 16th game, which is held out"))
        print_line(
            say("points: against the round before, in the first against mobility alone; 95 % interval")
        )


def print_result(told: dict[str, Any], folder: Path) -> None:
    """What came out, and what lies in the folder."""
    print_curve(told["rounds"], told["curve"])
    if told["weights"]:
        size = say_many("{number:,} byte", "{number:,} bytes", told["weights"]["bytes"])
        print_line(
            say(
                "{path}: {size}, SHA-256 {digest}",
                path=folder / told["weights"]["file"],
                size=size,
                digest=told["weights"]["sha256"],
            )
        )
