"""How many turns of bots, and hints, somebody may have in a day; and who that is, also without an account."""

from __future__ import annotations

import datetime as dt
import ipaddress
import math
from hashlib import sha256

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ForbiddenError, TooManyError
from arena.store import play as store
from arena.store.models import User

DAY = dt.timedelta(days=1)
GUESTS = 10
"""So many times as much those may have together who come from one address without an account: a class."""
KEPT, KEPT_OF_GUESTS = 100, 1000
"""So many games of a user are kept, and of those who come from one address, and those with turns of a day."""
IPV6_PREFIX = 64


def player_of(user: User | None, address: str) -> str:
    """Whose quota it is: the account's, or that of the network address somebody comes from."""
    if user is not None:
        return f"user:{user.account_id}"
    try:
        known = ipaddress.ip_address(address)
        if known.version == 6:
            address = str(ipaddress.ip_network((known, IPV6_PREFIX), strict=False))
    except ValueError:  # a socket's, or none
        pass
    return f"guest:{sha256(address.encode()).hexdigest()}"


def kept(user: User | None) -> int:
    """How many games are kept."""
    return KEPT if user is not None else KEPT_OF_GUESTS


def require(session: Session, user: User | None, player: str, most: int) -> None:
    """Let go on who may have one more turn of a bot; what else they ask for waits for this transaction.

    Raises:
        ForbiddenError: bots play against nobody here.
        TooManyError: there were as many as may be in a day; with when there is one again.
    """
    if permissions.is_admin(user):
        return
    if most == 0:
        raise ForbiddenError("bots play against nobody on this arena; two people can play at one screen")
    most = most if player.startswith("user:") else most * GUESTS
    store.lock_player(session, player)
    now = utc_now()
    used, first = store.asked_since(session, player, now - DAY)
    if used >= most and first is not None:
        again = first + DAY
        raise TooManyError(
            "bots have played as many turns against you as they do in 24 hours (%(most)s): go on from"
            " %(again)s UTC on, or play with somebody at one screen",
            max(1, math.ceil((again - now).total_seconds())),
            most=most,
            again=f"{again:%Y-%m-%d %H:%M}",
        )
