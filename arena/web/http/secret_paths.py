"""Addresses that hold a secret, which the log of requests does not tell."""

from __future__ import annotations

import logging
import re

SECRET = re.compile(
    r"(?<=/feed/)[^/?\s]+|(?<=/sign-in/link/)[^/?\s]+|(?<=/play/games/)[^/?\s]+|(?<=[?&]code=)[^&\s]+"
)
HIDDEN = "[secret]"


class _WithoutSecrets(logging.Filter):
    """Lets every line pass, without the secrets of addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Take them out of what is filled into the line."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                SECRET.sub(HIDDEN, each) if isinstance(each, str) else each for each in record.args
            )
        return True


_FILTER = _WithoutSecrets()


def hide_secrets() -> None:
    """Have the server's log of requests tell no secrets from now on; once more changes nothing."""
    logging.getLogger("uvicorn.access").addFilter(_FILTER)
