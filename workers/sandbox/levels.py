"""The levels of confinement, the strongest first, and which of them this host gives.

A level is what the host says it is: each is tried by starting a small program in it, and what comes of that
holds for as long as a process runs.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from workers.core.attempts import PAUSES_SECONDS, attempts
from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError, NoConfinementError
from workers.core.settings import get_settings
from workers.sandbox.bubblewrap import Bubblewrap
from workers.sandbox.cgroups import NO_CGROUPS, Host, find_host
from workers.sandbox.confinement import (
    Command,
    Confined,
    Confinement,
    Program,
    Startable,
    Waiting,
    as_program,
)
from workers.sandbox.landlock import Landlock
from workers.sandbox.lodging import Lodging
from workers.sandbox.process_group import ProcessGroup
from workers.sandbox.slots import can_change_user

LEVELS: dict[str, Callable[[Host], Confinement]] = {"bubblewrap": Bubblewrap, "landlock": Landlock}
"""The levels that withstand a hostile bot, the strongest first."""

NONE = "none"
"""The level that does not: `ProcessGroup`."""

WORD = "confined"
TRIAL: Command = ("/bin/sh", "-c", f"echo {WORD}")
TRIAL_SECONDS = 60.0
SHORT = {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC}
"""What others may give back: processes, descriptors, memory, room on the disk."""
WORDS = [os.strerror(number) for number in SHORT - {errno.ENOSPC}]
"""How programs tell of it; that there is no room on the disk some say where namespaces are forbidden."""


def find_confinement(level: str | None = None) -> Confinement:
    """The level of that name; without one, what `ARENA_CONFINEMENT` names, or else the best that works here.

    Raises:
        NoConfinementError: it does not work on this host, or none does, or there is no such level.
        LaunchError: that cannot be told now.
    """
    name = level or level_in_use()
    if name == NONE:
        return ProcessGroup()
    if name not in LEVELS:
        raise NoConfinementError(f"there is no confinement {name!r}; there are {', '.join([*LEVELS, NONE])}")
    if trouble := trouble_with(name):
        raise NoConfinementError(f"the confinement {name} does not work on this host: {trouble}")
    return LEVELS[name](usable_host())


def level_in_use() -> str:
    """What `ARENA_CONFINEMENT` names, or else the best level that works on this host.

    Raises:
        NoConfinementError: none does.
        LaunchError: that cannot be told now.
    """
    return get_settings().confinement or best_level()


def best_level() -> str:
    """The strongest level that works on this host.

    Raises:
        NoConfinementError: none does; the message says what is lacking.
        LaunchError: that cannot be told now.
    """
    for name in LEVELS:
        if trouble_with(name) is None:
            return name
    lacking = "; ".join(f"{name}: {trouble_with(name)}" for name in LEVELS)
    raise NoConfinementError(
        f"this host cannot confine bots, so it runs none but the reference bots ({lacking}); `arena doctor`"
        " says how to change that, and --unsafe runs a bot of your own without confinement"
    )


def available_levels() -> tuple[str, ...]:
    """The levels that work on this host, the strongest first."""
    return tuple(name for name in LEVELS if trouble_with(name) is None)


@cache
def trouble_with(name: str) -> str | None:
    """Why a level does not work on this host; None if it does.

    What happens before it is tried, or for want of something that others may give back, says nothing of it: a
    weaker one would be taken for as long as this process runs. So it would be for what befalls a trial once;
    what befalls each is this host's way.

    Raises:
        LaunchError: no bot would get as far as that now.
    """
    if sys.platform != "linux":
        return "it needs Linux"
    if os.geteuid() == 0 and not can_change_user():
        return (
            "root without the capabilities SETUID and SETGID cannot run bots as others; run as another user"
        )
    try:
        Lodging(TRIAL, Limits(), usable_host(), None).close()
    except OSError as error:
        raise LodgingError(f"this host has no place for a bot: {error}") from error
    trouble = None
    for _ in attempts(*PAUSES_SECONDS):
        try:
            trouble = _tried(LEVELS[name](usable_host()))
        except LodgingError:
            raise
        except (LaunchError, OSError) as error:
            if _is_short(error):
                raise LodgingError(f"this host has no room to try {name}: {error}") from error
            trouble = str(error)
            if isinstance(error, NoConfinementError):
                break
        if trouble is None:
            break
    return trouble


def _is_short(error: Exception) -> bool:
    """Whether there was want of what others may give back."""
    cause = error if isinstance(error, OSError) else error.__cause__
    known = isinstance(cause, OSError) and cause.errno in SHORT
    return known or isinstance(cause, TimeoutError) or any(words in str(error) for words in WORDS)


def _tried(confinement: Confinement) -> str | None:
    """What was wrong with how a small program ended."""
    trial = confinement.launch(TRIAL, Limits())
    try:
        status = trial.wait(TRIAL_SECONDS)
        said = os.read(trial.stdout, 100).decode() if status == 0 else ""
    finally:
        trial.destroy()
    if status is None:
        raise TimeoutError(f"a program that it was tried with has not ended after {TRIAL_SECONDS:g} s")
    return None if said.strip() == WORD else f"a program that it was tried with ended with status {status}"


def usable_host() -> Host:
    """The control groups that bots get: those of this host, or none where `ARENA_CGROUPS` is off."""
    return find_host() if get_settings().cgroups else NO_CGROUPS


class ByTrust:
    """Starts trusted programs as process groups, all others at the level that `find_confinement` gives."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot; see `Confinement.launch`.

        Raises:
            NoConfinementError: it is not trusted, and this host cannot confine it.
        """
        known = as_program(program)
        return _for(known).launch(known, limits, writable=writable)

    def prepare(self, program: Startable, limits: Limits) -> Waiting | None:
        """A sandbox that waits; see `Preparing.prepare`. Only bubblewrap takes long to build one.

        Raises:
            NoConfinementError: it is not trusted, and this host cannot confine it.
        """
        known = as_program(program)
        confinement = _for(known)
        return confinement.prepare(known, limits) if isinstance(confinement, Bubblewrap) else None


def _for(program: Program) -> Confinement:
    return ProcessGroup() if program.trusted else find_confinement()
