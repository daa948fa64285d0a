"""Reading a file of text that was named on the command line."""

from __future__ import annotations

from pathlib import Path

from arena.cli.failures import UsageError


def text_of(file: Path) -> str:
    """What is in `file`, which is UTF-8, with or without its mark.

    Raises:
        UsageError: it cannot be read, or is not UTF-8.
    """
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8: {error.reason} at byte {error.start}") from None
