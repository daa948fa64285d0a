"""What is done, told in spans to a collector of OpenTelemetry, where a standard variable names one.

Elsewhere nothing of OpenTelemetry is imported, and nothing is told. Only a process that has begun to tell
does: none that it forks, and none of a pool.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from workers.core.errors import SettingsError

if TYPE_CHECKING:
    from workers.core.spans import Spans

PREFIX = "OTEL_"
"""What the standard variables begin with."""
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
PROTOCOL = "http/protobuf"
HEADERS = ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")
NOTHING: AbstractContextManager[None] = nullcontext()


class Place(NamedTuple):
    """Where a span belongs: into the trace of the attempt that has the token, else into the span around it.

    Of each attempt one is the root, which the others are below, wherever they are. What stands in one that
    has no `parts` is not told.
    """

    token: str | None = None
    root: bool = False
    parts: bool = True


HERE = Place()
NONE: Mapping[str, Any] = {}


class _Telling:
    """What tells the spans of this process, if anything does."""

    spans: Spans | None = None


def is_wanted(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether spans are to be told: a collector is named, and nothing says that all the same they are not."""
    off = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return (
        _first(ENDPOINTS, environ) is not None and not off and environ.get("OTEL_TRACES_EXPORTER") != "none"
    )


def check(environ: Mapping[str, str] = os.environ) -> None:
    """Make sure that spans can be told, where they are wanted.

    Raises:
        SettingsError: they cannot; neither address nor headers are repeated, as a secret may be in them.
    """
    if not is_wanted(environ) or (endpoint := _first(ENDPOINTS, environ)) is None:
        return
    name, address = endpoint
    if not _is_address(address):
        raise SettingsError(
            f"{name} cannot be used: it should be the address of a collector, as http://localhost:4318;"
            " correct it, or unset it for no traces"
        )
    protocol = _first(PROTOCOLS, environ)
    if protocol is not None and protocol[1] != PROTOCOL:
        raise SettingsError(
            f"{'='.join(protocol)} cannot be used: traces are sent by {PROTOCOL} alone, which collectors take"
            f" at port 4318; correct both, or unset {protocol[0]}"
        )
    headers = _first(HEADERS, environ)
    if headers is not None and not all("=" in each for each in headers[1].strip(" ,").split(",")):
        raise SettingsError(f"{headers[0]} cannot be used: it should be NAME=VALUE, more of it after a comma")
    try:
        import workers.core.spans  # noqa: F401, PLC0415  (OpenTelemetry, for whoever wants it)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{name} is set, which needs {error.name}, and that is not installed: add what belongs to it by"
            f" `pip install 'bot-arena[otel]'`, or unset {name} for no traces"
        ) from None


def begin(service: str, process: str | None = None) -> None:
    """Tell the spans of this process from now on, if they are wanted, as those of that service.

    Raises:
        SettingsError: they cannot be told.
    """
    check()
    if is_wanted():
        from workers.core.spans import Spans  # noqa: PLC0415  (likewise)

        try:
            _Telling.spans = Spans(service, process or service)
        except ValueError as error:
            raise SettingsError(f"a variable {PREFIX}… cannot be used: {error}") from None
        os.register_at_fork(after_in_child=_be_silent)
        atexit.register(end)


def end() -> None:
    """Send what is not sent yet, as far as that is quickly done, and tell nothing more."""
    if _Telling.spans is not None:
        _Telling.spans.close()
        _Telling.spans = None


def span(name: str, about: Mapping[str, Any] = NONE, place: Place = HERE) -> AbstractContextManager[None]:
    """The block is a span: in the trace of an attempt, or as a part of the span that it stands in."""
    return NOTHING if _Telling.spans is None else _Telling.spans.span(name, about, *place)


def tell(
    name: str,
    began_ns: int,
    about: Mapping[str, Any],
    *,
    token: str | None = None,
    kind: str = "internal",
    failed: str | None = None,
) -> None:
    """Tell a span that began at that time and ends now; `failed` says in a word what went wrong in it."""
    if _Telling.spans is not None:
        _Telling.spans.tell(name, began_ns, about, token=token, kind=kind, failed=failed)


def _be_silent() -> None:
    """What tells spans has stayed with the parent, and with it whatever it has locked."""
    _Telling.spans = None


def _first(names: tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, str] | None:
    """The first of these variables that says something, and what."""
    return next(((name, environ[name]) for name in names if environ.get(name)), None)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
