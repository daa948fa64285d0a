"""The levels of confinement, the strongest first, and which of them this host gives."""

from __future__ import annotations

from pathlib import Path

from workers.confinement import Confined, Startable, as_program
from workers.contract import Limits
from workers.sandbox.process_group import ProcessGroup


class ByTrust:
    """Starts trusted programs as process groups, and all others at the best level that this host gives."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot; see `Confinement.launch`."""
        return ProcessGroup().launch(as_program(program), limits, writable=writable)
