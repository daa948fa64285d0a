"""The staff's page of what was done to a tournament: a line an act, its events on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from arena.core.errors import Worded
from arena.core.terms import Acts
from arena.results import story
from arena.web.answers.story import Teller, csv_lines
from arena.web.answers.story_words import Value
from arena.web.answers.tournaments import shown
from arena.web.http.responses import Part, csv_file, page_of
from arena.web.http.visibility import Viewer
from arena.web.pages.i18n import wanted
from arena.web.pages.managing import NOTHING_REFUSED, InManagement, ManagementRequest
from arena.web.pages.refusals import told
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_

WHICH = {
    Acts.ALL: N_("everything"),
    Acts.PEOPLE: N_("what people did"),
    Acts.ARENA: N_("what the arena did by itself"),
    Acts.CORRECTIONS: N_("corrections of results"),
}
router = APIRouter(default_response_class=HTMLResponse)
Which = Annotated[Acts, Query()]


class TranslatingTeller(Teller):
    """Says what was done in the reader's language, and so what errors have said."""

    def _said(self, error: Worded) -> str:
        return told(error, self._gettext, english=False).text


class IsolatingTeller(TranslatingTeller):
    """The same with the direction of what people have written kept to itself."""

    def _filled(self, message: str, values: Mapping[str, Value]) -> str:
        return super()._filled(
            message,
            {
                name: value if type(value) is not str else f"\u2068{value}\u2069"
                for name, value in values.items()
            },
        )


def _teller(request: Request) -> Teller:
    words = wanted(request).translations()
    return IsolatingTeller(words.gettext, words.ngettext)


@router.get("/manage/{name}/story")
def show_story(*, management: InManagement, part: Part, which: Which = Acts.ALL) -> HTMLResponse:
    """What was done to a tournament, the last first."""
    rows, total = story.acts(management.session, management.tournament, which, part.offset, part.limit)
    return render(
        management.request,
        "story.html",
        tournament=_cup(management),
        page=page_of(rows, total, part),
        teller=_teller(management.request),
        which=which,
        choices=WHICH,
        **NOTHING_REFUSED,
    )


@router.get("/manage/{name}/story.csv")
def show_story_csv(management: InManagement, which: Which = Acts.ALL) -> Response:
    """All of it for a spreadsheet, in the reader's language."""
    words = wanted(management.request).translations()
    acts = story.all_acts(management.session, management.tournament, which)
    lines = csv_lines(acts, TranslatingTeller(words.gettext, words.ngettext))
    return csv_file(lines, f"{management.tournament.name}-story")


@router.get("/manage/{name}/story/{number}")
def show_act(
    *, management: InManagement, number: Annotated[int, Path(ge=1, lt=2**31)], part: Part
) -> HTMLResponse:
    """All events of one act."""
    act = story.act(management.session, management.tournament, number)
    rows = story.parts(management.session, act, part.offset, part.limit)
    return render(
        management.request,
        "story_act.html",
        tournament=_cup(management),
        act=act,
        page=page_of(rows, act.size, part),
        teller=_teller(management.request),
        **NOTHING_REFUSED,
    )


def _cup(management: ManagementRequest) -> object:
    return shown(management.session, Viewer(management.visitor), [management.tournament])[0]
