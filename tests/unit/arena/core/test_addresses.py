"""Which of a machine's addresses and names others can use."""

from __future__ import annotations

import ipaddress
import socket
from types import SimpleNamespace

import psutil
import pytest

from arena.core import addresses
from arena.core.running import ArenaPhase, ArenaState

UP, DOWN = SimpleNamespace(isup=True), SimpleNamespace(isup=False)


def at(*texts: str) -> list[SimpleNamespace]:
    """Addresses of an interface as the system tells them."""
    families = [socket.AF_INET6 if ":" in text else socket.AF_INET for text in texts]
    return [
        SimpleNamespace(family=family, address=text) for family, text in zip(families, texts, strict=True)
    ]


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "lo": at("127.0.0.1", "::1"),
        "eth0": at("10.0.0.7"),
        "wlan0": at("192.168.1.5", "fe80::1%wlan0", "fd00::5"),
        "docker0": at("172.17.0.1"),
        "eth1": at("10.9.9.9"),
    }
    states = dict.fromkeys(told, UP) | {"eth1": DOWN}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: told)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: states)
    monkeypatch.setattr(addresses, "_way_out", lambda: ipaddress.ip_address("192.168.1.5"))
    monkeypatch.setattr(socket, "gethostname", lambda: "Teacher.lan")


def test_the_way_out_comes_first_and_what_leads_nowhere_is_left_out() -> None:
    """No loopback, no link-local address, no bridge to containers, no interface that is down."""
    assert [str(each) for each in addresses.own_addresses()] == ["192.168.1.5", "10.0.0.7", "fd00::5"]


def test_others_are_told_of_what_is_listened_on() -> None:
    """All addresses of the family, or the one that was named; nothing on the loopback."""

    def told(host: str, https_port: int | None = None) -> list[str]:
        state = ArenaState(
            ArenaPhase.RUNNING, 1, 0.0, "http://127.0.0.1:80", "", "", 0.0, host=host, https_port=https_port
        )
        return state.addresses

    names = ["http://teacher.lan:80", "http://teacher.local:80"]
    assert told("0.0.0.0") == ["http://192.168.1.5:80", "http://10.0.0.7:80", *names]  # noqa: S104  (only named)
    assert told("::") == ["http://[fd00::5]:80", *names]
    assert told("10.0.0.7", 8443) == ["https://10.0.0.7:8443"]
    assert told("127.0.0.1") == told("localhost") == told("::1", 8443) == []


@pytest.mark.parametrize(
    ("name", "usable"),
    [("teacher", True), ("a.school.example", True), ("10.0.0.7", False), ("my_pc", False), ("", False)],
)
def test_only_names_that_browsers_take_are_names(name: str, usable: bool) -> None:
    """An address is none, nor what has signs that no host's name has."""
    assert addresses.is_host_name(name) is usable


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::", False),
        ("::/64", False),
        ("fe80::1%eth0", False),
        ("2001:db8::1", False),
        ("::ffff:192.0.2.7", False),
        ("192.0.2.7", False),
        ("localhost", False),
        ("", False),
    ],
)
def test_only_the_loopback_is_here(address: str, here: bool) -> None:
    """By IPv4, IPv6 and the one in the other; a name, which who asks could have chosen, is not."""
    assert addresses.is_here(address) is here
