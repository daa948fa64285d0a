"""What is new to a team: the list, how much of it is unread, and the feed for other programs."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from arena.access import permissions
from arena.core.errors import ArenaError, AuthRequiredError, ConflictError, NotFoundError
from arena.core.terms import Scope
from arena.events import news
from arena.people import following, users
from arena.schemas.news import NewsOut
from arena.store.models import User
from arena.web.http.dependencies import InSession
from arena.web.http.responses import Part, is_known, part_of
from arena.web.http.web_sessions import Visitor
from arena.web.pages.forms import Field, base_url, local, see
from arena.web.pages.i18n import wanted
from arena.web.pages.rendering import document, macros, render

HOME = "/my/news"
FOLLOWING = "/my/following"
MAX_IN_FEED = 100
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What may stand in no document of XML 1.0."""

router = APIRouter(default_response_class=HTMLResponse)

Moment = Annotated[dt.datetime | None, Query()]


@router.get("/my/news")
def list_news(
    request: Request, session: InSession, visitor: Visitor, part: Part, since: Moment = None
) -> HTMLResponse:
    """What is or was new, the last first; new is what came after `since`, or after what one has seen."""
    mark = _aware(since) or news.mark_of(visitor)
    return render(
        request,
        "my_news.html",
        page=part_of(news.listed(session, visitor, mark), part),
        since=mark.isoformat(),
        unread=news.count_new(session, visitor),
        followed=following.listed(session, visitor),
        plays=permissions.plays(visitor),
    )


def _aware(moment: dt.datetime | None) -> dt.datetime | None:
    return moment.replace(tzinfo=dt.UTC) if moment and moment.tzinfo is None else moment


@router.get("/my/news/unread")
def tell_unread(request: Request, session: InSession, visitor: Visitor) -> JSONResponse:
    """How much is unread, and the newest of it in words, for scripts that tell the reader."""
    unread = [each for each in news.listed(session, visitor) if each.is_new]
    newest = _words(request, unread[0]) if unread else None
    return JSONResponse({"unread": len(unread), "newest": newest})


def _words(request: Request, item: NewsOut) -> dict[str, Any]:
    parts = macros(request, "news_parts.html")
    return {
        "key": f"{item.key} {item.at.isoformat()}",
        "title": parts.title(item).unescape().strip(),
        "text": item.text or "",
    }


@router.post("/my/news/seen")
def mark_seen(
    session: InSession,
    visitor: Visitor,
    until: Annotated[dt.datetime | None, Form()] = None,
    onward: Annotated[str, Form(max_length=200)] = HOME,
) -> Response:
    """Say up to when the news was seen."""
    news.see(session, visitor, _aware(until))
    return see(local(onward, HOME))


@router.get("/my/following")
def list_followed(request: Request, session: InSession, visitor: Visitor) -> HTMLResponse:
    """The teams that one follows."""
    return _followed(request, session, visitor)


@router.post("/my/following")
def follow(request: Request, session: InSession, visitor: Visitor, team: Field = "") -> Response:
    """Follow a team."""
    try:
        following.follow(session, visitor, team)
    except (ConflictError, NotFoundError) as error:
        session.rollback()
        return _followed(request, session, visitor, error)
    return see(FOLLOWING)


@router.post("/my/following/remove")
def unfollow(request: Request, session: InSession, visitor: Visitor, team: Field = "") -> Response:
    """Follow a team no more."""
    try:
        following.unfollow(session, visitor, team)
    except NotFoundError as error:
        session.rollback()
        return _followed(request, session, visitor, error)
    return see(FOLLOWING)


def _followed(
    request: Request, session: InSession, visitor: User, error: ArenaError | None = None
) -> HTMLResponse:
    return render(
        request,
        "my_following.html",
        error.status if error else 200,
        followed=following.listed(session, visitor),
        most=following.MOST,
        plays=permissions.plays(visitor),
        refused=error,
    )


@router.get("/feed/{secret}")
def show_feed(request: Request, session: InSession, secret: str) -> Response:
    """The news of who made this address, as a feed (Atom, RFC 4287) for programs that collect such.

    Whoever has the address reads it, and nothing else.
    """
    try:
        token = users.find_token(session, secret)
    except AuthRequiredError:
        token = None
    if token is None or token.scope is not Scope.FEED:
        raise NotFoundError("there is no feed at this address; it may have been revoked or have expired")
    items = news.for_feed(session, token.user)[:MAX_IN_FEED]
    base = base_url(request)
    text = document(
        request,
        "feed.xml",
        items=items,
        user=token.user.name,
        base=base,
        feed_id=_urn(base, f"token {token.id}"),
        ids={item.key: _urn(base, item.key) for item in items},
        updated=max((item.at for item in items), default=token.created_at),
        parts=macros(request, "news_parts.html"),
    )
    body = NO_XML.sub("\N{REPLACEMENT CHARACTER}", text).encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {
        "ETag": etag,
        "Cache-Control": "private, no-cache",
        "Vary": "Accept-Language",
        "Content-Language": wanted(request).tag,
        "X-Robots-Tag": "noindex",
    }
    if is_known(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/atom+xml")


def _urn(base: str, key: str) -> str:
    """What stands for one thing of this arena for ever (RFC 4287, 4.2.6)."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{base}/my/news#{key}").urn
