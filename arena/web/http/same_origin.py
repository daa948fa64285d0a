"""Only our own pages may send a form: decision 50.

Browsers say where a request that changes something comes from: by `Sec-Fetch-Site` where the page came by
https or from this machine, otherwise by `Origin`. No other site can forge either.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request

from arena.core.errors import ForbiddenError

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def require_same_origin(request: Request) -> None:
    """Let a request go on that changes nothing, or that one of our own pages sends.

    Raises:
        ForbiddenError: another site sends it, or something that does not say where it comes from.
    """
    if request.method not in SAFE and not _is_ours(request):
        raise ForbiddenError(
            "a form is taken from the arena's own pages only; open the page here and send it again"
        )


def _is_ours(request: Request) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin", "")
    host = request.headers.get("host", "")
    try:
        netloc = urlsplit(origin).netloc
    except ValueError:  # no address at all
        return False
    return bool(host) and netloc.casefold() == host.casefold()
