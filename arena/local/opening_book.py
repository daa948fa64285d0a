"""An opening book made by processes on this machine, and the recipe by which anybody makes it again."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from importlib.metadata import version
from typing import Any, Final

from arena.core.words import say
from arena.local.errors import LocalError
from bots.reference.books import Judge, begin_book, find_judge
from bots.reference.estimates import estimated_by
from engines.game import Game
from engines.solvers.reversi_book import Book, BookPlan, Position
from workers.play.pool import breakable, killable, processes

POLL_SECONDS: Final = 0.2
"""How soon it is noticed that somebody wants it to stop."""
SIZE: Final = 16
"""So many positions are searched in one call of a process."""


def make_book(
    game: Game[Any],
    plan: BookPlan,
    *,
    jobs: int,
    told: Callable[[Book], None],
    stopped: threading.Event,
) -> Book | None:
    """Have a book grow until it is whole; None where `stopped` is set before that.

    `told` is called with it whenever all positions are searched that were wanted.

    Raises:
        SolverError: there are no books of such a game, or none can be made here.
        LocalError: a process has died.
    """
    book = begin_book(game, plan)
    try:
        with processes(jobs, _begin, game) as pool:
            while not stopped.is_set() and (wanted := book.wanted()):
                parts = [wanted[at : at + SIZE] for at in range(0, len(wanted), SIZE)]
                running = {
                    pool.submit(_search, [(each, book.depth(each)) for each in part]): part for part in parts
                }
                _take_in(book, running, stopped)
                if not stopped.is_set():
                    told(book)
    except BrokenProcessPool:
        if stopped.is_set():  # whoever stops this may end all its processes
            return None
        raise LocalError(say("a process that searched has died; the same command begins anew")) from None
    return None if stopped.is_set() else book


def recipe(game: Game[Any], plan: BookPlan, book: Book) -> dict[str, Any]:
    """What the book follows from, and what it is, for JSON; `by` is the search with its weights."""
    content = book.packed()
    return {
        "arena": version("bot-arena"),
        "game": game.name,
        "rules": game.version,
        "params": game.params,
        "by": estimated_by(game),
        **plan._asdict(),
        "command": command(game, plan),
        "searched": book.searched,
        "value": book.value(),
        "book": {
            "positions": len(book.pages()),
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        },
    }


def command(game: Game[Any], plan: BookPlan) -> str:
    """The command line that makes the same book in another file."""
    params = " ".join(f"--param {name}={json.dumps(value)}" for name, value in sorted(game.params.items()))
    asked = f"--depth {plan.depth} --plies {plan.plies} --loss {plan.loss:g}"
    return f"arena book {game.name} {params} {asked} --out FILE"


def _take_in(
    book: Book, running: dict[Future[list[float]], list[Position]], stopped: threading.Event
) -> None:
    """Add what the processes find to the book, until it is all, or `stopped` is set."""
    while running and not stopped.is_set():
        for future in wait(running, POLL_SECONDS, FIRST_COMPLETED).done:
            for position, value in zip(running.pop(future), future.result(), strict=True):
                book.add(position, value)


_judges: list[Judge] = []


def _begin(game: Game[Any]) -> None:
    """Begin a process of the pool: with what judges the game's positions."""
    _judges[:] = [find_judge(game)]


def _search(jobs: Sequence[tuple[Position, int]]) -> list[float]:
    """In a process of the pool: what positions are worth to their movers."""
    (judge,) = _judges
    with breakable(), killable():
        return [judge(*job) for job in jobs]
