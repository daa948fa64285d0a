"""What the staff's pages of a tournament share: reasons that are typed, and acts that were refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, InvalidError
from arena.schemas.matches import MAX_REASON_CHARS, ReasonText
from arena.schemas.tournaments import MAX_TITLE_CHARS, Title
from arena.store.models import Tournament, User
from arena.web.http.dependencies import InSession, InTournament
from arena.web.http.web_sessions import VisitingRunner

NOTHING_REFUSED: dict[str, Any] = {"refused": None, "act": "", "typed": {}, "most_reason": MAX_REASON_CHARS}


@dataclass(frozen=True)
class ManagementRequest:
    """Somebody who runs a tournament asks for one of its pages."""

    request: Request
    session: Session
    visitor: User
    tournament: Tournament

    @property
    def home(self) -> str:
        """Where the tournament is run."""
        return f"/manage/{self.tournament.name}"


def get_management(
    request: Request, session: InSession, visitor: VisitingRunner, tournament: InTournament
) -> ManagementRequest:
    """Whoever asks, if they run the tournament.

    Raises:
        ForbiddenError: they do not.
    """
    return ManagementRequest(request, session, visitor, tournament)


InManagement = Annotated[ManagementRequest, Depends(get_management)]
_REASON = TypeAdapter(ReasonText)
_TITLE: TypeAdapter[str] = TypeAdapter(Title)


def reason_of(text: str) -> str:
    """Why something is done, as it was typed.

    Raises:
        InvalidError: it is no reason.
    """
    try:
        return _REASON.validate_python(text)
    except ValidationError:
        raise InvalidError(
            "say why, in one line of 1 to %(max_reason_chars)s characters that can be seen",
            max_reason_chars=MAX_REASON_CHARS,
        ) from None


def title_of(text: str) -> str | None:
    """A title as it was typed, None where nothing was.

    Raises:
        InvalidError: it is none.
    """
    if not text.strip():
        return None
    try:
        title: str = _TITLE.validate_python(text)
    except ValidationError:
        raise InvalidError(
            "write a title in one line of at most %(most)s characters that can be seen", most=MAX_TITLE_CHARS
        ) from None
    return title


def refusal(error: ArenaError, act: str = "", **typed: object) -> dict[str, Any]:
    """What a page says of an act that was refused, so that its form is shown as it was sent."""
    return {"refused": error, "act": act, "typed": typed}
