"""The teams that one follows, of which one's news tell what everybody may know."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.people import following
from arena.schemas.following import FollowedOut, NewFollow, Unfollowed
from arena.schemas.paging import Page
from arena.web.answers.copying import copied
from arena.web.http.dependencies import Actor, InSession
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, part_of

router = APIRouter(tags=["news"], responses=documented(401, 403, 422))


@router.get("/me/following", response_model=Page[FollowedOut], responses=NOT_MODIFIED)
def list_followed(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """The teams that one follows, in the order of their names."""
    rows = [copied(FollowedOut, each) for each in following.listed(session, actor)]
    return conditional(request, part_of(rows, part))


@router.post("/me/following", responses=documented(400, 404, 409, 413))
def begin_following(session: InSession, actor: Actor, new: NewFollow) -> FollowedOut:
    """Follow a team: one's news tell its public results and new versions, and nothing else."""
    return copied(FollowedOut, following.follow(session, actor, new.team))


@router.delete("/me/following/{team}", responses=documented(404))
def end_following(session: InSession, actor: Actor, team: str) -> Unfollowed:
    """Follow a team no more."""
    following.unfollow(session, actor, team)
    return Unfollowed(team=team)
