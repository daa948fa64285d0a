"""A tournament's revision and its counts of matches, by which its tables are kept for a while and shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy.orm import Session

from arena.coordinator.messages import Message
from arena.core.terms import MatchState
from arena.results import tables, views
from arena.schemas.tournaments import TournamentOut
from arena.store import tournaments as store
from arena.store.models import Match, Tournament
from arena.submissions import versions
from arena.theory.pairing.format import FormatError
from arena.theory.pairing.swiss import Swiss
from arena.tournaments import amendments, audit, lifecycle
from arena.tournaments import matches as single_matches
from arena.web.answers.standings import crosstable_of, leaderboard_of
from arena.web.answers.tournaments import entry_of, shown
from arena.web.http.responses import Window
from arena.web.http.visibility import Viewer
from tests.integration.arena.late import late
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import World, play

PASSING = (MatchState.PENDING, MatchState.PUBLISHED, MatchState.RUNNING, MatchState.PARKED)
"""The states that say who has a match now, which is no part of a revision."""


class Watched:
    """A tournament, looked at after every step of its life."""

    def __init__(self, world: World, name: str = "cup") -> None:
        self.world, self.name = world, name
        self.coordinator = coordinator_of(world, max_lost=0, window=1000)
        world.settings = world.settings.model_copy(update={"max_lost": 0})

    def finish(self) -> None:
        """Let the coordinator find that no round follows, and then that all is over."""

        def ticks() -> None:
            for _ in range(2):
                self.coordinator.tick()

        self.shows(ticks)

    def shows(self, step: Callable[[], object]) -> None:
        """Take a step that changes what is shown, and see that it makes another revision."""
        before, after = self._around(step)
        assert after[0] > before[0]
        assert after[1] != before[1]

    def hides(self, step: Callable[[], object]) -> None:
        """Take a step that changes nothing that is shown, and makes no revision."""
        before, after = self._around(step)
        assert after == before

    def _around(self, step: Callable[[], object]) -> tuple[tuple[int, list[Any]], tuple[int, list[Any]]]:
        before = self.look()
        step()
        return before, self.look()

    def staff(self, do: Callable[..., Any], *arguments: Any, number: int | None = None) -> None:
        """Have the staff do something to it, or to the match of that number."""
        self.shows(lambda: self.done(do, *arguments, number=number))

    def done(self, do: Callable[..., Any], *arguments: Any, number: int | None = None) -> None:
        """Likewise, whatever it changes."""
        with self.world.database.transaction() as session:
            cup = self.world.get(session, self.name)
            about: Tournament | Match = single_matches.get(session, cup, number) if number else cup
            do(session, self.world.staff, about, *arguments)

    def enter(self, bot: str, version: int | None = None) -> None:
        """Enter a bot, new or known."""

        def made(session: Session, actor: Any, cup: Tournament) -> None:
            known = [each.version.bot for each in store.entries(session, cup) if each.version.bot.name == bot]
            entered = known[0] if known else self.world.bot(session, bot)
            if version:
                self.world.version(session, entered)
            lifecycle.enter(session, actor, cup, entered, version)

        self.staff(made)

    def remove(self, bot: str, *, expel: bool = False, **named: Any) -> None:
        """Have a bot leave."""

        def made(session: Session, actor: Any, cup: Tournament) -> None:
            leave = amendments.disqualify if expel else amendments.withdraw
            leave(session, actor, cup, versions.get(session, bot), "so it is", **named)

        self.staff(made)

    def published(self) -> list[Message]:
        """What the coordinator gives out now, by the matches' numbers."""
        self.world.broker.queue.clear()
        self.hides(self.coordinator.tick)
        return sorted(self.world.broker.queue, key=lambda message: int(message.spec.match))

    def play_on(self) -> None:
        """Record all that can be given out."""
        for message in self.published():
            self.shows(partial(self.world.record, message))

    def look(self) -> tuple[int, list[Any]]:
        """The revision, and what it stands for."""
        with self.world.database.reading() as session:
            cup = self.world.get(session, self.name)
            assert audit.verify(session, cup) == []
            progress = views.progress(session, cup)
            assert sum(progress.values()) == 2 * progress["total"]
            assert min(progress.values()) >= 0
            (plan,) = shown(session, Viewer(None), [cup])
            lines = [entry_of(each).model_dump() for each in store.entries(session, cup)]
            board = leaderboard_of(cup, tables.table(session, cup))
            crossed = crosstable_of(cup, *views.crosstable(session, cup), Window(offset=0, limit=100))
            return cup.revision, [_lasting(plan), lines, board, crossed.model_dump()]


def _lasting(plan: TournamentOut) -> dict[str, Any]:
    counts = {state: count for state, count in plan.matches.items() if state not in PASSING}
    return plan.model_dump() | {"matches": counts}


def test_what_is_shown_changes_with_the_revision(world: World) -> None:
    """Whatever is done to a tournament, its counts are right, and what is shown is that of its revision."""
    world.tournament(bots=4, start=False, format="round_robin", options={"cycles": 2})
    cup = Watched(world)
    for bot in ("early", "other"):
        cup.enter(bot)
    cup.enter("other", version=2)
    cup.remove("early")
    cup.staff(lifecycle.start)
    messages = cup.published()
    lost, begun, wrong, void, *rest = messages
    cup.hides(lambda: world.heartbeat(begun))
    cup.hides(lambda: world.lose(lost))
    cup.hides(lambda: world.record(wrong, {"winner": 0}))
    cup.hides(lambda: world.record(void, late(void.spec)))
    cup.shows(lambda: world.record(begun))
    cup.hides(lambda: world.record(begun))
    for message in rest[:8]:
        cup.shows(partial(world.record, message, play(message.spec, forfeits=[1])))
    numbers = {match.id: match.number for match in world.matches()}
    parked, refused, done = (numbers[int(each.spec.match)] for each in (lost, wrong, begun))
    cup.hides(lambda: cup.done(single_matches.retry, number=parked))
    cup.staff(single_matches.drop, "no longer wanted", number=refused)
    cup.staff(amendments.rerun, "the host was on fire", number=done)
    cup.staff(amendments.set_result, "second", "decided", number=done)
    cup.staff(amendments.set_result, "draw", "decided otherwise", number=done)
    cup.staff(lifecycle.pause)
    cup.staff(lifecycle.resume)
    cup.remove("cup-bot1")
    cup.remove("cup-bot2", expel=True)
    cup.remove("cup-bot2", expel=True, annul=True)
    for message in rest[8:]:
        world.record(message)
    while any(match.state in PASSING for match in world.matches()):
        cup.play_on()
    cup.finish()
    again = next(match for match in world.matches() if _can_be_replayed(match))
    cup.staff(amendments.rerun, "once more", number=again.number)
    cup.play_on()
    cup.finish()
    cup.staff(amendments.rerun_round, again.round, "once more")
    cup.staff(lifecycle.cancel)


def _can_be_replayed(match: Match) -> bool:
    return match.state == MatchState.FINISHED and not (match.first.left_as or match.second.left_as)


def test_rounds_that_follow_results_make_revisions(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does a bye, that the next round cannot be made, that it is made all the same, and the end."""
    world.tournament(bots=3, format="swiss", options={"rounds": 2}, openings=1)
    cup = Watched(world)
    cup.play_on()
    monkeypatch.setattr(Swiss, "next_round", Mock(side_effect=FormatError("nobody is left to meet")))
    cup.shows(cup.coordinator.tick)
    for _ in range(3):
        cup.hides(cup.coordinator.tick)
        cup.coordinator = coordinator_of(world)
    monkeypatch.undo()
    cup.shows(cup.coordinator.tick)
    cup.play_on()
    cup.finish()


def test_late_versions_and_the_end_of_a_ladder_make_revisions(world: World) -> None:
    """Somebody who comes late, another version, and that no rounds follow are shown in another revision."""
    world.tournament(bots=3, format="ladder", options={"newcomer_games": 2})
    cup = Watched(world)
    cup.play_on()
    cup.enter("late")
    cup.enter("cup-bot1", version=2)
    before = cup.look()
    cup.done(lifecycle.end)
    assert cup.look()[0] > before[0]
