"""Bots that call others: over every kind of network, and over sockets of the host itself."""

from __future__ import annotations

import os
import socket

from tests.hostile.bots.kit import attack, breach, given, note, refused

FAMILIES = range(46)
SO_ATTACH_FILTER, SO_COOKIE = 26, 57
KINDS = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_RDM, socket.SOCK_SEQPACKET)


@attack()
def every_family() -> None:
    """Opens a socket of every family and kind."""
    opened = 0
    for family in FAMILIES:
        for kind in KINDS:
            try:
                made = socket.socket(family, kind, 0)
            except OSError:
                continue
            opened += 1
            made.close()
            breach("a socket", (family, kind))
    note(f"refused all but {opened} sockets")


@attack()
def loopback() -> None:
    """Calls a server of the same host, by each of its addresses."""
    for host in ("127.0.0.1", "::1", "localhost"):
        refused(host, socket.create_connection, (host, given("port")), 1)


@attack()
def listening() -> None:
    """Waits for calls."""
    for address in (("127.0.0.1", 0), ("0.0.0.0", 0)):  # noqa: S104  (to be refused)
        refused(f"listening at {address[0]}", socket.create_server, address)


@attack()
def names() -> None:
    """Asks for the address of a name."""
    refused("a name", socket.getaddrinfo, "arena.invalid", 80)


@attack()
def unix_sockets() -> None:
    """Calls sockets that lie in a folder open to all, and in the space without folders."""
    for address in (given("unix"), "\0" + given("abstract")):
        refused(repr(address), called, address)


def called(address: str) -> socket.socket:
    """Connect to a socket of the host."""
    made = socket.socket(socket.AF_UNIX)
    made.connect(address)
    return made


@attack()
def pairs() -> None:
    """Makes pairs of sockets, and gives one of a pair a name, or a third side."""
    for family in FAMILIES:
        for kind in KINDS:
            if (family, kind) not in {(1, socket.SOCK_STREAM), (1, socket.SOCK_SEQPACKET)}:
                refused(f"a pair {family} {kind}", socket.socketpair, family, kind)
    try:
        one, _ = socket.socketpair()
    except OSError as error:
        note(f"refused pairs: {error}")
        return
    for address in ("\0hostile-name", "/tmp/hostile-name", f"{given('folders')[0]}/hostile-name"):  # noqa: S108
        refused(f"the name {address!r}", one.bind, address)
    refused("a third side", one.connect, given("unix"))
    refused("listening", one.listen)
    refused("a letter", one.sendto, b"x", given("unix"))
    refused("urgent bytes", one.send, b"x", socket.MSG_OOB)
    refused("a descriptor for another", socket.send_fds, one, [b"x"], [0])
    refused("a program for the kernel", one.setsockopt, socket.SOL_SOCKET, SO_ATTACH_FILTER, bytes(16))
    refused("its number on the host", one.getsockopt, socket.SOL_SOCKET, SO_COOKIE, 8)


@attack()
def hardware() -> None:
    """Looks for the interfaces of the machine."""
    refused("interfaces", interfaces)
    for path in ("/proc/net/dev", "/sys/class/net", "/dev/net/tun", "/dev/vsock"):
        refused(path, os.open, path, os.O_RDONLY)


def interfaces() -> list[tuple[int, str]]:
    """All but the loopback."""
    found = [pair for pair in socket.if_nameindex() if pair[1] != "lo"]
    if not found:
        raise OSError("none")
    return found
