"""Questions to bots that sleep, by compiled code where the arena was installed with a compiler."""

from __future__ import annotations

try:
    from workers.play._exchange import ask as exchange
    from workers.play._exchange import run as run_plies
except ImportError:
    run_plies = None  # type: ignore[assignment]  # then each ply is played by itself

    def exchange(*_: object) -> None:  # type: ignore[misc]  # whatever it is given
        """Leave every question to what deals with all that may happen."""


__all__ = ["exchange", "run_plies"]
