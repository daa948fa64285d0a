"""Settings from the environment (`ARENA_...`), each refused with one sentence where it cannot be used."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings

from workers.core.errors import SettingsError

PREFIX = "ARENA_"
PASSWORD = re.compile(r"(:/*).*(?=@)|(password=)[^&]*", re.DOTALL)
"""Where an address may have one: its own signs may be in it, so it ends at the last `@`."""
NOT_OURS = re.compile(r"ARENA_(\w+_)?(SERVICE_(HOST|PORT\w*)|PORT(_\w+)?)")
"""What Kubernetes tells every process about a service that is called `arena` or `arena-…`."""

AnySettings = TypeVar("AnySettings", bound=BaseSettings)
Result = TypeVar("Result")


def read_settings(make: Callable[[], AnySettings]) -> AnySettings:
    """The settings that are made of the environment.

    Raises:
        SettingsError: a variable cannot be used; the message has a line for each such variable.
    """
    try:
        return make()
    except ValidationError as error:
        wrong = (each for each in error.errors() if each["type"] != "default_factory_not_called")
        raise SettingsError("\n".join(map(_sentence, wrong))) from None


def or_exit(read: Callable[[], Result]) -> Result:
    """What `read` gives; the process ends with the sentence where a setting cannot be used."""
    try:
        return read()
    except SettingsError as error:
        sys.exit(str(error))


def check_variables(known: Iterable[str], environ: Mapping[str, str] = os.environ) -> None:
    """Make sure that each variable with our prefix is a known one.

    Raises:
        SettingsError: some are not; the message has a line for each, with the one that was likely meant.
    """
    names = {f"{PREFIX}{name.upper()}" for name in known}
    given = {name.upper() for name in environ if name.upper().startswith(PREFIX)}
    if strange := sorted(name for name in given - names if not NOT_OURS.fullmatch(name)):
        raise SettingsError("\n".join(_unknown(name, names) for name in strange))


def without_password(address: str) -> str:
    """An address for people."""
    return PASSWORD.sub(r"\1\2***", address)


def _unknown(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.8)
    meant = f"did you mean {close[0]}?" if close else "unset it; docs/architecture.md lists the variables"
    return f"{name} is no setting of the arena; {meant}"


def _sentence(error: ErrorDetails) -> str:
    name = f"{PREFIX}{'_'.join(map(str, error['loc'])).upper()}"
    value = without_password(str(error["input"]))
    reason = error["msg"].removeprefix("Value error, ").replace("Input should", "it should")
    reason = reason.partition(", unable to")[0]  # which repeats what should be
    reason = reason[0].lower() + reason[1:]
    return f"{name}={value} cannot be used: {reason}; correct it, or unset it for the default"
