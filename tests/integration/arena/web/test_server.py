"""The server by https: on which sockets it listens, and how it comes to another certificate."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from functools import partial
from pathlib import Path

import pytest
import uvicorn
from cryptography import x509
from starlette.types import Receive, Scope, Send

from arena.core.certificates import Certificates, Wanted
from arena.web.server import (
    LOOK_SECONDS,
    LOOPBACK,
    SecuredServer,
    keep_up_to_date,
    listening,
    plain_hosts,
)


@pytest.mark.parametrize(
    ("host", "hosts"),
    [("0.0.0.0", ["0.0.0.0"]), ("127.0.0.1", ["127.0.0.1"]), ("10.0.0.7", ["10.0.0.7", LOOPBACK])],  # noqa: S104  (only named)
)
def test_this_machine_is_always_served_by_http(host: str, hosts: list[str]) -> None:
    """On the loopback too where only one address is listened on."""
    assert plain_hosts(host) == hosts


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the scheme of the request."""
    del receive
    if scope["type"] == "http":
        body = scope["scheme"].encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def asked(port: int, tls: ssl.SSLContext | None) -> tuple[str, int | None]:
    """What the application says on that port, and the serial number of the certificate."""
    reader, writer = await asyncio.open_connection(
        LOOPBACK, port, ssl=tls, server_hostname="localhost" if tls else None
    )
    told = writer.get_extra_info("ssl_object")
    serial = x509.load_der_x509_certificate(told.getpeercert(True)).serial_number if told else None
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    return answer.rpartition(b"\r\n\r\n")[2].decode(), serial


def test_another_certificate_is_used_without_a_break(tmp_path: Path) -> None:
    """One server answers by http and https, and after a renewal new connections get the new certificate."""
    certificates = Certificates(tmp_path / "https")
    certificates.renew(Wanted.here(LOOPBACK))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificates.server)
    believing = ssl.create_default_context(cafile=str(certificates.ca))
    plain, secured = listening(LOOPBACK, 0), listening(LOOPBACK, 0)
    ports = plain.getsockname()[1], secured.getsockname()[1]
    look = partial(keep_up_to_date, certificates, LOOPBACK, tls)
    server = SecuredServer(uvicorn.Config(hello, log_config=None, lifespan="off"), secured, tls, look)

    async def run() -> tuple[int | None, ...]:
        serving = asyncio.create_task(server._serve([plain]))
        while not server.started:  # noqa: ASYNC110  (another task starts it)
            await asyncio.sleep(0.01)
        serials = []
        try:
            scheme, _ = await asked(ports[0], None)
            assert scheme == "http"
            for remove in (False, True):
                if remove:
                    certificates.server.unlink()
                await look()
                scheme, serial = await asked(ports[1], believing)
                assert scheme == "https"
                serials.append(serial)
        finally:
            server.should_exit = True
            await serving
        return tuple(serials)

    before, after = asyncio.run(run())
    assert before is not None
    assert after not in {None, before}


def test_a_certificate_that_cannot_be_renewed_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The reason is in the log, and what is served goes on."""
    certificates = Certificates(tmp_path / "https")
    certificates.renew(Wanted.here(LOOPBACK))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificates.ca.write_text("damaged")
    with caplog.at_level("ERROR", logger="uvicorn.error"):
        asyncio.run(keep_up_to_date(certificates, LOOPBACK, tls))
    assert "remove that folder" in caplog.text


def test_certificates_are_looked_at_although_the_clock_was_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A look comes at the beginning and every so many seconds, whatever this machine takes the time for."""
    passed, looks = [0.0], list[float]()

    async def look() -> None:
        looks.append(passed[0])

    async def run() -> None:
        config, tls = uvicorn.Config(hello, log_config=None), ssl.create_default_context()
        with listening(LOOPBACK, 0) as secured:
            server = SecuredServer(config, secured, tls, look, lambda: passed[0])
            await server.on_tick(0)
            monkeypatch.setattr(time, "time", lambda: 0.0)
            for passed[0] in (LOOK_SECONDS - 1.0, float(LOOK_SECONDS), LOOK_SECONDS + 1.0):
                await server.on_tick(10)

    asyncio.run(run())
    assert looks == [0.0, LOOK_SECONDS]


def test_a_port_of_somebody_else_s_is_an_error() -> None:
    """The server does not start without one of its ports."""
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen()
        with pytest.raises(OSError, match="in use"):
            listening(LOOPBACK, other.getsockname()[1])
