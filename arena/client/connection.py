"""HTTP to one arena: sending, refusals, and answers read as the schemas that the API shares."""

from __future__ import annotations

import math
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, ValidationError

from arena.client.errors import (
    BusyError,
    CertificateError,
    Fault,
    ForeignError,
    RefusedError,
    SilentError,
    TokenError,
    UnreachableError,
    UntrustedError,
    UrlError,
)
from arena.client.streams import StreamEvent, events_in
from arena.core.words import say
from arena.schemas.paging import Page
from workers.core.escape import without_password

TIMEOUT = httpx2.Timeout(30.0, connect=5.0)
LONG = httpx2.Timeout(600.0, connect=5.0)
STREAM = httpx2.Timeout(30.0, connect=5.0, read=45.0)
"""A stream says every 15 s that it is there."""
PAGE_SIZE = 100
LATER = {httpx2.codes.ACCEPTED, httpx2.codes.TOO_MANY_REQUESTS}
"""What is being worked out, and what may be asked for later."""
PATIENCE_SECONDS = 1800.0
"""So long is asked again for what takes long to work out."""

S = TypeVar("S", bound=BaseModel)


class _Problem(BaseModel):
    """What is read of a problem document."""

    title: str = ""
    detail: str = ""
    errors: list[Fault] | None = None


class _Waiting:
    """How long an answer is waited for. What is told in the end may be as old as the question, no older."""

    def __init__(self, on_wait: Callable[[], None]) -> None:
        self._on_wait: Callable[[], None] | None = on_wait
        self._began = time.monotonic()

    @property
    def headers(self) -> dict[str, str]:
        """What says so; ages are whole seconds."""
        asked_before = self._on_wait is None
        seconds = math.ceil(time.monotonic() - self._began) if asked_before else 0
        return {"Cache-Control": f"max-age={seconds}"}

    def wait(self, retry_after: str) -> bool:
        """Wait as many seconds as that says; False where that would be too long."""
        seconds = int(retry_after) if retry_after.isascii() and retry_after.isdigit() else 5
        if time.monotonic() - self._began + seconds > PATIENCE_SECONDS:
            return False
        if self._on_wait is not None:
            self._on_wait()
            self._on_wait = None
        time.sleep(seconds)
        return True


class Connection:
    """One arena with one token. Every method raises `ClientError` when it cannot do its work.

    What takes long to work out is waited for; `on_wait` is told so, once for each question. By https the
    arena is believed of the CA whose certificate is in `ca`, besides those that this machine trusts.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        transport: httpx2.BaseTransport | None = None,
        on_wait: Callable[[], None] = lambda: None,
        ca: Path | None = None,
    ) -> None:
        self._on_wait = on_wait
        self.url = url.rstrip("/")
        self.shown = without_password(self.url)
        if token and not (token.isascii() and token.isprintable() and " " not in token):
            raise TokenError(
                say("the token has characters that no token has; log in again, or set ARENA_TOKEN anew")
            )
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            parts = httpx2.URL(self.url)
        except httpx2.InvalidURL as error:
            raise UrlError(say("{url!r} is not a URL: {error}", url=self.shown, error=error)) from None
        if parts.scheme not in {"http", "https"} or not parts.host:
            raise UrlError(
                say("{url!r} is not an arena's URL; it looks like http://127.0.0.1:8080", url=self.shown)
            )
        self._http = httpx2.Client(
            base_url=f"{self.url}/api/v1",
            headers=headers,
            timeout=TIMEOUT,
            transport=transport,
            verify=trusting(ca) if ca and parts.scheme == "https" else True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _stream(self, path: str, **wish: str | list[str]) -> Iterator[bytes]:
        waiting = _Waiting(self._on_wait)
        try:
            while True:
                told = waiting.headers
                with self._http.stream("GET", path, params=wish, timeout=LONG, headers=told) as response:
                    if response.is_error or response.status_code in LATER:
                        response.read()
                    if response.status_code not in LATER:
                        self._check(response)
                        yield from response.iter_bytes()
                        return
                self._wait(waiting, response)
        except httpx2.TransportError as error:
            raise self._unreachable(error) from None

    def _events(self, path: str, after: int | None = None, **wish: str) -> Iterator[StreamEvent]:
        """What a stream of events tells, after that number or from now on, until it ends."""
        headers = {"Accept": "text/event-stream"} | ({} if after is None else {"Last-Event-ID": str(after)})
        try:
            with self._http.stream("GET", path, params=wish, headers=headers, timeout=STREAM) as response:
                if response.is_error:
                    response.read()
                self._check(response)
                yield from events_in(response.iter_lines())
        except httpx2.TransportError as error:
            raise self._unreachable(error) from None

    def _pages(self, schema: type[Page[S]], path: str, **chosen: str | bool) -> Iterator[S]:
        offset = 0
        while True:
            wish = {**chosen, "offset": offset, "limit": PAGE_SIZE}
            page = self._ask(schema, "GET", path, params=wish)
            yield from page.items
            offset += len(page.items)
            if not page.items or offset >= page.total:
                return

    def _ask(self, schema: type[S], method: str, path: str, **content: Any) -> S:
        waiting = _Waiting(self._on_wait)
        response = self._send(method, path, **content, headers=waiting.headers)
        while method == "GET" and response.status_code in LATER:
            self._wait(waiting, response)
            response = self._send(method, path, **content, headers=waiting.headers)
        self._check(response)
        return self._read(schema, response)

    def _wait(self, waiting: _Waiting, response: httpx2.Response) -> None:
        """Wait as long as the arena wants it.

        Raises:
            BusyError: that would be too long.
        """
        if not waiting.wait(response.headers.get("retry-after", "")):
            problem = self._read(_Problem, response)
            raise BusyError(response.status_code, problem.title, problem.detail)

    def _send(self, method: str, path: str, **content: Any) -> httpx2.Response:
        try:
            try:
                return self._http.request(method, path, **content)
            except httpx2.RemoteProtocolError:  # the arena closed the idle connection at this very moment
                if method != "GET":
                    raise
                return self._http.request(method, path, **content)
        except httpx2.TransportError as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: httpx2.TransportError) -> UnreachableError:
        if isinstance(error, httpx2.ReadTimeout | httpx2.WriteTimeout):
            return SilentError(
                say(
                    "the arena at {url} is busy: it has not answered in time, and may have done what was "
                    "asked; look before you repeat it (`arena status` on its machine says what stands still)",
                    url=self.shown,
                )
            )
        if isinstance(error, httpx2.ReadError | httpx2.RemoteProtocolError):
            return SilentError(
                say(
                    "the connection to {url} broke before the answer ({error}): is the URL right? The arena "
                    "may have done what was asked; look before you repeat it",
                    url=self.shown,
                    error=error,
                )
            )
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return UntrustedError(
                say(
                    "the certificate of {url} is not trusted here ({error}); get its CA's from {url}/ca.crt, "
                    "compare its SHA-256 fingerprint with what `arena up` printed, and name the file with "
                    "ARENA_CA or `arena auth login --ca FILE` (docs/https.md)",
                    url=self.shown,
                    error=error,
                )
            )
        return UnreachableError(
            say(
                "no arena answers at {url} ({error}); start one with `arena up`, or set ARENA_URL",
                url=self.shown,
                error=error,
            )
        )

    def _check(self, response: httpx2.Response) -> None:
        if not response.is_error:
            return
        problem = self._read(_Problem, response)
        title = problem.title or response.reason_phrase
        refused = BusyError if response.status_code == httpx2.codes.SERVICE_UNAVAILABLE else RefusedError
        raise refused(response.status_code, title, problem.detail or title, problem.errors or ())

    def _read(self, schema: type[S], response: httpx2.Response) -> S:
        """The answer; what a newer arena tells besides is passed over."""
        try:
            return schema.model_validate_json(response.content, extra="ignore")
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise ForeignError(
                say(
                    "{url} answers with status {status_code}, but not as an arena would: {what}: {msg}",
                    url=self.shown,
                    status_code=response.status_code,
                    what=where or say("the whole"),
                    msg=first["msg"],
                )
            ) from None


def trusting(ca: Path) -> ssl.SSLContext:
    """What believes that CA, besides those that this machine trusts.

    Raises:
        CertificateError: the file is none of a certificate.
    """
    context = httpx2.create_ssl_context()
    try:
        context.load_verify_locations(ca)
    except OSError as error:  # ssl.SSLError is one
        reason = error.strerror or error
        raise CertificateError(
            say(
                "{ca} cannot be used as a CA's certificate ({reason}); it is the file that the arena "
                "gives at /ca.crt, see ARENA_CA and `arena auth login --ca`",
                ca=ca,
                reason=reason,
            )
        ) from None
    return context


def quoted(name: str) -> str:
    """A name as a part of an address."""
    return quote(name, safe="")
