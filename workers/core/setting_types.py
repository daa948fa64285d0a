"""The kinds of values that settings have, each refused in one sentence; nothing is made to find out."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import AfterValidator, Field

from workers.core.redis_address import redis_url
from workers.core.scratch import OPEN_FOLDER

DAY = 24 * 3600
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
"""What is full may have room later; health says so until then."""
PLACES = {"redis": r"[^/]*/?\d*", "rediss": r"[^/]*/?\d*", "redis+socket": "/.+"}
"""What follows the `//` of a broker's address: a server and the number of a database, or a socket's path."""


class LogFormat(StrEnum):
    """How lines of logs are written."""

    TEXT = "text"
    JSON = "json"


def to_read(folder: Path) -> None:
    """Make sure that a folder can be opened.

    Raises:
        OSError: it cannot.
    """
    os.close(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))


def to_write(folder: Path) -> None:
    """Make sure that files can be made in a folder; the one that is made has no name there.

    Raises:
        OSError: they cannot.
    """
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise


def to_share(folder: Path) -> None:
    """Make sure that a folder can be opened as that of the cores' locks is.

    Raises:
        OSError: it cannot.
    """
    os.close(os.open(folder, OPEN_FOLDER))


def check_folder(folder: Path, use: Callable[[Path], None]) -> Path:
    """Make sure that a folder is of `use`, or can be made where there is none; it is returned.

    Raises:
        ValueError: neither.
    """
    if not folder.is_absolute():
        raise ValueError("a folder is named by its whole path, /FOLDER")
    try:
        nearest = next(each for each in (folder, *folder.parents) if each.is_symlink() or each.exists())
        (use if nearest == folder else to_write)(nearest)
    except OSError as error:
        raise ValueError(f"the folder cannot be made or used ({error.strerror})") from None
    return folder


def _broker_address(url: str) -> str:
    """Only what Celery and redis-py take alike: no option but those of TLS, which both read."""
    import redis  # noqa: PLC0415  (for who is given a broker)

    try:
        parts = urlsplit(url)
        options = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        usable = (
            re.fullmatch(PLACES.get(parts.scheme, "(?!)"), f"{parts.netloc}{parts.path}") is not None
            and (parts.port is None or bool(parts.hostname))
            and (parts.scheme == "rediss" or not options)
            and all(name.startswith("ssl_") for name in options)
        )
        redis.ConnectionPool.from_url(redis_url(url)).make_connection()
    except (ValueError, TypeError, redis.RedisError):
        usable = False
    if not usable:
        raise ValueError(
            "a broker is a Redis or Valkey server, redis://HOST:PORT/0, rediss://HOST:PORT/0 (which alone can"
            " have options, ssl_...) or redis+socket:///PATH"
        )
    return url


def _store_address(url: str, use: Callable[[Path], None], what: str = "archives") -> str:
    from obstore.store import from_url  # noqa: PLC0415  (for who is given a store)

    try:
        parts = urlsplit(url)
        local = url.startswith("file:///") and not (parts.query or parts.fragment)
        usable = local or (parts.scheme == "s3" and parts.netloc and from_url(url))
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(f"{what} are kept in file:///FOLDER or s3://BUCKET/PATH")
    if local:
        check_folder(Path(unquote(parts.path)), use)
    return url


def _interpreter(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"it is no command line ({error})") from None
    if not words or shutil.which(words[0]) is None:
        raise ValueError("there is no such program that can be run here")
    return command


BrokerUrl = Annotated[str, AfterValidator(_broker_address)]
ArchiveUrl = Annotated[str, AfterValidator(partial(_store_address, use=to_read))]
WritableArchiveUrl = Annotated[str, AfterValidator(partial(_store_address, use=to_write))]
RecordsUrl = Annotated[str, AfterValidator(partial(_store_address, use=to_write, what="recorded games"))]
SharedFolder = Annotated[Path, AfterValidator(partial(check_folder, use=to_share))]
WritableFolder = Annotated[Path, AfterValidator(partial(check_folder, use=to_write))]
CommandLine = Annotated[str, AfterValidator(_interpreter)]
Seconds = Annotated[float, Field(gt=0, le=DAY, allow_inf_nan=False)]
