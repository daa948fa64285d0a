"""Who writes is looked at by reading first: whoever shows nothing that is known here takes no lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import Request
from fastapi.dependencies.models import Dependant
from sqlalchemy.orm import Session

Look = Callable[[Request, Session], object]
Dependency = TypeVar("Dependency", bound=Callable[..., Any])
_LOOKS: dict[Callable[..., Any], Look] = {}


def looked_at_by(look: Look) -> Callable[[Dependency], Dependency]:
    """A dependency that refuses whom `look` refuses, which only reads."""

    def marked(dependency: Dependency) -> Dependency:
        _LOOKS[dependency] = look
        return dependency

    return marked


def refuse_strangers(request: Request, session: Session) -> None:
    """Refuse whom the dependencies of the route would, once they had a transaction for writing.

    Raises:
        AuthRequiredError: nobody known asks for what is for those who are.
    """
    _refuse(request.scope["route"].dependant, request, session)


def _refuse(dependant: Dependant, request: Request, session: Session) -> None:
    look = _LOOKS.get(dependant.call) if dependant.call else None
    if look is not None:
        look(request, session)
        return
    for each in dependant.dependencies:
        _refuse(each, request, session)
