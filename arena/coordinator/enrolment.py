"""Which worker hosts are believed: each by a key of its own, which it made itself.

A host is enrolled over the API with a code that an administrator made, good once and for a day; the
arena's own machine through its data folder. Nothing of it goes through the broker.
"""

from __future__ import annotations

import datetime as dt
import socket
from collections.abc import Sequence

import structlog
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError, UnavailableError
from arena.core.folder import DataFolder
from arena.core.settings import Settings
from arena.core.terms import MAX_HOST_CHARS
from arena.core.worker_environment import read_environment
from arena.people.secret import digest, new_secret
from arena.store import events
from arena.store import worker_keys as store
from arena.store.models import EnrolmentCode, User, WorkerKey
from arena.store.models.host_events import HostEnrolled, HostRevoked, HostTrustSet
from arena.store.paging import page
from workers.core.enrolment import OWN, write_arena_key
from workers.core.errors import SettingsError
from workers.core.signing import SigningKey, is_key, read_key, read_or_make_key

log = structlog.get_logger()

CODE_GOOD_FOR = dt.timedelta(days=1)


def make_code(session: Session, actor: User, repeat_share: float | None = None) -> tuple[str, EnrolmentCode]:
    """A code with which one host can be enrolled; its text is shown this once.

    With a `repeat_share` it is not trusted: such a share of its matches is played again elsewhere.

    Raises:
        ForbiddenError: the actor is no administrator.
    """
    permissions.require_admin(actor)
    text = new_secret()
    code = EnrolmentCode(hash=digest(text), made_by=actor.id, expires_at=utc_now() + CODE_GOOD_FOR)
    code.repeat_share = repeat_share
    session.add(code)
    session.flush()
    return text, code


def require_code(session: Session, code: str) -> None:
    """Refuse who has made a code up, by reading only.

    Raises:
        NotFoundError: there is no such code, or it is good no more.
    """
    if store.good_code(session, digest(code), utc_now(), locked=False) is None:
        raise _no_code()


def spoil_code(session: Session, code: str) -> None:
    """Have nobody enrolled by a code that others may have read.

    Raises:
        NotFoundError: there is no such code, or it is good no more.
    """
    now = utc_now()
    found = store.good_code(session, digest(code), now)
    if found is None:
        raise _no_code()
    found.used_at = now


def enrol(session: Session, code: str, host: str, public: str) -> WorkerKey:
    """Believe from now on what `host` signs with that key, which takes the code.

    Raises:
        NotFoundError: there is no such code, or it is good no more.
        InvalidError: that is no public key, or no host's name.
        ConflictError: the host has a key, or somebody that one.
    """
    now = utc_now()
    found = store.good_code(session, digest(code), now)
    if found is None:
        raise _no_code()
    if not is_key(public):
        raise InvalidError("that is no public key")
    if not (0 < len(host) <= MAX_HOST_CHARS and host.isprintable()):
        raise InvalidError("that is no name of a host")
    if store.good_key(session, host) is not None:
        raise ConflictError("the host %(host)r has a key: it is to be revoked first", host=host)
    if store.known_key(session, public) is not None:
        raise ConflictError("that key is known already: each host makes its own")
    found.used_at = now
    key = _believe(session, host, public, found.made_by)
    if found.repeat_share is not None:
        _trust(session, key, found.repeat_share, None)
    return key


def told(settings: Settings) -> dict[str, str]:
    """The variables that the workers of a host need which is enrolled.

    Raises:
        UnavailableError: they cannot be read now.
    """
    if settings.worker_settings_file is None:
        return {}
    try:
        return read_environment(settings.worker_settings_file)
    except SettingsError as error:
        log.warning("nobody can be enrolled", error=str(error))
        raise UnavailableError("the arena cannot read what workers are told; see its log") from None


def list_keys(session: Session, actor: User, offset: int, limit: int) -> tuple[Sequence[WorkerKey], int]:
    """One page of the keys that there ever were, the good ones first.

    Raises:
        ForbiddenError: the actor is no administrator.
    """
    permissions.require_admin(actor)
    return page(session, store.all_keys(), offset, limit)


def set_trust(session: Session, actor: User, host: str, repeat_share: float | None) -> WorkerKey:
    """Trust a host from now on, or have such a share of its matches played again elsewhere.

    Raises:
        ForbiddenError: the actor is no administrator.
        NotFoundError: no such host has a key.
    """
    permissions.require_admin(actor)
    key = _good_key(session, host)
    _trust(session, key, repeat_share, actor)
    return key


def revoke(session: Session, actor: User, host: str) -> WorkerKey:
    """Believe a host no more; what it has in hand is played again when its lease has run out.

    Raises:
        ForbiddenError: the actor is no administrator.
        NotFoundError: no such host has a key.
    """
    permissions.require_admin(actor)
    key = _good_key(session, host)
    _revoke(session, key, actor)
    return key


def arena_key(settings: Settings) -> SigningKey:
    """The key with which the arena signs what it gives out.

    Raises:
        UnavailableError: it cannot be read: a new one would be nobody's whom the hosts know.
    """
    path = settings.signing_key_file
    try:
        return read_key(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no key"
        raise UnavailableError(
            "the arena's signing key %(path)s cannot be read (%(why)s): put it back, or start the arena with"
            " `arena up`, which makes one, and enrol all further hosts anew",
            path=str(path),
            why=why,
        ) from None


def enrol_here(session: Session, settings: Settings) -> bool:
    """Believe the workers of this machine, and have them know the arena, by files of the data folder.

    Returns whether they are believed: a key that was revoked stays so.

    Raises:
        OSError, ValueError: the files cannot be written or read.
    """
    folder, host = DataFolder(settings.data_dir).worker_keys, socket.gethostname()
    own = read_or_make_key(folder / OWN)
    write_arena_key(folder, read_or_make_key(settings.signing_key_file).public, host)
    known = store.known_key(session, own.public)
    if known is not None and (known.revoked_at is not None or known.host == host):
        return known.revoked_at is None
    if (other := store.good_key(session, host)) is not None:
        _revoke(session, other, None)
    if known is None:
        _believe(session, host, own.public, None)
    else:  # the machine had another name
        events.log(session, HostRevoked(known.host), actor=None)
        known.host = host
        events.log(session, HostEnrolled(host, own.public), actor=None)
    return True


def _good_key(session: Session, host: str) -> WorkerKey:
    key = store.good_key(session, host) if "\0" not in host else None
    if key is None:
        raise NotFoundError("no worker host %(host)r has a key", host=host[:MAX_HOST_CHARS])
    return key


def _trust(session: Session, key: WorkerKey, repeat_share: float | None, actor: User | None) -> None:
    key.repeat_share = repeat_share
    events.log(session, HostTrustSet(key.host, repeat_share), actor=actor)
    session.flush()


def _revoke(session: Session, key: WorkerKey, actor: User | None) -> None:
    key.revoked_at = utc_now()
    events.log(session, HostRevoked(key.host), actor=actor)
    session.flush()


def _believe(session: Session, host: str, public: str, by: int | None) -> WorkerKey:
    key = WorkerKey(host=host, public=public, enrolled_at=utc_now(), enrolled_by=by)
    session.add(key)
    events.log(session, HostEnrolled(host, public), actor=None)
    session.flush()
    return key


def _no_code() -> NotFoundError:
    return NotFoundError("no such code: it is wrong, used, withdrawn or older than a day")
