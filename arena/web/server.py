"""The API and the pages by http, or by https and for this machine by http: `python -P -m arena.web.server`.

Started by `arena up` with the host and the port of http, and with --https that of https; one process listens
on both. The certificate is replaced before it ends and when this machine's addresses change, without a break.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import ssl
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from arena.core.addresses import is_loopback
from arena.core.certificates import Certificates, Wanted
from arena.core.errors import UnusableError
from arena.core.folder import DataFolder
from arena.core.settings import get_settings
from arena.web.http.connections import HANDSHAKE_SECONDS, Guarded
from workers.core.configuration import or_exit

LOOK_SECONDS = 30
"""How often it is looked whether the certificate is still right."""
LOOPBACK = "127.0.0.1"
_log = logging.getLogger("uvicorn.error")


class SecuredServer(uvicorn.Server):
    """A server that also takes connections by TLS, on sockets of their own."""

    def __init__(
        self,
        config: uvicorn.Config,
        secured: socket.socket,
        tls: ssl.SSLContext,
        look: Callable[[], Awaitable[None]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(config)
        self._secured, self._tls = secured, tls
        self._look, self._monotonic = look, monotonic
        self._look_at = monotonic()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections of both kinds."""
        await super().startup(sockets=sockets)
        kind: Any = self.config.http_protocol_class
        protocol = partial(
            kind,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        loop = asyncio.get_running_loop()
        self.servers.append(
            await loop.create_server(
                protocol,
                sock=self._secured,
                ssl=self._tls,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=HANDSHAKE_SECONDS,
                backlog=self.config.backlog,
            )
        )

    async def on_tick(self, counter: int) -> bool:
        """Look every so many seconds, whatever the clock is set to; uvicorn itself would go by that clock."""
        if self._monotonic() >= self._look_at:
            self._look_at = self._monotonic() + LOOK_SECONDS
            await self._look()
        return await super().on_tick(counter)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there.

    Raises:
        OSError: it cannot.
    """
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def plain_hosts(host: str) -> list[str]:
    """Where http is listened for: there, and on the loopback in any case."""
    return [host] if host == "0.0.0.0" or is_loopback(host) else [host, LOOPBACK]  # noqa: S104  (compared)


async def keep_up_to_date(certificates: Certificates, host: str, tls: ssl.SSLContext) -> None:
    """Have another certificate made and used where the one so far will not do."""
    try:
        if await asyncio.to_thread(lambda: certificates.renew(Wanted.here(host))):
            tls.load_cert_chain(certificates.server)
            _log.info("a new certificate is used from now on")
    except UnusableError as error:
        _log.error("%s", error)


def serve(create_app: Callable[..., FastAPI], host: str, port: int, https_port: int) -> None:
    """Serve the application by both until told to stop.

    Raises:
        UnusableError: the certificates cannot be used.
        OSError: a port cannot be listened on.
    """
    certificates = Certificates(DataFolder(or_exit(get_settings).data_dir).certificates)
    certificates.renew(Wanted.here(host))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificates.server)
    config = uvicorn.Config(create_app(https_port=https_port), http=Guarded)
    plain = [listening(each, port) for each in plain_hosts(host)]
    look = partial(keep_up_to_date, certificates, host, tls)
    SecuredServer(config, listening(host, https_port), tls, look).run(sockets=plain)


def read_application() -> Callable[..., FastAPI]:
    """Import what makes the application, and keep all of it out of garbage collections then and later.

    Nothing of it ever becomes garbage; to look through it takes a sixth of the time in which an API starts.
    """
    gc.disable()
    from arena.web.app import create_app  # noqa: PLC0415  (while nothing is collected)

    gc.freeze()
    gc.enable()
    return create_app


def main(arguments: list[str]) -> int:
    """Serve as the arguments say; what went wrong is the last thing written to standard error."""
    host, port, *secured = arguments
    create_app = read_application()
    if not secured:
        uvicorn.run(create_app, factory=True, http=Guarded, host=host, port=int(port))
        return 0
    try:
        serve(create_app, host, int(port), int(secured[0]))
    except (UnusableError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
