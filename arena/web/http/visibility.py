"""Who may see what a bot wrote: its team and whoever runs the tournament; others see what happened."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from arena.access import permissions
from arena.store.models import Match, Scrimmage, ScrimmageGame, Tournament, User
from workers.core.contract import NO_CPU_CONTENTION, Forfeit, MatchRecord, SeatUse

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


def shown_record(record: MatchRecord, seen: Collection[int], *, host: bool) -> MatchRecord:
    """`record` with what the bots in the seats `seen` wrote and no more; with its `host` for who runs it."""
    result = record.result
    shown = result.model_copy(
        update={
            "forfeits": tuple(each if each.seat in seen else _bare(each) for each in result.forfeits),
            "voided": tuple(_voided(each, seen) for each in result.voided),
            "moves": tuple(
                move if move.debug is None or move.seat in seen else replace(move, debug=None)
                for move in result.moves
            ),
            "seats": tuple(
                use if seat in seen else without_stderr(use) for seat, use in enumerate(result.seats)
            ),
            "host": result.host if host else "",
            "host_speed": result.host_speed if host else None,
        }
    )
    return record.model_copy(update={"result": shown})


def _bare(forfeit: Forfeit) -> Forfeit:
    return forfeit.model_copy(update=NO_EVIDENCE)


def _voided(forfeit: Forfeit, seen: Collection[int]) -> Forfeit:
    """An overrun that did not count: what lay on the host is for both owners."""
    if forfeit.seat in seen:
        return forfeit
    if not seen:
        return _bare(forfeit)
    shown = {"clock_ns": forfeit.clock_ns, "cpu_ns": forfeit.cpu_ns, "strain": forfeit.strain}
    return forfeit.model_copy(update=NO_EVIDENCE | shown | {"excused": True})


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
        seen = [seat for seat in (0, 1) if self.sees_bot_of(match, seat)]
        return shown_record(record, seen, host=self.runs(match.tournament))

    def scrimmage_record(self, game: ScrimmageGame, record: MatchRecord) -> MatchRecord:
        """The same of a game of a scrimmage."""
        own = {seat: self.sees_seat_of(game.scrimmage, own=seat == game.seat) for seat in (0, 1)}
        return shown_record(record, [seat for seat in own if own[seat]], host=self.is_admin)

    def use(self, match: Match, seat: int, use: SeatUse) -> SeatUse:
        """What a seat used, without its stderr where that may not be seen."""
        return use if self.sees_bot_of(match, seat) else without_stderr(use)

    def sees_seat_of(self, scrimmage: Scrimmage, *, own: bool) -> bool:
        """Whether what a bot of a scrimmage wrote may be seen: that of who asked, or of the opponent.

        What a reference bot wrote is for who asked.
        """
        opponent = None if own else scrimmage.opponent
        return permissions.opens(self.user, (opponent or scrimmage.version).bot)
