"""The pages: rendered by the server, in the reader's language; scripts add to them and nothing needs one."""

from __future__ import annotations

import re

from fastapi import Depends, FastAPI

from arena.web.answers.languages import STATIC
from arena.web.http.same_origin import require_same_origin
from arena.web.pages import (
    account,
    analyses,
    bots,
    bulk,
    careers,
    certificate,
    classes,
    experiments,
    freezing,
    games,
    grading,
    guides,
    hand_in,
    home,
    likeness,
    manage,
    manage_matches,
    manage_tournament,
    matches,
    news,
    openid,
    passkeys,
    play,
    present,
    questions,
    ratings,
    reproduction,
    rosters,
    scrimmages,
    scripts,
    seasons,
    sign_in,
    solves,
    staff,
    staff_users,
    staff_webhooks,
    staff_worker_keys,
    statistics,
    story,
    sweeps,
    team,
    tournaments,
    trainings,
    verification,
)
from arena.web.pages.header import COUNTED_SECONDS, SignedInHeader
from arena.web.pages.i18n import wanted
from arena.web.pages.planning import KEPT_SECONDS
from arena.web.pages.rendering import show_problem
from arena.web.pages.static_files import PackedFiles
from arena.web.pages.ttl_cache import TtlCache

__all__ = [
    "ROUTERS",
    "SignedInHeader",
    "include",
    "install",
    "is_framed",
    "is_private",
    "show_problem",
    "wanted",
]

PRIVATE = frozenset(
    {
        *("sign-in", "sign-out", "join", "account", "classes", "experiments", "my", "manage", "play"),
        *("questions", "solves", "staff", "sweeps", "trainings"),
    }
)
"""The first parts of the addresses of pages that are one reader's own."""
FRAMED = re.compile(r"/tournaments/[^/]+/matches/[0-9]+/embed")
ROUTERS = (
    home.router,
    games.router,
    tournaments.router,
    tournaments.supposing,
    present.router,
    statistics.router,
    statistics.costly,
    ratings.router,
    matches.router,
    analyses.router,
    bots.router,
    careers.router,
    careers.costly,
    sign_in.router,
    account.router,
    passkeys.router,
    openid.router,
    classes.router,
    team.router,
    news.router,
    questions.router,
    hand_in.router,
    scrimmages.router,
    play.router,
    sweeps.router,
    sweeps.exporting,
    experiments.router,
    experiments.exporting,
    solves.router,
    solves.exporting,
    trainings.router,
    trainings.exporting,
    reproduction.router,
    rosters.router,
    bulk.router,
    likeness.router,
    seasons.router,
    manage.router,
    manage_tournament.router,
    manage_matches.router,
    verification.router,
    grading.router,
    story.router,
    freezing.router,
    staff.router,
    staff_users.router,
    staff_webhooks.router,
    staff_worker_keys.router,
    scripts.router,
    certificate.router,
    guides.router,
)


def is_private(path: str) -> bool:
    """Whether what stands at a path is one reader's own: it is shared with nobody and not kept."""
    return path.removeprefix("/").partition("/")[0] in PRIVATE


def is_framed(path: str) -> bool:
    """Whether what stands at a path is made to be shown within pages of others."""
    return FRAMED.fullmatch(path) is not None


def install(app: FastAPI) -> None:
    """Let `app` show the pages too."""
    app.state.kept_etas = TtlCache(KEPT_SECONDS)
    app.state.unread = TtlCache(COUNTED_SECONDS)


def include(app: FastAPI) -> None:
    """Add the routes of the pages, and the files that they name."""
    app.mount("/static", PackedFiles(directory=STATIC), name="static")
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False, dependencies=[Depends(require_same_origin)])
