"""Where webhooks may lead: to the public internet, and to private addresses only where the staff allows it.

A name is looked up once for each attempt, all that it leads to is checked, and the connection goes to what
was checked: who changes the name in between gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket

from arena.core.errors import InvalidError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: Address) -> bool:
    """Whether anybody on the internet could reach it; addresses within others are looked at as well."""
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    if inner is not None and not is_public(inner):
        return False
    return address.is_global and not address.is_multicast


def check_literal(host: str, *, private: bool) -> None:
    """Make sure that a host that is given as an address may be told.

    Raises:
        InvalidError: it is private.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return
    _check(address, private=private)


async def resolve(host: str, port: int, *, private: bool) -> str:
    """An address of a host.

    Raises:
        InvalidError: one of its addresses is private.
        OSError: it has none.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    for address in addresses:
        _check(address, private=private)
    return str(addresses[0])


def _check(address: Address, *, private: bool) -> None:
    if not private and not is_public(address):
        raise InvalidError(
            f"{address} is a private address; the staff allows those with ARENA_WEBHOOK_PRIVATE=true"
        )
