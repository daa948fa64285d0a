"""What can go wrong around a running arena.

SupervisorError
├── AlreadyRunningError   another supervisor holds the data folder
├── NotRunningError       nothing runs on the data folder
├── PortInUseError        somebody else listens on the port
├── UnusableError         a folder, an address or a URL that was given cannot be used
└── StartError            a part of the arena did not come up; the message quotes its log
"""

from __future__ import annotations


class SupervisorError(Exception):
    """The arena on this machine could not be started, found or stopped; the message says what to do."""


class AlreadyRunningError(SupervisorError):
    """Another supervisor holds the data folder; use it, or stop it with `arena down`."""


class NotRunningError(SupervisorError):
    """Nothing runs on the data folder; start it with `arena up`."""


class PortInUseError(SupervisorError):
    """Somebody else listens on the port; choose another one with `--port`."""


class UnusableError(SupervisorError):
    """A folder, an address or a URL that was given cannot be used; the message says what to give instead."""


class StartError(SupervisorError):
    """A part of the arena did not come up; the message names it and quotes the end of its log."""
