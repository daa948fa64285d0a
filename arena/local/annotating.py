"""The games of a record file annotated by processes on this machine; one goes on where another ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from arena.core.words import say
from arena.local.analysis import Analysed, analysed
from arena.local.annotations import Annotation, AnnotationFile, digest_of
from arena.local.errors import InputError, LocalError
from arena.local.records import moves_of, read_matches
from engines.game import GameError
from workers.core.contract import MatchSpec
from workers.core.errors import SpecError
from workers.play.estimating import Estimated, Sight, estimates_of, read_estimates, sight_of
from workers.play.pool import breakable, processes
from workers.play.referee import game_of

AHEAD: Final = 4
"""Games given to the pool for each of its processes."""


class Todo(NamedTuple):
    """A game to be annotated: its name in the record, its digest, and what was played.

    `sight` is how it is to be estimated, if it is, and `solved` what is known of it exactly, if that is.
    """

    name: str
    digest: str
    spec: MatchSpec
    moves: tuple[str, ...]
    sight: Sight | None
    solved: Analysed | None


class Done(NamedTuple):
    """What became of the games that had no annotation yet, to that depth.

    `new` is how many have one now, and `unsolved` why each other has none, by its digest. Of `again` of the
    new ones the exact values were there.
    """

    new: int
    again: int
    unsolved: dict[str, str]


def annotate(path: Path, file: AnnotationFile, *, depth: int, jobs: int, advance: Callable[[], None]) -> Done:
    """Annotate the games of a record that the file has not yet, with estimates to that depth; 0 for none.

    Each that could be judged is in the file as soon as it is done; of the others it tells why, and the next
    run tries again. `advance` is called for every game of the record.

    Raises:
        InputError: a game's rules are not here, or its moves not theirs.
        LocalError: a process that analyses was killed.
    """
    new, unsolved = list[str](), dict[str, str]()

    def keep(done: Annotation) -> None:
        if done.analysis.unsolved is None:
            file.add(done)
            new.append(done.digest)
        else:
            unsolved[done.digest] = done.analysis.unsolved
        advance()

    todo = _todo(path, file, depth, advance)
    if jobs == 1:
        for each in todo:
            keep(_annotation(each))
    else:
        _in_pool(todo, jobs, keep)
    return Done(len(new), len(file.digests.intersection(new)), unsolved)


def _todo(path: Path, file: AnnotationFile, depth: int, advance: Callable[[], None]) -> Iterator[Todo]:
    seen = set[str]()
    for name, record in read_matches(path):
        moves = moves_of(record)
        digest = digest_of(record.spec, moves)
        with _naming(name):
            sight = sight_of(game_of(record.spec), depth)
        if digest in seen or file.has(digest, sight):
            advance()
        else:
            seen.add(digest)
            yield Todo(name, digest, record.spec, moves, sight, file.solved(digest))


def _in_pool(todo: Iterator[Todo], jobs: int, keep: Callable[[Annotation], None]) -> None:
    running: set[Future[Annotation]] = set()

    def take() -> None:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            running.remove(future)
            keep(future.result())

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


def _annotation(todo: Todo) -> Annotation:
    spec, moves, sight = todo.spec, todo.moves, todo.sight
    with _naming(todo.name), breakable():
        solved = todo.solved or analysed(spec, moves)
        seen = _estimated(todo, sight, solved) if sight and solved.unsolved is None else None
    return Annotation(
        digest=todo.digest,
        estimated=seen,
        game=spec.game,
        opening=len(spec.opening),
        moves=moves,
        analysis=solved,
    )


def _estimated(todo: Todo, sight: Sight, known: Analysed) -> Estimated:
    """The positions of a game before those of which everything is known."""
    game, moves, lost = game_of(todo.spec), todo.moves, known.lost
    count = known.positions[0].ply if known.positions else len(moves) + 1
    found = estimates_of(game, moves, count, sight)
    opening = len(todo.spec.opening)
    return read_estimates(game, moves, opening, found, (lost.seat, lost.ply) if lost else None)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """What is wrong with a game is told with its name in the record."""
    try:
        yield
    except (GameError, SpecError) as error:
        raise InputError(f"{name}: {error}") from None
