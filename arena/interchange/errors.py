"""What can be wrong with a file that was written elsewhere."""

from __future__ import annotations

from arena.core.errors import InvalidError


class FileFormatError(InvalidError):
    """A file is not what its format asks for; the message names the line and what should stand there."""
