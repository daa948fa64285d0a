"""Bots that enter a tournament by themselves as soon as they have passed their checks."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.schemas.paging import Page
from arena.schemas.tournaments import NewPendingEntry, PendingEntryOut, PendingMade
from arena.submissions import versions
from arena.tournaments import pending
from arena.web.answers.tournaments import entry_of, pending_of
from arena.web.api.routes.amendments import BotName
from arena.web.http.dependencies import Actor, InSession, InTournament, Runner
from arena.web.http.problems import documented
from arena.web.http.responses import Part, conditional, part_of

PATH = "/tournaments/{name}/pending-entries"
router = APIRouter(tags=["tournaments"], responses=documented(401, 403, 404, 422))


@router.post(PATH, status_code=201, responses=documented(400, 409, 413))
def enter_when_checked(
    session: InSession, actor: Actor, tournament: InTournament, new: NewPendingEntry
) -> PendingMade:
    """Enter a bot: at once, or by itself when its newest version has passed its check.

    What has not passed when the tournament begins is not entered.
    """
    bot = versions.get(session, new.bot)
    entry = pending.enter(session, actor, tournament, bot)
    if entry is not None:
        return PendingMade(entry=entry_of(entry), pending=None)
    waits = next(each for each in pending.awaited(session, tournament) if each.pending.bot_id == bot.id)
    return PendingMade(entry=None, pending=pending_of(waits))


@router.get(PATH, response_model=Page[PendingEntryOut])
def list_pending_entries(
    request: Request, session: InSession, staff: Runner, tournament: InTournament, part: Part
) -> Response:
    """The bots that enter by themselves, for who runs the tournament, in the order of asking."""
    del staff
    rows = [pending_of(each) for each in pending.awaited(session, tournament)]
    return conditional(request, part_of(rows, part))


@router.delete(PATH + "/{bot}", status_code=204)
def withdraw_pending_entry(session: InSession, actor: Actor, tournament: InTournament, bot: BotName) -> None:
    """Let a bot enter by itself no more."""
    pending.withdraw(session, actor, tournament, versions.get(session, bot))
