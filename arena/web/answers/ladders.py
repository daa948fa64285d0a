"""How a ladder stands."""

from __future__ import annotations

from arena.results.ladders import Ladder
from arena.results.rated_games import rated_games
from arena.schemas.ladders import LadderLine, LadderOut, LadderResult
from arena.store.models import Tournament
from arena.web.answers.matches import match_of


def ladder_of(tournament: Tournament, ladder: Ladder) -> LadderOut:
    """How the ladder `tournament` stands."""
    told = rated_games(ladder.rated)
    lines = []
    for line, rating in zip(ladder.rated.lines, told.items, strict=True):
        entry = line.entrant.entry
        moved = ladder.moved.get(entry)
        lines.append(
            LadderLine(
                **dict(rating),
                places=moved.places if moved else None,
                change=moved.rating if moved else None,
                form=[
                    LadderResult(match=match, outcome=outcome)
                    for match, outcome in ladder.form.get(entry, ())
                ],
            )
        )
    return LadderOut(
        tournament=tournament.name,
        state=tournament.state,
        round=ladder.round,
        newcomer_games=tournament.options["newcomer_games"],
        prior=told.prior,
        items=lines,
        last=[match_of(each) for each in ladder.last],
    )
