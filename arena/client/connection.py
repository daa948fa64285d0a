"""HTTP to one arena: sending, refusals, and answers read as the schemas that the API shares."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from arena.client.errors import (
    BusyError,
    ForeignError,
    RefusedError,
    SilentError,
    TokenError,
    UnreachableError,
    UrlError,
)
from arena.schemas.paging import Page

TIMEOUT = httpx.Timeout(30.0, connect=5.0)
LONG = httpx.Timeout(600.0, connect=5.0)
PAGE_SIZE = 100

S = TypeVar("S", bound=BaseModel)


class _Problem(BaseModel):
    """What is read of a problem document."""

    title: str = ""
    detail: str = ""


class Connection:
    """One arena with one token. Every method raises `ClientError` when it cannot do its work."""

    def __init__(
        self, url: str, token: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.url = url.rstrip("/")
        if token and not (token.isascii() and token.isprintable() and " " not in token):
            raise TokenError(
                "the token has characters that no token has; log in again, or set ARENA_TOKEN anew"
            )
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            parts = httpx.URL(self.url)
        except httpx.InvalidURL as error:
            raise UrlError(f"{url!r} is not a URL: {error}") from None
        if parts.scheme not in {"http", "https"} or not parts.host:
            raise UrlError(f"{url!r} is not an arena's URL; it looks like http://127.0.0.1:8080")
        self._http = httpx.Client(
            base_url=f"{self.url}/api/v1", headers=headers, timeout=TIMEOUT, transport=transport
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
        try:
            with self._http.stream("GET", path, params=wish, timeout=LONG) as response:
                if response.is_error:
                    response.read()
                self._check(response)
                yield from response.iter_bytes()
        except httpx.TransportError as error:
            raise self._unreachable(error) from None

    def _pages(self, schema: type[Page[S]], path: str, **chosen: str) -> Iterator[S]:
        offset = 0
        while True:
            wish = {**chosen, "offset": offset, "limit": PAGE_SIZE}
            page = self._ask(schema, "GET", path, params=wish)
            yield from page.items
            offset += len(page.items)
            if not page.items or offset >= page.total:
                return

    def _ask(self, schema: type[S], method: str, path: str, **content: Any) -> S:
        response = self._send(method, path, **content)
        self._check(response)
        return self._read(schema, response)

    def _send(self, method: str, path: str, **content: Any) -> httpx.Response:
        try:
            try:
                return self._http.request(method, path, **content)
            except httpx.RemoteProtocolError:  # the arena closed the idle connection at this very moment
                if method != "GET":
                    raise
                return self._http.request(method, path, **content)
        except httpx.TransportError as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: httpx.TransportError) -> UnreachableError:
        if isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout):
            return SilentError(
                f"the arena at {self.url} is busy: it has not answered in time, and may have done what was "
                "asked; look before you repeat it (`arena status` on its machine says what stands still)"
            )
        return UnreachableError(
            f"no arena answers at {self.url} ({error}); start one with `arena up`, or set ARENA_URL"
        )

    def _check(self, response: httpx.Response) -> None:
        if not response.is_error:
            return
        problem = self._read(_Problem, response)
        title = problem.title or response.reason_phrase
        refused = BusyError if response.status_code == httpx.codes.SERVICE_UNAVAILABLE else RefusedError
        raise refused(response.status_code, title, problem.detail or title)

    def _read(self, schema: type[S], response: httpx.Response) -> S:
        """The answer; what a newer arena tells besides is passed over."""
        try:
            return schema.model_validate_json(response.content, extra="ignore")
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise ForeignError(
                f"{self.url} answers with status {response.status_code}, but not as an arena would: "
                f"{where or 'the whole'}: {first['msg']}"
            ) from None
