"""The games of a record file annotated by processes on this machine, which can be stopped and gone on with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Final

from arena.core.words import say
from arena.local.analysis import analysed
from arena.local.annotations import Annotation, AnnotationFile, annotations, digest_of
from arena.local.errors import InputError, LocalError
from arena.local.records import as_match, moves_of, read_records
from arena.theory.statistics.accuracy import STAGES, Accuracy, Losses, choice, stage_of
from engines.game import GameError, Seat
from engines.solvers import Progress, no_progress
from workers.core.contract import MatchRecord, MatchSpec
from workers.core.errors import SpecError
from workers.play.pool import breakable, processes
from workers.simulation.contract import GameRecord

AHEAD: Final = 4
"""Games given to the pool for each of its processes."""
Todo = tuple[str, str, MatchSpec, tuple[str, ...]]
"""A game to be annotated: its name in the record, its digest, and what was played."""


def matches(path: Path) -> Iterator[tuple[str, MatchRecord]]:
    """Every game of a record file with its name `FILE#n`, simulated ones too.

    Raises:
        InputError: a line is none.
    """
    for number, record in enumerate(read_records(path), start=1):
        yield f"{path.name}#{number}", as_match(record) if isinstance(record, GameRecord) else record


def annotate(
    path: Path,
    file: AnnotationFile,
    *,
    jobs: int,
    advance: Callable[[], None],
    progress: Progress = no_progress,
) -> int:
    """Annotate the games of a record that the file has not yet; how many those were.

    Each is in the file as soon as it is done. `advance` is called for every game of the record, `progress`
    with how far a table is that one process builds.

    Raises:
        InputError: a game's rules are not here, or its moves not theirs.
        LocalError: a process that analyses was killed.
    """
    before = len(file.digests)
    todo = _todo(path, file, advance)
    if jobs == 1:
        for each in todo:
            file.add(_annotation(each, progress))
            advance()
    else:
        _in_pool(todo, file, jobs, advance)
    return len(file.digests) - before


def _todo(path: Path, file: AnnotationFile, advance: Callable[[], None]) -> Iterator[Todo]:
    seen = set(file.digests)
    for name, record in matches(path):
        moves = moves_of(record)
        digest = digest_of(record.spec, moves)
        if digest in seen:
            advance()
        else:
            seen.add(digest)
            yield name, digest, record.spec, moves


def _in_pool(todo: Iterator[Todo], file: AnnotationFile, jobs: int, advance: Callable[[], None]) -> None:
    running: set[Future[Annotation]] = set()

    def take() -> None:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            file.add(future.result())
            running.remove(future)
            advance()

    try:
        with processes(jobs) as pool:
            for each in todo:
                running.add(pool.submit(_annotation, each))
                if len(running) == jobs * AHEAD:
                    take()
            while running:
                take()
    except BrokenProcessPool:
        raise LocalError(
            say("a process that analyses was killed; what is done is kept, the same command goes on")
        ) from None


def _annotation(todo: Todo, progress: Progress = no_progress) -> Annotation:
    name, digest, spec, moves = todo
    try:
        with breakable():
            told = analysed(spec, moves, progress)
    except (GameError, SpecError) as error:
        raise InputError(f"{name}: {error}") from None
    return Annotation(
        **dict(told), digest=digest, game=spec.game, opening=len(spec.opening), moves=moves
    )


def report(path: Path, annotated: Path) -> dict[str, Any]:
    """How well the bots of a record have played by the annotations of its games, in JSON's terms.

    Bots are told apart by name. A game without annotation counts nowhere.

    Raises:
        InputError: a file cannot be read.
    """
    games = {each.digest: (each.unsolved, _accuracy(each, 0), _accuracy(each, 1)) for each in annotations(annotated)}
    bots: defaultdict[str, Accuracy] = defaultdict(Accuracy)
    unsolved: Counter[str] = Counter()
    count = 0
    for _, record in matches(path):
        why, *of_seats = games[digest_of(record.spec, moves_of(record))]
        count += 1
        unsolved.update([why] if why else [])
        for bot, accuracy in zip(record.spec.bots, of_seats, strict=True):
            bots[bot.name] += accuracy
    return {
        "games": count,
        "unsolved": [{"why": why, "games": number} for why, number in unsolved.most_common()],
        "bots": [_told(name, bots[name]) for name in sorted(bots)],
    }


def _accuracy(annotation: Annotation, seat: Seat) -> Accuracy:
    """How well that seat has played one game."""
    stages, moves = [Losses() for _ in STAGES], 0
    movers = {each.ply + 1: each for each in annotation.positions}
    for each in annotation.positions:
        before = movers.get(each.ply)
        if each.judgement is None or before is None or before.seat != seat:
            continue
        moves += 1
        if each.judgement.choice:
            points = None if each.margin is None else each.judgement.points
            stages[stage_of(each.ply, annotation.plies)] += choice(each.judgement.loss, points)
    return Accuracy(int(moves > 0), moves, tuple(stages))


def _told(name: str, accuracy: Accuracy) -> dict[str, Any]:
    stages = [
        {"stage": stage, **_losses(losses)} for stage, losses in zip(STAGES, accuracy.stages, strict=True)
    ]
    whole = {"games": accuracy.games, "moves": accuracy.moves, **_losses(accuracy.whole)}
    return {"bot": name, **whole, "stages": stages}


def _losses(losses: Losses) -> dict[str, Any]:
    return {
        "choices": losses.choices,
        "accuracy": losses.accuracy,
        "loss": losses.mean_loss,
        "points": losses.mean_points,
        "blunders": losses.blunders,
    }
