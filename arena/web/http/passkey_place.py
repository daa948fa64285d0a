"""Where a browser is, as passkeys are kept for a host's name and shown to one origin."""

from __future__ import annotations

from fastapi import Request

from arena.core.addresses import is_host_name
from arena.people.passkeys import NoPasskeysHereError, Place


def place_of(request: Request) -> Place:
    """The page's origin and its host's name.

    Raises:
        NoPasskeysHereError: browsers have no passkeys there.
    """
    host = (request.url.hostname or "").casefold()
    if request.url.scheme != "https" and host != "localhost":
        raise NoPasskeysHereError(
            "passkeys are used by https, or on the arena's own machine at http://localhost"
        )
    if not is_host_name(host):
        raise NoPasskeysHereError(
            "browsers keep passkeys for a name; open the arena by its name, not its number"
        )
    return Place(f"{request.url.scheme}://{request.headers.get('host', '').casefold()}", host)


def has_passkeys(request: Request) -> bool:
    """Whether browsers have passkeys on the page that is asked for."""
    try:
        place_of(request)
    except NoPasskeysHereError:
        return False
    return True
