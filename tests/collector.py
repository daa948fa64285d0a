"""A collector of traces: it takes by OTLP what the arena's processes send, and keeps it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from workers.core import tracing


@dataclass(frozen=True)
class Told:
    """A span as it came: whose it is, its place, and what it says."""

    service: str
    name: str
    trace: str
    number: str
    parent: str
    failed: str | None
    about: dict[str, Any]
    resource: dict[str, Any]


@dataclass
class Collector:
    """What has come so far, in words and as it came, with the headers of each request."""

    url: str = ""
    spans: list[Told] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def named(self, name: str) -> list[Told]:
        """All spans of that name."""
        return [each for each in self.spans if each.name == name]

    def take(self, body: bytes, headers: dict[str, str]) -> None:
        """Keep what came."""
        request = ExportTraceServiceRequest.FromString(body)
        self.raw.append(body)
        self.headers.append(headers)
        for sent in request.resource_spans:
            resource = _plain(sent.resource.attributes)
            for scope in sent.scope_spans:
                for span in scope.spans:
                    place = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
                    failed = (
                        span.status.message if span.status.code == span.status.STATUS_CODE_ERROR else None
                    )
                    about = _plain(span.attributes)
                    service = resource["service.name"]
                    self.spans.append(Told(service, span.name, *place, failed, about, resource))


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector on a port of its own."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.take(body, {key.lower(): value for key, value in self.headers.items()})
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _plain(attributes: Sequence[Any]) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


@contextmanager
def telling(monkeypatch: pytest.MonkeyPatch, service: str = "test") -> Iterator[Collector]:
    """This process tells its spans to a collector, and all of them have come once the block is left."""
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        tracing.begin(service)
        try:
            yield collector
        finally:
            tracing.end()
