"""Settings from the environment and `arena.toml`, each refused with one sentence where it cannot be used."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from workers.core.config_file import config_file, file_values, unset_values
from workers.core.errors import SettingsError
from workers.core.escape import without_password

PREFIX = "ARENA_"
SECRETS = ("database_url", "broker_url", "oidc_client_secret")
"""What may hold a secret; each may stand in a file that a variable with `FILE` at its end names."""
FILE = "_FILE"
MAX_SECRET_CHARS = 4096
PLAIN = re.compile(r"[\w+]+://(\*\*\*@)?([^:/?#]+(:\d{1,5})?)?([/?#].*)?", re.DOTALL)
"""An address in which nothing else can be a password once that is left out."""
NOT_OURS = re.compile(r"ARENA_(\w+_)?(SERVICE_(HOST|PORT\w*)|PORT(_\w+)?)")
"""What Kubernetes tells every process about a service that is called `arena` or `arena-…`."""

AnySettings = TypeVar("AnySettings", bound=BaseSettings)
Result = TypeVar("Result")


class ArenaSettings(BaseSettings):
    """Settings of the environment, secrets also of files; `read_settings` adds those of `arena.toml`."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Neither `.env` files nor folders of secrets are looked for."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, _SecretFiles(settings_cls)


class _SecretFiles(PydanticBaseSettingsSource):
    """What stands in files that variables name."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """A secret, if it is in a file."""
        del field
        return told(variable_of(field_name)) if field_name in SECRETS else None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """All of them."""
        fields = self.settings_cls.model_fields
        found = {name: self.get_field_value(field, name)[0] for name, field in fields.items()}
        return {name: value for name, value in found.items() if value is not None}


def variable_of(name: str) -> str:
    """The variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def told(variable: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """What a variable says, or the file that stands for it; None where neither is there.

    Raises:
        SettingsError: both are, or the file cannot be read, or nothing is in it, or too much.
    """
    if (file := environ.get(f"{variable}{FILE}")) is None:
        return environ.get(variable)
    if variable in environ:
        raise SettingsError(f"give {variable} or {variable}{FILE}, and not both")
    try:
        with Path(file).open(encoding="utf-8") as opened:
            text = opened.read(MAX_SECRET_CHARS + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise SettingsError(f"{variable}{FILE}={file} cannot be read: {why}") from None
    if not (secret := text.strip()):
        raise SettingsError(f"{variable}{FILE}={file} cannot be used: the file is empty")
    if len(text) > MAX_SECRET_CHARS:
        raise SettingsError(
            f"{variable}{FILE}={file} cannot be used: it has over {MAX_SECRET_CHARS} characters"
        )
    return secret


def read_settings(model: type[AnySettings], named: Path | None = None, **given: Any) -> AnySettings:
    """The settings that are given, else of the environment, else of the file for the folder that was named.

    Raises:
        SettingsError: one cannot be used; the message has a line for each such setting.
    """
    of_file = {key: value for key, value in unset_values(named).items() if key in model.model_fields}
    try:
        return model(**of_file | given)
    except ValidationError as error:
        wrong = (each for each in error.errors() if each["type"] != "default_factory_not_called")
        raise SettingsError("\n".join(_sentence(each, named) for each in wrong)) from None


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
    names = {variable_of(name) for name in known}
    given = {name.upper() for name in environ if name.upper().startswith(PREFIX)}
    if strange := sorted(name for name in given - names if not NOT_OURS.fullmatch(name)):
        raise SettingsError("\n".join(_unknown(name, names) for name in strange))


def _unknown(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.8)
    meant = f"did you mean {close[0]}?" if close else "unset it; docs/architecture.md lists the variables"
    return f"{name} is no setting of the arena; {meant}"


def _for_people(key: str, value: str) -> str:
    """What was set, if nothing of it can be a secret."""
    shown = without_password(value)
    return "***" if key in SECRETS and not PLAIN.fullmatch(shown) else shown


def _sentence(error: ErrorDetails, named: Path | None) -> str:
    key = "_".join(map(str, error["loc"]))
    name = variable_of(key)
    value = _for_people(key, str(error["input"]))
    if file := os.environ.get(f"{name}{FILE}"):
        name, value = f"{name}{FILE}", file
    elif name not in os.environ and key in file_values(named):
        name = f"{config_file(named)}: {key}"
    reason = error["msg"].removeprefix("Value error, ").replace("Input should", "it should")
    reason = reason.partition(", unable to")[0]  # which repeats what should be
    reason = reason[0].lower() + reason[1:]
    return f"{name}={value} cannot be used: {reason}; correct it, or unset it for the default"
