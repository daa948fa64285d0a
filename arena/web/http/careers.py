"""What the addresses below a bot ask for: the bot, which of its games, and a small part of a costly list."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request

from arena.core.names import MAX_CHARS
from arena.core.terms import Outcome
from arena.store import stamps
from arena.store.careers import Sought
from arena.store.models import Bot
from arena.submissions import versions
from arena.tournaments import lifecycle
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import InSession
from arena.web.http.responses import MAX_OFFSET, Window

MAX_PLACES = 20
"""Tournaments in one answer with places, as each of them has a table."""


def get_cached_bot(
    request: Request, session: InSession, name: Annotated[str, Path(examples=["group8"])]
) -> Bot:
    """The bot that the path names; the answer is kept until it or a tournament that it is in has changed."""
    bot = versions.get(session, name)
    cacheable(request, stamps.of_bot(session, bot))
    return bot


CachedBot = Annotated[Bot, Depends(get_cached_bot)]


def get_sought_of_bot(
    session: InSession,
    outcome: Annotated[
        Outcome | Literal[""] | None, Query(description="Only those that ended so for the bot.")
    ] = None,
    opponent: Annotated[
        str | None, Query(max_length=MAX_CHARS, description="Only those against this bot.")
    ] = None,
    tournament: Annotated[
        str | None, Query(max_length=MAX_CHARS, description="Only those of this tournament.")
    ] = None,
) -> Sought:
    """Which of a bot's games are asked for; what is left empty is not asked."""
    return Sought(
        outcome=outcome or None,
        opponent_id=versions.get(session, opponent).id if opponent else None,
        tournament=lifecycle.get(session, tournament).name if tournament else None,
    )


AreSoughtOfBot = Annotated[Sought, Depends(get_sought_of_bot)]


def _few(
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="How many to skip.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_PLACES, description="How many to give at most.")] = MAX_PLACES,
) -> Window:
    return Window(offset=offset, limit=limit)


Few = Annotated[Window, Depends(_few)]
