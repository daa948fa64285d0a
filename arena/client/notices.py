"""What the staff tells others: announcements, and addresses that are told of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from arena.client.connection import Connection
from arena.schemas.events import EventOut
from arena.schemas.paging import Page
from arena.schemas.webhooks import DeliveryOut, Removed, WebhookOut, WebhookWithSecret


class NoticesClient(Connection):
    """The part of the client that is about notices. Methods raise `ClientError`."""

    def announce(self, text: str, tournament: str | None = None) -> EventOut:
        """Tell everybody something, or those who follow one tournament."""
        told = {"text": text} | ({"tournament": tournament} if tournament else {})
        return self._ask(EventOut, "POST", "/announcements", json=told)

    def announcements(self) -> Iterator[EventOut]:
        """What was announced, newest first."""
        return self._pages(Page[EventOut], "/announcements")

    def create_webhook(
        self, url: str, kinds: Sequence[str], tournament: str | None = None
    ) -> WebhookWithSecret:
        """Have an address told of what happens from now on; the answer has the secret, shown this once."""
        told: dict[str, Any] = {"url": url, "kinds": list(kinds)}
        told |= {"tournament": tournament} if tournament else {}
        return self._ask(WebhookWithSecret, "POST", "/webhooks", json=told)

    def webhooks(self) -> Iterator[WebhookOut]:
        """All webhooks."""
        return self._pages(Page[WebhookOut], "/webhooks")

    def change_webhook(self, number: int, action: str) -> WebhookOut:
        """`start` or `stop` a webhook."""
        return self._ask(WebhookOut, "POST", f"/webhooks/{number}/{action}")

    def remove_webhook(self, number: int) -> Removed:
        """Tell an address nothing any more."""
        return self._ask(Removed, "DELETE", f"/webhooks/{number}")

    def deliveries(self, number: int, state: str | None = None) -> Iterator[DeliveryOut]:
        """What a webhook is or was told, newest first."""
        chosen = {"state": state} if state else {}
        return self._pages(Page[DeliveryOut], f"/webhooks/{number}/deliveries", **chosen)

    def retry_delivery(self, number: int, delivery: int) -> DeliveryOut:
        """Have a delivery that was given up tried anew."""
        return self._ask(DeliveryOut, "POST", f"/webhooks/{number}/deliveries/{delivery}/retry")
