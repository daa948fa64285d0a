"""Answers that can be asked for again: strong ETags, 304, and pages of lists with their links."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Query, Request, Response
from pydantic import BaseModel

from arena.schemas.paging import Page
from arena.store.models import BotVersion
from arena.submissions import versions
from workers.programs.archive_store import ArchiveStore

MAX_LIMIT = 500
MAX_OFFSET = 2**31 - 1

SINCE = "arena.frozen_since"
"""Where the scope of a request says since when what is shown is frozen."""

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "The client has just this (If-None-Match)."}
}

T = TypeVar("T")


class Window(BaseModel):
    """Which part of a list is asked for."""

    offset: int
    limit: int


def _window(
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="How many to skip.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT, description="How many to give at most.")] = 50,
) -> Window:
    return Window(offset=offset, limit=limit)


Part = Annotated[Window, Depends(_window)]


def file_response(content: str, filename: str, media_type: str) -> Response:
    """A file that is kept where it is downloaded to, and asked for again by whoever wants it anew."""
    headers = {"Content-Disposition": f'attachment; filename="{filename}"', "Cache-Control": "no-cache"}
    return Response(content, media_type=media_type, headers=headers)


def page_of(items: Sequence[T], total: int, part: Window) -> Page[T]:
    """`items` as the asked part of a list of `total`."""
    return Page(items=list(items), total=total, offset=part.offset, limit=part.limit)


def part_of(whole: Sequence[T], part: Window) -> Page[T]:
    """The asked part of a list that is at hand as a whole."""
    return page_of(whole[part.offset : part.offset + part.limit], len(whole), part)


def link_header(request: Request, page: Page[T]) -> str:
    """The links (RFC 8288) from `page` to its neighbours, keeping the request's other parameters."""
    last = max(0, (page.total - 1) // page.limit * page.limit)
    offsets = {"first": 0, "last": last}
    if page.offset > 0:
        offsets["prev"] = max(0, min(page.offset - page.limit, last))
    if page.offset + page.limit < page.total:
        offsets["next"] = page.offset + page.limit
    links = []
    for relation, offset in sorted(offsets.items()):
        url = request.url.include_query_params(offset=offset, limit=page.limit)
        links.append(f'<{url.path}?{url.query}>; rel="{relation}"')
    return ", ".join(links)


def conditional(request: Request, content: BaseModel) -> Response:
    """`content` as JSON under a strong ETag made from it, or 304 when the client has just that."""
    links = {"Link": link_header(request, content)} if isinstance(content, Page) else {}
    return conditional_json(request, content.model_dump_json().encode(), links)


def conditional_json(request: Request, body: bytes, links: Mapping[str, str] | None = None) -> Response:
    """The same of what is JSON already, with further headers."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Authorization", **(links or {})}
    if since := frozen_since(request):
        headers["Frozen-Since"] = since.isoformat()
    if is_known(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def archive_of(archives: ArchiveStore, version: BotVersion) -> Response:
    """The files of a version as a zip, for who may have them."""
    return Response(
        versions.files_of(version, archives),
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{version.archive[:12]}.zip"'},
    )


def csv_file(lines: Iterable[str], name: str) -> Response:
    """Lines of CSV as a file of that name, for who may have it."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response("".join(lines), media_type="text/csv; charset=utf-8", headers=headers)


def frozen_since(request: Request) -> dt.datetime | None:
    """Since when what is shown of a tournament is as it was; None where it is as it is."""
    since: dt.datetime | None = request.scope.get(SINCE)
    return since


def is_known(if_none_match: str, etag: str) -> bool:
    """Whether the client's list of ETags has `etag`; the comparison is the weak one, as RFC 9110 asks."""
    if not (if_none_match and etag):
        return False
    offered = {candidate.strip().removeprefix("W/") for candidate in if_none_match.split(",")}
    return etag.removeprefix("W/") in offered or "*" in offered
