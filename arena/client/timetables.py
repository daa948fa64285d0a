"""What a client asks for of timetables, freezes, reveals, and of what enters by itself."""

from __future__ import annotations

from collections.abc import Mapping

from arena.client.connection import Connection, quoted
from arena.schemas.timetables import RevealOut, TimetableOut
from arena.schemas.tournaments import PendingMade, TournamentOut


class TimetableClient(Connection):
    """Talks to one arena with one token."""

    def timetable(self, name: str) -> TimetableOut:
        """What the arena does by itself to a tournament, and when."""
        return self._ask(TimetableOut, "GET", self._of(name, "timetable"))

    def set_timetable(self, name: str, moments: Mapping[str, str | None], *, own: bool) -> TimetableOut:
        """Set all moments of a tournament, by the names of the acts."""
        return self._ask(TimetableOut, "PUT", self._of(name, "timetable"), json={**moments, "own": own})

    def freeze(self, name: str, *, own: bool) -> TournamentOut:
        """Hide new results from everybody but the staff of the tournament."""
        return self._ask(TournamentOut, "POST", self._of(name, "freeze"), json={"own": own})

    def reveal(self, name: str) -> RevealOut:
        """The table between what the public sees and what there is."""
        return self._ask(RevealOut, "GET", self._of(name, "reveal"))

    def step_reveal(self, name: str, at: int, to: int) -> RevealOut:
        """Take the reveal from one step to another."""
        return self._ask(RevealOut, "POST", self._of(name, "reveal/step"), json={"at": at, "to": to})

    def reveal_all(self, name: str) -> TournamentOut:
        """Show everybody all results."""
        return self._ask(TournamentOut, "POST", self._of(name, "reveal"))

    def enter_when_checked(self, name: str, bot: str) -> PendingMade:
        """Enter a bot at once, or have it enter by itself when it has passed its check."""
        return self._ask(PendingMade, "POST", self._of(name, "pending-entries"), json={"bot": bot})

    def set_title(self, name: str, title: str | None) -> TournamentOut:
        """Let another title stand over a tournament, or its name."""
        return self._ask(TournamentOut, "PUT", self._of(name, "title"), json={"title": title})

    @staticmethod
    def _of(name: str, what: str) -> str:
        return f"/tournaments/{quoted(name)}/{what}"
