"""Who may see what a bot wrote: its team and whoever runs the tournament; others see what happened."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.access import permissions
from arena.store.models import Match, Scrimmage, Tournament, User
from workers.core.contract import NO_CPU_CONTENTION, Forfeit, MatchRecord, MoveRecord, SeatUse

NO_STDERR = {"stderr_head": "", "stderr_tail": "", "stderr_bytes": 0}
NO_EVIDENCE = {
    "detail": "",
    "expected": "",
    "received": "",
    "request": "",
    "stderr_tail": "",
    "id": None,
    "clock_ns": 0,
    "cpu_ns": None,
    "strain": NO_CPU_CONTENTION,
    "excused": False,
}


def without_stderr(use: SeatUse) -> SeatUse:
    """What a seat used, and nothing that its bot wrote."""
    return use.model_copy(update=NO_STDERR)


@dataclass(frozen=True)
class Viewer:
    """Whoever asks; `user` is None for the public."""

    user: User | None

    @property
    def is_admin(self) -> bool:
        """Whether everything may be seen."""
        return permissions.is_admin(self.user)

    def runs(self, tournament: Tournament) -> bool:
        """Whether everything of a tournament may be seen."""
        return permissions.runs(self.user, tournament)

    def sees_bot_of(self, match: Match, seat: int) -> bool:
        """Whether what the bot in `seat` wrote may be seen."""
        entry = match.first if seat == 0 else match.second
        return self.runs(match.tournament) or permissions.opens(self.user, entry.version.bot)

    def sees_a_bot_of(self, match: Match) -> bool:
        """Whether one of the bots is the viewer's, or everything may be seen."""
        return self.sees_bot_of(match, 0) or self.sees_bot_of(match, 1)

    def record(self, match: Match, record: MatchRecord) -> MatchRecord:
        """`record` without what the viewer may not see."""
        result = record.result
        seen = result.model_copy(
            update={
                "forfeits": tuple(self._forfeit(match, forfeit) for forfeit in result.forfeits),
                "voided": tuple(self._voided(match, forfeit) for forfeit in result.voided),
                "moves": tuple(self._move(match, move) for move in result.moves),
                "seats": (self.use(match, 0, result.seats[0]), self.use(match, 1, result.seats[1])),
                "host": result.host if self.runs(match.tournament) else "",
                "host_speed": result.host_speed if self.runs(match.tournament) else None,
            }
        )
        return record.model_copy(update={"result": seen})

    def use(self, match: Match, seat: int, use: SeatUse) -> SeatUse:
        """What a seat used, without its stderr where that may not be seen."""
        return use if self.sees_bot_of(match, seat) else without_stderr(use)

    def sees_seat_of(self, scrimmage: Scrimmage, *, own: bool) -> bool:
        """Whether what a bot of a scrimmage wrote may be seen: that of who asked, or of the opponent.

        What a reference bot wrote is for who asked.
        """
        opponent = None if own else scrimmage.opponent
        return permissions.opens(self.user, (opponent or scrimmage.version).bot)

    def _forfeit(self, match: Match, forfeit: Forfeit) -> Forfeit:
        if self.sees_bot_of(match, forfeit.seat):
            return forfeit
        return forfeit.model_copy(update=NO_EVIDENCE)

    def _voided(self, match: Match, forfeit: Forfeit) -> Forfeit:
        """An overrun that did not count: what lay on the host is for both owners."""
        if self.sees_bot_of(match, forfeit.seat) or not self.sees_a_bot_of(match):
            return self._forfeit(match, forfeit)
        shown = {"clock_ns": forfeit.clock_ns, "cpu_ns": forfeit.cpu_ns, "strain": forfeit.strain}
        return forfeit.model_copy(update=NO_EVIDENCE | shown | {"excused": True})

    def _move(self, match: Match, move: MoveRecord) -> MoveRecord:
        if move.debug is None or self.sees_bot_of(match, move.seat):
            return move
        return replace(move, debug=None)
