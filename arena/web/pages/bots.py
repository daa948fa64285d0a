"""The page of the bots."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from arena.core.names import MAX_CHARS
from arena.store import summaries
from arena.submissions import checks, choosing, hosts, versions
from arena.web.answers.bots import bot_of
from arena.web.http.dependencies import InServices, InSession
from arena.web.http.responses import Part, page_of
from arena.web.pages.rendering import render
from workers.programs.runtimes.languages import LANGUAGES

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/bots")
def bot_list(
    *,
    request: Request,
    services: InServices,
    session: InSession,
    part: Part,
    text: Annotated[str, Query(max_length=MAX_CHARS)] = "",
    game: Annotated[str, Query(max_length=MAX_CHARS)] = "",
) -> HTMLResponse:
    """All bots with their owners and newest versions, and what came of their checks; or those looked for."""
    rows, total = versions.list_bots(session, part.offset, part.limit, text=text, game=game)
    newest = summaries.newest_versions(session, rows)
    page = page_of([bot_of(bot, newest.get(bot.id)) for bot in rows], total, part)
    runnable = hosts.versions(session, services.settings)
    return render(
        request,
        "bots.html",
        page=page,
        text=text,
        game=game,
        codes={version.bot.name: checks.code_of(version) for version in newest.values()},
        environments=choosing.list_all(session, services.settings),
        running=[language.title for language in LANGUAGES.values() if runnable[language.name]],
    )
