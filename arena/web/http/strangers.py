"""A request that writes is first checked by reading: strangers are refused before they take a lock."""

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


def refuse_strangers(request: Request, session: Session) -> bool:
    """Refuse whom the dependencies of the route would, once they had a transaction for writing.

    Whether they know who asks; some routes are for strangers, too.

    Raises:
        AuthRequiredError: nobody known asks for what is for those who are.
    """
    return _is_known(request.scope["route"].dependant, request, session)


def _is_known(dependant: Dependant, request: Request, session: Session) -> bool:
    look = _LOOKS.get(dependant.call) if dependant.call else None
    if look is not None:
        return look(request, session) is not None
    known = [_is_known(each, request, session) for each in dependant.dependencies]  # each may refuse
    return any(known)
