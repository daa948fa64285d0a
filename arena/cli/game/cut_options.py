"""Options of `arena solve` for work that is cut up, and for proofs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.simulate.command import Where

MEBIBYTE = 1 << 20


class _Options:
    """Options of which it can be said whether any was given."""

    @property
    def given(self) -> bool:
        """Whether one of them is not as it is by default."""
        return self != type(self)()


@dataclass(frozen=True)
class CutOptions(_Options):
    """By how many processes a position is solved, or by an arena's workers, and what is written."""

    on: Annotated[Where, typer.Option(help="Solve it on this machine, or on the arena's workers.")] = (
        Where.HERE
    )
    wait: Annotated[bool, typer.Option("--wait", help="With --on workers: wait until it is solved.")] = False

    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", metavar="N", min=1, max=1024, help="Processes [default: one a processor]."
        ),
    ] = None
    memory: Annotated[
        int | None,
        typer.Option(
            metavar="MIB",
            min=1,
            max=1 << 20,
            help="MiB in which each process keeps positions [default: 256; on workers 64].",
        ),
    ] = None
    frontier: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=63,
            help="Solve positions of at most N empty squares as they stand"
            " [default: the checkpoint's, else six fewer than there are, at most 26].",
        ),
    ] = None
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep what is known there, and go on from what it holds, on any machine."
        ),
    ] = None
    proof: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the proof of the value there, compressed if it ends with .gz."
        ),
    ] = None


@dataclass(frozen=True)
class CheckOptions(_Options):
    """How much of a proof is solved again."""

    sample: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Solve N leaves again, drawn by lot [default: 20]."),
    ] = None
    every: Annotated[bool, typer.Option("--all", help="Solve all leaves again: then it is a proof.")] = False
    plain: Annotated[
        bool, typer.Option("--plain", help="Solve them by the plain rules, without the compiled kernel.")
    ] = False
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides which are drawn.")] = 0
