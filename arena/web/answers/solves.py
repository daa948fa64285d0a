"""Games that are solved on the workers: how far they are, and the files of what is known and of the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.terms import MatchState
from arena.experiments import solves
from arena.schemas.solves import SolveOut, SolveStaff, SolveStanding
from arena.store import solves as store
from arena.store.models import Solve, User
from arena.web.answers.copying import copied
from arena.web.http.dependencies import Services
from arena.web.http.download import Download, Texts

MEDIA_TYPE = "text/plain; charset=us-ascii"


def solve_of(session: Session, viewer: User | None, solve: Solve) -> SolveOut:
    """The solve as `viewer` may see it."""
    (told,) = solves_of(session, viewer, [solve])
    return told


def solves_of(session: Session, viewer: User | None, rows: Sequence[Solve]) -> list[SolveOut]:
    """Solves as `viewer` may see them, in their order."""
    leaves = store.leaf_counts(session, rows)
    return [_told(viewer, row, leaves[row.id]) for row in rows]


def _told(viewer: User | None, solve: Solve, leaves: Counter[MatchState]) -> SolveOut:
    running = leaves[MatchState.RUNNING]
    return copied(
        SolveOut,
        solve,
        game=solves.game_of(solve),
        waiting=leaves.total() - running,
        running=running,
        standing=None if solve.standing is None else SolveStanding.model_validate(solve.standing),
        worker_seconds=solve.spent_ns / 1e9,
        staff=copied(SolveStaff, solve, owner=solve.owner.name) if permissions.is_admin(viewer) else None,
    )


def checkpoint_of(services: Services, solve: Solve) -> Download:
    """All that is known of a solve, as a file from which another one can begin."""
    return _download(services, solve, solves.checkpoint, f"solve-{solve.id}.bounds")


def proof_of(services: Services, solve: Solve) -> Download:
    """The proof of what came out, as a file that anybody can check.

    Raises:
        ConflictError: it is not finished.
    """
    solves.require_finished(solve)
    return _download(services, solve, store.proof, f"solve-{solve.id}.proof")


def _download(
    services: Services, solve: Solve, texts_of: Callable[[Session, Solve], Iterator[str]], name: str
) -> Download:
    def texts() -> Texts:
        with services.database.reading() as session:
            yield from texts_of(session, solves.get(session, solve.id))

    return Download(texts, name, MEDIA_TYPE)
