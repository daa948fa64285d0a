"""How Celery takes messages from a Redis or Valkey server here: only what is one comes any further.

With kombu's own transport an element that is no JSON, or lacks what a message has, ends the worker that takes
it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from celery.utils.dispatch import Signal
from kombu.transport import TRANSPORT_ALIASES, redis

from workers.core.poison import PoisonError, Unfit, head_of, order_of, told_in
from workers.core.signing import SigningKey

set_aside: Any = Signal(name="set_aside", providing_args={"queue", "why", "detail", "size", "head"})
"""Sent where something was taken from a queue that is no message."""

log = structlog.get_logger()


class QoS(redis.QoS):
    """Knows what is in hand, of which there may be only so much before nothing more is asked for."""

    def ack(self, delivery_tag: str) -> None:
        """Have done with a message, also where the broker cannot be told.

        Otherwise a consumer that may have one message has it for ever: it asks for nothing more, and so never
        sees that its connection is gone.
        """
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]  # kombu
        except Exception:
            self._quick_ack(delivery_tag)
            raise


class Channel(redis.Channel):
    """Reads and writes elements of the queues.

    With a `signer` what is sent is signed.
    """

    QoS = QoS
    from_transport_options: Any = (*redis.Channel.from_transport_options, "signer")
    signer: Callable[[], SigningKey] | None = None

    def _put(self, queue: str, message: dict[str, Any], **options: Any) -> None:
        if self.signer and "signature" not in message["properties"]:
            headers = message["headers"]
            signature = self.signer().signature(queue, headers["task"], headers["id"], message["body"])
            message["properties"]["signature"] = signature
        super()._put(queue, message, **options)  # type: ignore[no-untyped-call]  # kombu

    def _brpop_read(self, **options: Any) -> Any:
        self.connection.reading = True
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]  # kombu
        except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError, RecursionError) as error:
            if not self.connection.reading:
                raise
            found = getattr(error, "doc", getattr(error, "object", b""))
            raw = found.encode("utf-8", "surrogatepass") if isinstance(found, str) else bytes(found)
            _put_aside("", PoisonError(Unfit.NO_JSON, type(error).__name__), raw)
            return True


class Transport(redis.Transport):
    """Hands on what is a message, and only of whom is `trusted` where the options name somebody."""

    Channel = Channel
    reading = False
    """Whether an element is read which has not been handed on."""

    def _deliver(self, message: Any, queue: str) -> None:
        self.reading = False
        try:
            checked = _anew(message, queue, self._trusted())
        except PoisonError as error:
            _put_aside(queue, error, repr(message).encode("utf-8", "surrogatepass"))
            return
        super()._deliver(checked, queue)  # type: ignore[no-untyped-call]  # kombu

    def _trusted(self) -> str | None:
        connection: Any = self.client
        trusted = connection.transport_options.get("trusted")
        return trusted() if trusted else None


def _anew(message: Any, queue: str, trusted: str | None) -> dict[str, Any]:
    """The message with nothing but what it is to have: Celery acts on much more that a header may say.

    Raises:
        PoisonError: it is none, or not of whom alone is `trusted`.
    """
    order = order_of(message)
    if trusted is not None and order.signer(queue) != trusted:
        raise PoisonError(Unfit.SIGNATURE, f"the arena has not signed it for {queue}")
    told_in(order.body)
    return {
        "body": message["body"],
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {
            "lang": "py",
            "task": order.task,
            "id": order.id,
            "root_id": order.id,
            "parent_id": None,
        },
        "properties": {
            "correlation_id": order.id,
            "delivery_mode": 2,
            "priority": 0,
            "body_encoding": "base64",
            "delivery_tag": message["properties"]["delivery_tag"],
            "signature": message["properties"].get("signature"),
            "delivery_info": {"exchange": "", "routing_key": queue},
        },
    }


def _put_aside(queue: str, error: PoisonError, raw: bytes) -> None:
    told = {"queue": queue, "why": error.why, "detail": str(error), "size": len(raw), "head": head_of(raw)}
    log.warning("set aside", **told)
    set_aside.send(sender=None, **told)


def use() -> None:
    """Have Celery use this for every broker of the kind."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
