"""Whether what is stored is what was recorded: all sums of all tournaments, and the bots as handed in.

What the public is shown of a frozen tournament is verified as the public reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.administration.opening import Opened, Progress
from arena.store import space
from arena.store import tournaments as store
from arena.store.models import Tournament
from arena.tournaments import audit
from workers.core.errors import ArchiveMissingError
from workers.programs.archive_store import ArchiveStore


class Difference(NamedTuple):
    """What is stored and does not follow from what was recorded; `part` is tournament, frozen or archive."""

    part: str
    name: str
    difference: str


@dataclass
class Verification:
    """How many of each were looked at, and what is wrong with them."""

    tournaments: int = 0
    frozen: int = 0
    archives: int = 0
    differences: list[Difference] = field(default_factory=list)


def verify(arena: Opened, progress: Progress | None = None) -> Verification:
    """Work out every sum again from the results, and read every archive.

    Raises:
        UnusableDatabaseError, UnavailableError: the database cannot be read.
    """
    made = Verification()
    with arena.database.reading() as session:
        cups = [each.id for each in session.scalars(store.all_tournaments())]
        archives = sorted(space.archives_expected(session))
        with arena.database.frozen() as kept:
            frozen = [each.id for each in kept.scalars(store.all_tournaments())]
            total = len(cups) + len(frozen) + len(archives)
            steps = iter(range(1, total + 1))

            def step() -> None:
                if progress:
                    progress(next(steps), total)

            for part, there, ids in (("tournament", session, cups), ("frozen", kept, frozen)):
                for each in ids:
                    made.differences += _of_tournament(there, part, each)
                    there.expunge_all()
                    step()
    store_of_bots = ArchiveStore(arena.settings.archive_url)
    for sha in archives:
        made.differences += _of_archive(store_of_bots, sha)
        step()
    made.tournaments, made.frozen, made.archives = len(cups), len(frozen), len(archives)
    return made


def _of_tournament(session: Session, part: str, tournament_id: int) -> Iterator[Difference]:
    cup = session.get_one(Tournament, tournament_id)
    for difference in audit.verify(session, cup):
        yield Difference(part, cup.name, difference)


def _of_archive(archives: ArchiveStore, sha: str) -> Iterator[Difference]:
    try:
        archives.get(sha)
    except ArchiveMissingError as error:
        yield Difference("archive", sha, str(error))
