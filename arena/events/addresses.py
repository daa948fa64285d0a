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
UNICAST = ipaddress.IPv6Network("2000::/3")
"""What of IPv6 is given out on the internet (RFC 4291); Python calls the old site-local addresses global."""
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""How machines that have IPv6 only reach those that have IPv4 (RFC 6052)."""


def is_public(address: Address) -> bool:
    """Whether anybody on the internet could reach it; addresses within others are looked at instead."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or _translated(address)
        if inner is not None:
            return is_public(inner)
        if address not in UNICAST:
            return False
    return address.is_global and not address.is_multicast


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """To which address of IPv4 a translator of the network leads, if to any."""
    return ipaddress.IPv4Address(address.packed[-4:]) if address in TRANSLATED else None


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
            "%(address)s is a private address; the staff allows those with ARENA_WEBHOOK_PRIVATE=true",
            address=str(address),
        )
