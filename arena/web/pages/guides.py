"""The guides for students and teachers, and the kit for bots in Python."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse
from markdown_it import MarkdownIt

from arena.core.errors import NotFoundError
from arena.web.pages.i18n import wanted
from arena.web.pages.rendering import render

GUIDES = Path(__file__).parent / "guides"
NAMES = ("student", "teacher")
KIT = files("bots.sdk").joinpath("arena_bot.py")

router = APIRouter()


class Section(NamedTuple):
    """A heading, and the anchor by which it is reached."""

    anchor: str
    heading: str


class Text(NamedTuple):
    """A guide in a language: its title, its sections, and all below the title as HTML."""

    title: str
    sections: tuple[Section, ...]
    html: str


@router.get("/guide/arena_bot.py")
def kit() -> FileResponse:
    """The kit, to be saved."""
    return FileResponse(str(KIT), media_type="text/x-python", filename="arena_bot.py")


@router.get("/guide/{guide}")
def guide(request: Request, guide: str) -> Response:
    """How one hands in a bot and finds out why it lost, or how one runs a class.

    Raises:
        NotFoundError: there is no such guide.
    """
    if guide not in NAMES:
        raise NotFoundError(f"there is no guide {guide!r}; there are those for {' and '.join(NAMES)}")
    return render(request, "guide.html", text=text_of(guide, wanted(request).tag))


@cache
def text_of(guide: str, tag: str) -> Text:
    """The guide of that name in the language of that tag."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse((GUIDES / f"{guide}.{tag}.md").read_text(encoding="utf-8"))
    title, body = tokens[1].content, tokens[3:]
    sections: list[Section] = []
    for opening, inline in pairwise(body):
        if opening.type == "heading_open":
            sections.append(Section(f"part-{len(sections) + 1}", inline.content))
            opening.attrSet("id", sections[-1].anchor)
    return Text(title, tuple(sections), markdown.renderer.render(body, markdown.options, {}))
