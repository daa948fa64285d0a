"""What is new to a user, and how far they have read it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.events import news
from arena.schemas.news import NewsMark, NewsOut, SeenNews
from arena.schemas.paging import Page
from arena.web.http.dependencies import Actor, InSession
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, part_of

router = APIRouter(tags=["news"], responses=documented(401, 403, 422))


@router.get("/me/news", response_model=Page[NewsOut], responses=NOT_MODIFIED)
def list_news(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """What is or was new to one's team, the last first. Reading it moves no mark."""
    return conditional(request, part_of(news.listed(session, actor), part))


@router.post("/me/news/seen", responses=documented(400, 413))
def mark_news_seen(session: InSession, actor: Actor, seen: SeenNews) -> NewsMark:
    """Say up to when one has seen the news; the mark never goes back."""
    seen_at = news.see(session, actor, seen.until)
    return NewsMark(seen_at=seen_at, unread=news.count_new(session, actor))
