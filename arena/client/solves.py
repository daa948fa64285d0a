"""A client's requests about games that the workers solve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from arena.client.connection import LONG, Connection
from arena.client.watching import FINAL_STATES, again_and_again
from arena.core.terms import SolveState
from arena.schemas.paging import Page
from arena.schemas.solves import SolveOut


class SolvesClient(Connection):
    """Asks for solves, and follows them."""

    def create_solve(self, plan: Mapping[str, Any]) -> SolveOut:
        """Have the workers solve a game, from now on."""
        return self._ask(SolveOut, "POST", "/solves", json=dict(plan), timeout=LONG)

    def solves(self) -> Iterator[SolveOut]:
        """All solves, newest first."""
        return self._pages(Page[SolveOut], "/solves")

    def solve(self, number: int) -> SolveOut:
        """One solve and how far it is."""
        return self._ask(SolveOut, "GET", f"/solves/{number}")

    def act_on_solve(self, number: int, act: Literal["pause", "resume", "cancel"]) -> SolveOut:
        """Have a solve give nothing more out, go on, or end."""
        return self._ask(SolveOut, "POST", f"/solves/{number}/{act}")

    def solve_file(self, number: int, what: Literal["checkpoint", "proof"]) -> Iterator[bytes]:
        """All that is known of a solve, or the proof of what came out, in pieces as they arrive."""
        return self._stream(f"/solves/{number}/{what}")

    def watch_solve(self, number: int, pause: float = 1.0, patience: float = 30.0) -> Iterator[SolveOut]:
        """The solve again and again until it is over or paused."""
        return again_and_again(
            lambda: self.solve(number), pause, patience, FINAL_STATES | {SolveState.PAUSED}
        )
