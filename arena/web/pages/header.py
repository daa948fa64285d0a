"""The header of a page says who is signed in, though everybody's page is the same.

A page for everybody is made once, for somebody who is not signed in, and shared. For who is, what differs is
put in while it goes out (decision 50): a part of the header, and on a bot's pages whether one follows its
team, which is not asked of one's own. What is for those who may have bots, in templates between the comments
``players`` and ``/players``, is taken out for readers. Nobody may keep such an answer.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.access.permissions import has_bots
from arena.core.errors import ArenaError
from arena.core.names import could_exist
from arena.core.terms import Role
from arena.events import news
from arena.people import sessions
from arena.store import event_log, follows
from arena.store import users as user_store
from arena.store.follows import Towards
from arena.store.sessions import Glimpse
from arena.web.http.dependencies import Services, get_services
from arena.web.http.web_sessions import SESSION
from arena.web.pages.rendering import following_of, header_of
from arena.web.pages.ttl_cache import TtlCache

ELSEWHERE = ("/api/", "/static/", "/strings/", "/feed/")
COUNTED_SECONDS = 10.0
"""So long it is not counted anew what is unread, unless something happens."""
BOTS = "/bots/"
FOR_PLAYERS = re.compile(rb"<!--players-->.*?<!--/players-->", re.DOTALL)


class _Found(NamedTuple):
    """Who reads a page, how much of their news is unread, and what the page's team is to them."""

    reader: Glimpse
    unread: int
    towards: Towards | None


class SignedInHeader:
    """Puts the reader's name into the header of pages, and keeps when their session was last seen."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; into a page for who is signed in, put the name."""
        found = None
        if scope["type"] == "http" and _may_be_signed_in(scope):
            found = await _reader_of(Request(scope))
        if found is None:
            await self.app(scope, receive, send)
            return
        plain = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        await self.app({**scope, "headers": plain}, receive, _Filling(Request(scope), found, send))
        if sessions.is_due(found.reader):
            await _keep_seen(get_services(Request(scope)), found.reader)


def _may_be_signed_in(scope: Scope) -> bool:
    """Whether a page is asked for with a cookie: most readers have none, and are not kept waiting."""
    if scope["path"].startswith(ELSEWHERE):
        return False
    return any(name == b"cookie" for name, _ in scope["headers"])


class _Filling:
    """Sends an answer on; a page as a whole, with its reader in it."""

    def __init__(self, request: Request, found: _Found, send: Send) -> None:
        self._changes = [(header_of(request, None), header_of(request, found.reader, found.unread))]
        if found.towards is not None:
            team, own, followed = found.towards
            button = "" if own else following_of(request, team, followed=followed)
            self._changes.append((following_of(request, team, followed=False), button))
        self._has_bots = has_bots(Role(found.reader.role))
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if not Headers(raw=message["headers"]).get("content-type", "").startswith("text/html"):
                await self._send(message)
                return
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self._start)

    async def _finish(self, start: Message) -> None:
        body = self._body
        for before, after in self._changes:
            body = body.replace(before.encode(), after.encode(), 1)
        if not self._has_bots:
            body = FOR_PLAYERS.sub(b"", body)
        start = {**start, "headers": list(start["headers"])}
        headers = MutableHeaders(scope=start)
        headers["Content-Length"] = str(len(body))
        headers["Cache-Control"] = "no-store"
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _unread(request: Request, session: Session, reader: Glimpse) -> int:
    """How much of their news a reader has not seen; counted again when something has happened."""
    user = user_store.by_id(session, reader.user_id)
    kept: TtlCache[int] = request.app.state.unread
    question = user.id, user.news_seen_at, event_log.last_number(session)
    return kept.answer(question, lambda: news.count_new(session, user))


def _towards(request: Request, session: Session, reader: Glimpse) -> Towards | None:
    """What the team of the bot whose page is read is to the reader."""
    bot = request.url.path.removeprefix(BOTS).partition("/")[0]
    if not request.url.path.startswith(BOTS) or not could_exist(bot):
        return None
    return follows.towards(session, reader.user_id, bot)


async def _reader_of(request: Request) -> _Found | None:
    """Who is signed in; None also where the database does not say, as the page itself will."""
    secret = SESSION.shown(request)
    services = get_services(request)

    def find() -> _Found | None:
        with services.database.reading() as session:
            reader = sessions.glimpse(session, secret)
            if reader is None:
                return None
            return _Found(reader, _unread(request, session, reader), _towards(request, session, reader))

    if not secret:
        return None
    try:
        async with services.reading.slot():
            return await run_in_threadpool(find)
    except (ArenaError, SQLAlchemyError):
        return None


async def _keep_seen(services: Services, reader: Glimpse) -> None:
    def keep() -> None:
        with services.database.transaction() as session:
            sessions.seen(session, reader)

    try:
        async with services.writing.slot():
            await run_in_threadpool(keep)
    except (ArenaError, SQLAlchemyError):
        return  # the next page that is read keeps it
