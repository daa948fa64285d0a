"""The spans of this process, sent by OpenTelemetry; `workers.core.tracing` alone knows this module.

A collector that is away or slow is waited for by a thread of its own, which keeps the latest spans and loses
the others. OpenTelemetry's own way starts such a thread in every process that is forked, where a sandbox is
just being made.
"""

from __future__ import annotations

import hashlib
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib.metadata import version
from typing import Any

import structlog
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, Status, StatusCode, TraceFlags

PURPOSE = b"bot-arena trace 1\0"
SEND_SECONDS = 1.0
MAX_AT_ONCE = 512
MAX_WAITING = 4096
END_SECONDS = 2.0
"""So long a process that ends waits for what it has told last."""
MUTE_SECONDS = 60.0
"""So often the log says that nothing is taken."""

log = structlog.get_logger()


class Spans:
    """Tells spans of a service; `process` is by what the logs know this one of it.

    Raises:
        ValueError: what a standard variable says cannot be used.
    """

    def __init__(self, service: str, process: str) -> None:
        ours = {
            "service.name": f"arena-{service}",
            "service.version": version("bot-arena"),
            "service.instance.id": process,
            "host.name": socket.gethostname(),
        }
        self._ids = _Ids()
        self._provider = TracerProvider(
            resource=Resource.create(ours).merge(OTELResourceDetector().detect()),
            id_generator=self._ids,
            shutdown_on_exit=False,
        )
        self._sender = _Sender(OTLPSpanExporter())
        self._provider.add_span_processor(self._sender)
        if _WHY.last:
            log.warning("a variable of OpenTelemetry's is of no use", why=_WHY.last)
        self._tracer = self._provider.get_tracer("bot-arena")

    @contextmanager
    def span(
        self, name: str, about: Mapping[str, Any], token: str | None, root: bool, parts: bool
    ) -> Iterator[None]:
        """The block is a span. Of an error that leaves it only the kind is told: words may be secret."""
        if token is None and not trace.get_current_span().is_recording():
            yield
            return
        span = self._tracer.start_span(name, self._context(token, root=root), attributes=about)
        inside = trace.use_span(span, record_exception=False, set_status_on_exception=False)
        try:
            with inside if parts else nullcontext():
                yield
        except BaseException as error:
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise
        finally:
            span.end()

    def tell(
        self,
        name: str,
        began_ns: int,
        about: Mapping[str, Any],
        *,
        token: str | None,
        kind: str,
        failed: str | None,
    ) -> None:
        """A span that began at that time and ends now; its kind is one of `SpanKind`, in small letters."""
        context = self._context(token)
        span = self._tracer.start_span(
            name, context, SpanKind[kind.upper()], attributes=about, start_time=began_ns
        )
        if failed is not None:
            span.set_status(Status(StatusCode.ERROR, failed))
        span.end()

    def close(self) -> None:
        """Send what waits, as far as that is quickly done."""
        self._sender.shutdown()

    def _context(self, token: str | None, *, root: bool = False) -> Context | None:
        """Where a span belongs: into the trace of an attempt, as its root or below that; or None, for here.

        Whether an attempt is sampled every process finds out for itself, from the number of its trace.
        """
        if token is None:
            return None
        number, first = ids_of(token)
        if root:
            self._ids.next = number, first
            return Context()
        found = self._provider.sampler.should_sample(Context(), number, "").decision
        flags = TraceFlags(TraceFlags.SAMPLED if found is Decision.RECORD_AND_SAMPLE else TraceFlags.DEFAULT)
        parent = SpanContext(number, first, is_remote=True, trace_flags=flags)
        return trace.set_span_in_context(NonRecordingSpan(parent), Context())


def ids_of(token: str) -> tuple[int, int]:
    """The numbers of an attempt's trace and of its root, from which nobody finds the token."""
    digest = hashlib.sha256(PURPOSE + token.encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:16]), int.from_bytes(digest[16:24])


class _Ids(RandomIdGenerator, threading.local):
    """Random numbers, but for the span that is begun `next` in this thread."""

    next: tuple[int, int] | None = None

    def generate_trace_id(self) -> int:
        """A trace's number; that of the span is asked for afterwards."""
        return self.next[0] if self.next else super().generate_trace_id()

    def generate_span_id(self) -> int:
        """A span's number."""
        if self.next is None:
            return super().generate_span_id()
        number, self.next = self.next[1], None
        return number


class _Sender(SpanProcessor):
    """Sends spans every second or so, in a thread that nothing waits for."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._waiting: deque[ReadableSpan] = deque(maxlen=MAX_WAITING)
        self._ends = threading.Event()
        self._said = -MUTE_SECONDS
        self._thread = threading.Thread(target=self._run, name="spans", daemon=True)
        self._thread.start()

    def on_end(self, span: ReadableSpan) -> None:
        """Take a span; where too many wait the oldest is lost."""
        if span.context is not None and span.context.trace_flags.sampled:
            self._waiting.append(span)

    def shutdown(self) -> None:
        """Send what waits, as far as that is quickly done."""
        self._ends.set()
        self._thread.join(END_SECONDS)
        self._exporter.shutdown()

    def _run(self) -> None:
        while not self._ends.wait(SEND_SECONDS):
            self._send()
        self._send()

    def _send(self) -> None:
        """Send all that waits; what is not taken is lost."""
        while self._waiting:
            some = [self._waiting.popleft() for _ in range(min(MAX_AT_ONCE, len(self._waiting)))]
            taken = self._exporter.export(some) is SpanExportResult.SUCCESS
            if not taken and time.monotonic() - self._said >= MUTE_SECONDS:
                self._said = time.monotonic()
                log.warning("traces are not taken by their collector", lost=len(some), why=_WHY.last)


class _Why(logging.Handler):
    """Keeps what OpenTelemetry logs last of its sending, without words of errors: addresses are in these.

    Of the rest that it logs nothing is written: it may repeat a header.
    """

    last = ""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        everything = logging.getLogger("opentelemetry")
        everything.propagate = False
        everything.handlers = [self]

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line."""
        if record.name.startswith("opentelemetry.exporter.") and isinstance(record.args, tuple):
            told = (type(each).__name__ if isinstance(each, Exception) else each for each in record.args)
            self.last = str(record.msg) % tuple(told)


_WHY = _Why()
