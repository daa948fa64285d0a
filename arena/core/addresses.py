"""Under which names and addresses others reach this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from ipaddress import IPv4Address, IPv6Address

VIRTUAL = ("docker", "br-", "veth", "virbr", "lxc", "podman", "vmnet")
"""Interfaces that only lead to what runs on this machine begin so."""
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_ELSEWHERE = "192.0.2.1"
"""An address of nobody's: only the way there is looked up, and nothing is sent."""

Address = IPv4Address | IPv6Address


def own_addresses() -> list[Address]:
    """The addresses by which others reach this machine: first that of its way out, IPv4 before IPv6."""
    import psutil  # noqa: PLC0415  (for who starts an arena, and not for who reads where it is)

    states = psutil.net_if_stats()
    found = {
        address
        for name, told in psutil.net_if_addrs().items()
        if not name.startswith(VIRTUAL) and name in states and states[name].isup
        for each in told
        if (address := _reachable(each.family, each.address))
    }
    first = _way_out()
    return sorted(found, key=lambda address: (address != first, address.version, int(address)))


def _reachable(family: int, text: str) -> Address | None:
    if family not in {socket.AF_INET, socket.AF_INET6} or "%" in text:
        return None
    address = ipaddress.ip_address(text)
    return None if address.is_loopback or address.is_link_local or address.is_unspecified else address


def _way_out() -> Address | None:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((_ELSEWHERE, 9))
        return ipaddress.ip_address(probe.getsockname()[0])
    return None


def own_names() -> list[str]:
    """The names of this machine that a certificate can have: its own, and that of its network's mDNS."""
    name = socket.gethostname().casefold().rstrip(".")
    first = name.partition(".")[0]
    return sorted(filter(is_host_name, {name, f"{first}.local"}))


def is_host_name(text: str) -> bool:
    """Whether that is a name in the form that certificates and browsers take, and no address."""
    labels = text.split(".")
    return not labels[-1].isdecimal() and len(text) <= 253 and all(map(_LABEL.fullmatch, labels))


def is_wildcard(host: str) -> bool:
    """Whether to listen there is to listen on all addresses."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def is_here(address: str) -> bool:
    """Whether what comes from there comes from this machine."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return (mapped or parsed).is_loopback


def url_of(scheme: str, host: str, port: int) -> str:
    """The address of what listens there, as a browser takes it."""
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
