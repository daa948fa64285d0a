"""Starting a bot as a player: confined where this system can do that, else as a plain process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workers.core.contract import Limits
from workers.core.errors import NoConfinementError
from workers.core.halt import Halt
from workers.core.settings import get_settings
from workers.sandbox.confinement import CONFINES, Confinement, Startable, as_program

if TYPE_CHECKING:
    from workers.play.plain_session import PlainSession
    from workers.play.session import Session

    AnySession = Session | PlainSession


def session_of(
    program: Startable, limits: Limits, confinement: Confinement | None = None, halt: Halt | None = None
) -> AnySession:
    """A player for one match, which `halt` breaks off; its process is started when that begins.

    Raises:
        NoConfinementError: it is a stranger's program, and this system cannot confine it.
    """
    session = _confined(program, limits, confinement) if CONFINES else _plain(program, limits)
    session.heed(halt)
    return session


def _confined(program: Startable, limits: Limits, confinement: Confinement | None) -> Session:
    from workers.play.session import Session  # noqa: PLC0415  (Linux alone has what it imports)
    from workers.sandbox.levels import ByTrust  # noqa: PLC0415  (likewise)

    return Session(program, limits, confinement or ByTrust())


def _plain(program: Startable, limits: Limits) -> PlainSession:
    from workers.play.plain_session import PlainSession  # noqa: PLC0415  (elsewhere nobody needs it)

    known = as_program(program)
    if not known.trusted and get_settings().confinement != "none":
        raise NoConfinementError(
            "bots are confined on Linux only; with --unsafe one of your own runs here as other programs do"
        )
    return PlainSession(known, limits)
