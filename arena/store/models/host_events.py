"""What is told of worker hosts."""

from __future__ import annotations

from arena.store.models.event_types import EventData, EventKind


class HostDrained(EventData, kind=EventKind.HOST_DRAINED):
    """A host is to finish what it has in hand, within so many seconds if that is said, and take no more."""

    host: str
    within_seconds: float | None = None


class HostResumed(EventData, kind=EventKind.HOST_RESUMED):
    """A host is to take work again."""

    host: str


class HostForgotten(EventData, kind=EventKind.HOST_FORGOTTEN):
    """A host that is gone is listed no more."""

    host: str


class HostEnrolled(EventData, kind=EventKind.HOST_ENROLLED):
    """What a host signs with that public key is believed."""

    host: str
    key: str


class HostRevoked(EventData, kind=EventKind.HOST_REVOKED):
    """Nothing that a host says is believed any more."""

    host: str


class HostTrustSet(EventData, kind=EventKind.HOST_TRUST_SET):
    """Such a share of a host's matches is played again elsewhere; none where it is trusted."""

    host: str
    repeat_share: float | None


class HostPurged(EventData, kind=EventKind.HOST_PURGED):
    """So much was withdrawn that a host had in hand, and so many of its matches since then are played again.

    So many more are left.
    """

    host: str
    since: str
    withdrawn: int
    again: int
    left: int
    reason: str


class EnvironmentChosen(EventData, kind=EventKind.ENVIRONMENT_CHOSEN):
    """The name of an environment for Python bots means these packages from now on."""

    name: str
    digest: str
    packages: str
