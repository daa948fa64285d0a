"""Pages that cost much and are one reader's own: worked out by the calculators, for who is signed in.

The cookie of the session goes along to the calculator, which looks at it as the API's process would: both are
the arena's own, on one machine, and nobody else reads what passes between them.
"""

from __future__ import annotations

import re
from collections.abc import Hashable

from anyio import to_thread
from fastapi import Request

from arena.access import permissions
from arena.core.errors import AuthRequiredError
from arena.people import sessions
from arena.people.attempts import network_of
from arena.web.http.costly import Caller
from arena.web.http.costly_routes import PersonalRoute
from arena.web.http.dependencies import Services, address_of
from arena.web.http.web_sessions import SESSION

SECRET = re.compile(r"[A-Za-z0-9_-]{1,200}")


class VisitedRoute(PersonalRoute):
    """One whose answers depend on who is signed in."""

    @staticmethod
    def _headers(request: Request, *, personal: bool) -> list[tuple[bytes, bytes]]:
        headers = PersonalRoute._headers(request, personal=False)  # noqa: SLF001  (its own, without a token)
        cookies = [value for name, value in headers if name == b"cookie"]
        if personal:
            cookies.append(f"{SESSION.name(request)}={SESSION.shown(request)}".encode())
        return [each for each in headers if each[0] != b"cookie"] + [(b"cookie", b"; ".join(cookies))]

    async def _caller(self, services: Services, request: Request) -> tuple[Caller, Hashable, bool]:
        """Who is signed in, and what decides what they may see.

        Raises:
            AuthRequiredError: nobody is.
        """
        secret = SESSION.shown(request)
        if not SECRET.fullmatch(secret):
            raise AuthRequiredError("sign in to see this page")
        async with services.reading.slot():
            return await to_thread.run_sync(_visitor, services, secret)


class VisitedExportRoute(VisitedRoute):
    """One that tells everything there is."""

    def is_long(self, request: Request) -> bool:
        """It always may."""
        del request
        return True


class MaybeVisitedRoute(VisitedRoute):
    """One that shows something to those who are not signed in too."""

    async def _caller(self, services: Services, request: Request) -> tuple[Caller, Hashable, bool]:
        """Who is signed in, and what decides what they may see; None of who is not."""
        try:
            return await super()._caller(services, request)
        except AuthRequiredError:
            return Caller(network_of(address_of(request)), known=False), None, False


class MaybeVisitedExportRoute(MaybeVisitedRoute):
    """One that tells everything there is, to those who are not signed in too."""

    def is_long(self, request: Request) -> bool:
        """It always may."""
        del request
        return True


def _visitor(services: Services, secret: str) -> tuple[Caller, Hashable, bool]:
    with services.database.reading() as session:
        found = sessions.find(session, secret)
        if found is None:
            raise AuthRequiredError("sign in to see this page")
        return Caller(found.user.name, known=True), permissions.rights_of(found.user), False
