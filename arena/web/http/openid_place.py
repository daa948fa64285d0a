"""Where a school's OpenID provider sends browsers back to, and by what the one that asked is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from arena.core.addresses import is_loopback
from arena.core.errors import ForbiddenError, NotFoundError
from arena.people.identities import GOOD
from arena.people.provider import Provider
from arena.web.http.cookies import SecretCookie
from arena.web.http.dependencies import get_services

CALLBACK = "/sign-in/openid/callback"
BROWSER = SecretCookie("arena-openid", GOOD)
"""Kept while its reader is at the provider."""


@dataclass(frozen=True)
class School:
    """The provider, as a page names it. `elsewhere` is where people have to open the arena for it instead.

    Without that, and not `usable`, they have come by plain http.
    """

    name: str
    usable: bool
    elsewhere: str = ""


def get_provider(request: Request) -> Provider:
    """The provider that is set up.

    Raises:
        NotFoundError: none is.
    """
    provider = get_services(request).provider
    if provider is None:
        raise NotFoundError("no OpenID provider is set up here")
    return provider


InProvider = Annotated[Provider, Depends(get_provider)]


def school_of(request: Request) -> School | None:
    """What a page says of the provider; None where none is set up."""
    provider = get_services(request).provider
    if provider is None:
        return None
    setup, here = provider.setup, _origin(request)
    if setup.address is not None and setup.address != here:
        return School(setup.name, usable=False, elsewhere=setup.address)
    secured = request.url.scheme == "https" or is_loopback(request.url.hostname or "")
    return School(setup.name, usable=secured and bool(here))


def issuer_of(request: Request) -> str | None:
    """The issuer of the provider that is set up."""
    provider = get_services(request).provider
    return None if provider is None else provider.setup.issuer


def redirect_uri(request: Request) -> str:
    """Where the provider is to send the browser back to: the origin of the page that it is on now.

    Raises:
        ForbiddenError: there others could read along, or the provider does not know it.
    """
    school = school_of(request)
    if school is None or not school.usable:
        raise ForbiddenError("accounts of the school sign in by https only, at the address that it was told")
    return _origin(request) + CALLBACK


def _origin(request: Request) -> str:
    """The origin of the page; empty where the request names no host, or one that is none."""
    host = request.headers.get("host", "").casefold()
    named = host and request.url.netloc.casefold() == host and len(host) <= 260
    return f"{request.url.scheme}://{host}" if named and not set(host) & set("/\\?#@ ") else ""
