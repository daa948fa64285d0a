"""Uploads that wait until somebody has looked at what would become of them: beside the archives, for an hour.

What waits can be had by whoever sent it, for the class that it was sent for, by the token that was given for
it. Every process of the API finds it, and whichever looks next puts away what nobody came back for.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

import obstore
from obstore.store import from_url

from arena.core.clock import utc_now
from arena.core.errors import NotFoundError, UnavailableError

FOLDER = "waiting"
LONGEST = dt.timedelta(hours=1)
MAX_OF_ONE = 4
"""So many wait for one user and one class; the oldest goes for another one."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
FAILURES = (OSError, obstore.exceptions.BaseError)


class WaitingUploads:
    """What waits, in a folder of the archives' store."""

    def __init__(self, url: str) -> None:
        inside = f"{url.rstrip('/')}/{FOLDER}"
        if url.startswith("file://"):
            Path(unquote(urlsplit(inside).path)).mkdir(mode=0o700, parents=True, exist_ok=True)
        self._store = from_url(inside)

    def keep(self, class_id: int, user_id: int, data: bytes) -> str:
        """Have an upload wait; the token is what it is had by.

        Raises:
            UnavailableError: the store takes nothing.
        """
        token = secrets.token_urlsafe(24)
        try:
            obstore.put(self._store, f"{class_id}/{user_id}/{token}", data)
        except FAILURES as error:
            raise UnavailableError(
                "nothing can be kept at the moment; try again, or tell the staff"
            ) from error
        for path, _ in self._kept(f"{class_id}/{user_id}")[MAX_OF_ONE:]:
            self._forget(path)
        return token

    def get(self, class_id: int, user_id: int, token: str) -> bytes:
        """An upload that waits.

        Raises:
            NotFoundError: it does not any more, or it is another one's.
            UnavailableError: the store cannot be read.
        """
        if not TOKEN.fullmatch(token):
            raise _gone()
        try:
            found = obstore.get(self._store, f"{class_id}/{user_id}/{token}")
            if _is_old(found.meta["last_modified"]):
                raise _gone()
            return bytes(found.bytes())
        except (FileNotFoundError, obstore.exceptions.NotFoundError):
            raise _gone() from None
        except FAILURES as error:
            raise UnavailableError("what waits cannot be read at the moment; try again") from error

    def remove(self, class_id: int, user_id: int, token: str) -> None:
        """Put an upload away that was handed in."""
        if TOKEN.fullmatch(token):
            self._forget(f"{class_id}/{user_id}/{token}")

    def tidy(self) -> int:
        """Put away what waits for too long, and say how much that was."""
        old = [path for path, since in self._kept() if _is_old(since)]
        for path in old:
            self._forget(path)
        return len(old)

    def _kept(self, prefix: str | None = None) -> list[tuple[str, dt.datetime]]:
        """All that waits, the newest first."""
        try:
            found = obstore.list(self._store, prefix=prefix).collect()
        except FAILURES:
            return []
        rows = [(str(each["path"]), each["last_modified"]) for each in found]
        return sorted(rows, key=lambda row: row[1], reverse=True)

    def _forget(self, path: str) -> None:
        with suppress(*FAILURES):  # another process was quicker, or it goes the next time
            obstore.delete(self._store, path)


def _is_old(since: dt.datetime) -> bool:
    return utc_now() - since > LONGEST


def _gone() -> NotFoundError:
    return NotFoundError(
        "this upload does not wait any more: it was handed in, replaced, or an hour has gone by; "
        "send it again"
    )
