"""Where webhooks may lead."""

from __future__ import annotations

import asyncio
import ipaddress

import pytest

from arena.core.errors import InvalidError
from arena.events.addresses import check_literal, is_public, resolve

PRIVATE = [
    *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),  # noqa: S104
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::"),
    *("64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::10.0.0.1"),
    *("::10.0.0.1", "::ffff:0:10.0.0.1", "fec0::1"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_told_apart(address: str) -> None:
    """Nothing that leads into the machine or its network is public, however written; it may be allowed."""
    assert not is_public(ipaddress.ip_address(address))
    with pytest.raises(InvalidError, match="ARENA_WEBHOOK_PRIVATE"):
        check_literal(address, private=False)
    check_literal(address, private=True)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])
def test_public_addresses_are_let_through(address: str) -> None:
    """What everybody can reach may be told."""
    assert is_public(ipaddress.ip_address(address))
    check_literal(address, private=False)


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["fe80::1%eth0"]])
def test_a_name_that_leads_inside_is_refused(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """All addresses of a name count, not just the first."""

    async def look_up(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(2, 1, 6, "", (address, 80)) for address in found]

    async def ask(*, private: bool) -> str:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up, raising=False)
        return await resolve("inside.example", 80, private=private)

    with pytest.raises(InvalidError):
        asyncio.run(ask(private=False))
    assert asyncio.run(ask(private=True)) == found[0].partition("%")[0]
