"""Environments of this machine: building, listing and removing them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arena.local.errors import InputError
from arena.local.files import text_of
from workers.core.errors import LaunchError, PackagesError
from workers.core.settings import get_settings
from workers.programs import environment_builds
from workers.programs.environments import Environment, environments, trouble_with
from workers.sandbox.confinement import CONFINES, Confinement


class Listed(NamedTuple):
    """An environment, and why bots cannot use it here; None if they can."""

    environment: Environment
    trouble: str | None


def build(name: str, packages: Sequence[str], files: Sequence[Path], wheels: Path | None) -> Environment:
    """Build an environment of packages that are named here or in files, each with its version.

    Raises:
        InputError: it cannot be built.
    """
    try:
        wanted = environment_builds.read_list([*packages, *map(text_of, files)])
        return environment_builds.build(
            name, wanted, wheels=wheels, python=_python(), confinement=_confinement()
        )
    except (LaunchError, PackagesError) as error:
        raise InputError(str(error)) from None


def list_all() -> list[Listed]:
    """All environments of this machine."""
    return [Listed(each, _trouble(each)) for each in environments()]


def _trouble(environment: Environment) -> str | None:
    """Why bots cannot use an environment here, or why that cannot be told now."""
    try:
        return trouble_with(environment, _confinement(), _python())
    except LaunchError as error:
        return str(error)


def remove(word: str) -> list[Environment]:
    """Remove what `NAME` or `NAME@DIGEST` names.

    Raises:
        InputError: there is no such environment.
    """
    name, _, digest = word.partition("@")
    try:
        return environment_builds.remove(name, digest or None)
    except PackagesError as error:
        raise InputError(str(error)) from None


def _python() -> tuple[str, ...]:
    return tuple(shlex.split(get_settings().bot_python))


def _confinement() -> Confinement | None:
    """What bots run in; None where they run as other programs do."""
    if not CONFINES:
        return None
    from workers.sandbox.levels import ByTrust

    return ByTrust()
