"""Files that the user named: read as text, and written whole or not at all."""

from __future__ import annotations

import codecs
import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from arena.core.words import say
from arena.local.errors import InputError


def text_of(file: Path) -> str:
    """What is in `file`, which is UTF-8, with or without its mark.

    Raises:
        InputError: it cannot be read, or is not UTF-8.
    """
    try:
        content = file.read_bytes()
        refuse_utf_16(file, content)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            say("{file} cannot be read: {strerror}", file=file, strerror=error.strerror)
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(
            say(
                "{file} is not UTF-8: {reason} at byte {start}",
                file=file,
                reason=error.reason,
                start=error.start,
            )
        ) from None


def refuse_utf_16(file: Path, beginning: bytes) -> None:
    """Refuse a file that begins with the mark of UTF-16, and say who writes that.

    Raises:
        InputError: it does.
    """
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(
            say(
                "{file} is not UTF-8 (PowerShell's > writes UTF-16; `Set-Content -Encoding utf8` does not)",
                file=file,
            )
        )


def require_place(path: Path, *, force: bool = False) -> None:
    """Refuse a path where `write_whole` could make no file, before what shall stand in it is computed.

    Raises:
        InputError: it is a folder, or in none that exists and can be written; or it is a file already, and
            nobody said with `force` that it may be replaced.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(say("{path} cannot be written: it is a folder, or in none that exists", path=path))
    require_absent(path, force=force)
    target = path.resolve()
    if not os.access(target if target.exists() and not target.is_file() else target.parent, os.W_OK):
        raise InputError(say("{path} cannot be written: permission denied", path=path))


def require_absent(path: Path, *, force: bool = False) -> None:
    """Refuse a plain file that is there already, unless `force` says that it may be replaced.

    Raises:
        InputError: it is there.
    """
    if path.is_file() and not force:
        raise InputError(
            say("{path} is there already; name another file, or replace it with --force", path=path)
        )


def write_whole(path: Path, pieces: Iterable[bytes], *, force: bool = False) -> int:
    """Write a file that appears only when all of it is there; what is no plain file is written directly.

    Returns how many bytes it has. A file that is there is replaced with `force` only.

    Raises:
        InputError: it cannot be written, or is there already.
    """
    target = path.resolve()
    direct = target.exists() and not target.is_file()
    part = target if direct else target.with_name(f".arena-export-{secrets.token_hex(8)}.part")
    try:
        with part.open("wb" if direct else "xb") as file:  # whoever else may write there cannot be first
            size = sum(map(file.write, pieces))
        if not direct:
            require_absent(path, force=force)
            part.replace(target)
    except OSError as error:
        raise InputError(
            say("{path} cannot be written: {strerror}", path=path, strerror=error.strerror)
        ) from None
    finally:
        if not direct:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
    return size
