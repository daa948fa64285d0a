"""What became of the bots of a class that were handed in at once."""

from __future__ import annotations

from collections.abc import Sequence

from arena.schemas.batches import Batch, BatchLine
from arena.store.models import User
from arena.submissions.bulk import PartOutcome
from arena.web.answers.copying import copied


def batch_of(lines: Sequence[PartOutcome], teams: Sequence[User], *, dry_run: bool) -> Batch:
    """The lines, and who has none."""
    sent = {line.team for line in lines}
    names = [team.name for team in teams]
    return Batch(
        dry_run=dry_run,
        items=[copied(BatchLine, line, games=list(line.games)) for line in lines],
        teams=names,
        without=[name for name in names if name not in sent],
    )
