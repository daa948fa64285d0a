"""`arena solve`: a position that is solved by many processes, and proofs that are checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.game.cut_options import MEBIBYTE, CheckOptions, CutOptions
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.output import note, print_json, print_line
from arena.cli.shared.solutions import solution_lines
from arena.core.words import say, say_many
from arena.local.files import require_place

if TYPE_CHECKING:
    from engines.solvers.reversi_cut import Standing
    from engines.solvers.reversi_work import Cut, Work

MEMORY_MIB = 256
SAMPLE = 20
TOLD_SECONDS = 10.0
"""So often it is told how far it is."""


def solve_cut(work: Work, options: CutOptions, *, force: bool, as_json: bool) -> None:
    """Solve a position, and print what came out, or what is known when it was broken off.

    Raises:
        CliError: it was broken off.
    """
    from arena.local.cutting import Cutting
    from arena.local.proof_file import write_proof
    from workers.play.pool import cpu_count, interrupts

    if options.proof is not None:
        require_place(options.proof, force=force)
    memory, jobs = options.memory or MEMORY_MIB, options.jobs or cpu_count()
    size = say_many(
        "{number} process with {memory:,} MiB for positions",
        "{number} processes with {memory:,} MiB for positions each",
        jobs,
        memory=memory,
    )
    cutting = Cutting(work, jobs=jobs, memory=memory * MEBIBYTE, frontier=options.frontier)
    begun = time.monotonic()
    with interrupts() as stopped:
        cut = cutting.run(options.checkpoint, stopped, _teller(work, size))
    told = work.solution(cut) | {
        "leaves": cutting.leaves,
        "nodes": cutting.nodes,
        "seconds": round(time.monotonic() - begun, 3),
    }
    if cut.done and options.proof is not None:
        told["proof_bytes"] = write_proof(options.proof, work.proof(cut), force=force)
    if as_json:
        print_json(told)
    else:
        for line in _lines(told):
            print_line(line)
    if not cut.done:
        raise CliError(
            say("interrupted; the same command goes on from there")
            if options.checkpoint
            else say("interrupted, and nothing was kept: name a --checkpoint")
        )


def verify_proof(file: Path | None, options: CheckOptions, *, as_json: bool) -> None:
    """Check a proof, and print what it shows.

    Raises:
        UsageError: no file is named, or both --all and --sample are.
        CliError: it is refused.
    """
    from arena.cli.shared.progress import following
    from arena.local.errors import in_words
    from arena.local.proof_file import proof_lines
    from engines.solvers.reversi_verifier import ProofError, verify

    if file is None:
        raise UsageError(say("name the file of the proof: arena solve verify FILE"))
    if options.every and options.sample is not None:
        raise UsageError(say("--all and --sample contradict each other: give one of them"))
    sample = None if options.every else SAMPLE if options.sample is None else options.sample
    try:
        with following(say("solving leaves")) as progress:
            found = verify(
                proof_lines(file), sample=sample, seed=options.seed, plain=options.plain, progress=progress
            )
    except ProofError as error:
        words = say(
            "{file} is refused: line {line}: {error}", file=file, line=error.line, error=in_words(error)
        )
        raise CliError(words) from None
    if as_json:
        print_json(found._asdict())
        return
    told = found._asdict() | {"low": found.value, "high": found.value}
    for line in solution_lines(found.game, told):
        print_line(line)
    print_line(
        say_many(
            "{number:,} position replayed, {solved:,} of {leaves:,} leaves solved again",
            "{number:,} positions replayed, {solved:,} of {leaves:,} leaves solved again",
            found.positions,
            solved=found.solved,
            leaves=found.leaves,
        )
    )
    if found.solved < found.leaves:
        print_line(say("It is proven if the other leaves are right, too; --all solves them all"))


def _teller(work: Work, first: str) -> Callable[[Cut, int], None]:
    """Tells on standard error what is said first, and then how far it is, not too often."""
    begun = time.monotonic()
    last: float | None = None

    def tell(cut: Cut, leaves: int) -> None:
        nonlocal last
        if last is None:
            note(first)
            last = begun
        now = time.monotonic()
        if now < last + TOLD_SECONDS:
            return
        last = now
        note(_progress(work.standing(cut), (now - begun) / max(leaves, 1)))

    return tell


def _progress(standing: Standing, seconds: float) -> str:
    """How far it is; `seconds` is what a leaf has taken, by all processes together."""
    forecast = standing.forecast
    return say(
        "value {low} to {high}; at least {at_least}? {share:.2%} decided, {answers:,} leaves solved;"
        " forecast {left:,.0f} more, {minutes:,.0f} min (it has moved from {least:,.0f} to {most:,.0f})",
        **standing._asdict() | forecast._asdict() | {"minutes": forecast.left * seconds / 60},
    )


def _lines(told: dict[str, Any]) -> Iterator[str]:
    yield from solution_lines(told["game"], told)
    if told["interrupted"]:
        yield say(
            "Of the question whether it is at least {at_least}, {share:.2%} is decided",
            at_least=told["at_least"],
            share=told["share"],
        )
    elif told["moves"]:
        yield say("Best first moves: {moves}", moves=" ".join(told["moves"]))
    yield say(
        "Solved leaves: {leaves:,} in {seconds:,.1f} s; positions searched: {nodes:,}, known: {known:,}",
        leaves=told["leaves"],
        seconds=told["seconds"],
        nodes=told["nodes"],
        known=told["known"],
    )
    if "proof_bytes" in told:
        yield say(
            "The proof has {size}", size=say_many("{number:,} byte", "{number:,} bytes", told["proof_bytes"])
        )
