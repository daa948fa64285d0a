"""Estimates before the start rest on the best that the arena knows."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from arena.core.errors import ConflictError, InvalidError
from arena.core.terms import Change, Fits, MatchState, Source
from arena.planning import estimates
from arena.planning.estimates import Estimate, Question
from arena.planning.forecast import Range
from arena.planning.longest import longest_match
from arena.planning.replays import Offer
from arena.schemas.plans import TournamentPlan
from arena.store.models import Check
from arena.submissions import hosts
from arena.submissions.versions import get, get_version
from arena.tournaments import lifecycle
from tests.integration.arena.planning.playing import finish, issue
from tests.integration.arena.world import GAME, PARAMS, World
from workers.checks.contract import CheckReport, Step, StepReport
from workers.core.contract import Limits, TimeControl

SECOND = TimeControl(move_ms=1000, extensions=0, extension_ms=1000)
NONE = Question()


@pytest.fixture
def world(sqlite_world: Callable[[], World]) -> World:
    """A small world; its one host plays one match at a time."""
    return sqlite_world()


def _estimate(world: World, name: str = "cup", asked: Question = NONE) -> Estimate:
    with world.database.reading() as session:
        return estimates.of_tournament(session, world.settings, world.get(session, name), asked)


def _checked(world: World, bot: str, **took: int) -> None:
    """Let a bot have passed a check that took so many milliseconds."""
    with world.database.transaction() as session:
        version = get_version(session, get(session, bot), None)
        steps = tuple(
            StepReport(step=Step(step), game=GAME, passed=True, took_ms=ms) for step, ms in took.items()
        )
        report = CheckReport(check="1", passed=True, language="python", steps=steps, reproduce="")
        session.add(
            Check(
                version=version,
                state=MatchState.FINISHED,
                needs="python",
                report=report.model_dump(mode="json"),
                created_at=version.created_at,
            )
        )


def test_without_any_data_it_is_an_assumption(world: World) -> None:
    """The number of matches and the worst case are exact all the same."""
    world.tournament(bots=5, start=False, time=SECOND)
    found = _estimate(world)
    assert found.source == Source.PRIOR
    assert found.forecast is not None
    assert found.forecast.matches == Range(10, 10, 10)
    assert (found.answers, found.longest) == (12, longest_match(SECOND, Limits(), 12))
    assert found.forecast.worst == 10 * found.longest
    assert (found.bots, found.entered, found.draft.workers, found.capacity.hosts) == (5, 5, 1, 1)


def test_openings_shorten_the_longest_match(world: World) -> None:
    """The plies of the openings that were drawn are asked of nobody."""
    world.tournament(bots=3, start=False, time=SECOND, openings=2, opening_plies=4)
    assert _estimate(world).answers == 8


def test_checks_tell_before_anything_was_played(world: World) -> None:
    """Half of the check's time for each answer is half of the time for each answer here."""
    world.tournament(bots=2, start=False, time=SECOND)
    for bot in ("cup-bot1", "cup-bot2"):
        _checked(world, bot, handshake=100, random=200 + 6000, self_play=100 + 6000)
    found = _estimate(world)
    assert (found.source, found.source_matches) == (Source.CHECKS, 2)
    assert found.forecast is not None
    assert found.forecast.span.expected == pytest.approx(12 * 0.5 + 0.1)


def test_what_was_played_alike_tells_more(world: World) -> None:
    """Matches of another tournament with the same rules and clock count; those under another one do not."""
    world.tournament("before", bots=4, time=SECOND)
    for message in issue(world, 6):
        finish(world, message, (2, 1), 4.0)
    world.tournament("alike", bots=4, start=False, time=SECOND)
    world.tournament("other", bots=4, start=False)
    found = _estimate(world, "alike")
    assert (found.source, found.source_matches) == (Source.HISTORY, 6)
    assert found.forecast is not None
    assert found.forecast.span.expected == pytest.approx(6 * 4.0, rel=0.1)
    assert _estimate(world, "other").source == Source.PRIOR


def test_processes_and_cores_of_the_hosts_count(world: World) -> None:
    """As many matches at once as there are processes, but no more than cores; the number asked for wins."""
    world.tournament(bots=4, start=False, time=SECOND)
    with world.database.transaction() as session:
        for number in range(4):
            hosts.register(session, "big", {"python": "3.11"}, 1.0, cores=3, process=f"worker-{number}")
        hosts.register(session, "other", {"java": "21"}, 1.0, cores=8, process="worker-1")
    found = _estimate(world)
    assert (found.capacity.hosts, found.capacity.workers, found.draft.workers) == (2, 4, 4)
    assert _estimate(world, asked=Question(workers=2)).draft.workers == 2


def test_more_bots_than_are_entered_can_be_supposed(world: World) -> None:
    """The matches are those of so many bots; the ones that are entered stay themselves."""
    world.tournament(bots=3, start=False, time=SECOND)
    found = _estimate(world, asked=Question(bots=30))
    assert found.forecast is not None
    assert (found.forecast.matches.most, found.entered, found.bots) == (435, 3, 30)


def test_a_deadline_may_be_in_the_hour_that_comes_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where clocks are put back meanwhile, what comes later is not taken for something before the start."""
    world.tournament(bots=2, start=False, time=SECOND)
    monkeypatch.setattr(estimates, "zone_of", lambda _: ZoneInfo("Europe/Berlin"))
    asked = Question(start="2026-10-25T02:50+02:00", until="2026-10-25T02:10+01:00")
    assert _estimate(world, asked=asked).deadline is not None


def test_whether_it_fits_and_what_would(world: World) -> None:
    """What is too long is offered with fewer openings, less time, more workers and another format."""
    world.tournament(bots=4, start=False, time=SECOND, openings=4, opening_plies=2)
    for number in range(1, 5):
        _checked(world, f"cup-bot{number}", handshake=100, random=6200, self_play=6100)
    start = "2026-05-20T13:00"
    found = _estimate(world, asked=Question(bots=12, start=start, until="13:40"))
    no = found.deadline
    assert no is not None
    assert (no.until - found.start).total_seconds() == 40 * 60
    assert no.fits == Fits.NO
    assert {each.change for each in no.alternatives} == set(Change) - {Change.CYCLES}
    yes = _estimate(world, asked=Question(bots=12, start=start, until="2026-05-22T13:00")).deadline
    assert yes is not None
    openings = [each.draft.openings for each in no.alternatives if each.change == Change.OPENINGS]
    assert openings == [2]
    assert (yes.fits, yes.alternatives) == (Fits.SURELY, ())


def test_repetitions_are_foreseen_and_openings_offered(world: World) -> None:
    """Three cycles without openings repeat games; with one opening a cycle none would."""
    world.tournament("thrice", bots=3, start=False, time=SECOND, options={"cycles": 3})
    world.tournament("once", bots=3, start=False, time=SECOND)
    found = _estimate(world, "thrice").replays
    assert found is not None
    assert (found.times, found.offer, found.bots) == (2, Offer(1, 18), ())
    assert _estimate(world, "once").replays is None


def test_a_ladder_has_no_end(world: World) -> None:
    """There is no forecast, only how many matches an hour brings."""
    world.tournament("ladder", bots=4, start=False, time=SECOND, format="ladder")
    found = _estimate(world, "ladder", Question(until="17:00"))
    assert (found.forecast, found.deadline) == (None, None)
    assert found.hourly > 3600 / found.longest


def test_heroes_are_found_among_those_entered(world: World) -> None:
    """A gauntlet of one hero that is entered and one that is not yet has their matches only."""
    heroes = ("cup-bot3", "somebody")
    world.tournament(bots=4, start=False, time=SECOND, format="gauntlet", heroes=heroes)
    found = _estimate(world)
    assert found.forecast is not None
    assert found.forecast.matches.most == 2 * 2 + 1
    assert found.draft.options["heroes"] == (3, 1)


def test_what_cannot_be_estimated_is_refused(world: World) -> None:
    """What has begun has an ETA instead; too few bots, wrong times and impossible plans are errors."""
    world.tournament("begun", bots=3)
    world.tournament("few", bots=1, start=False)
    with pytest.raises(ConflictError, match="eta begun"):
        _estimate(world, "begun")
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session, "begun"))
    with pytest.raises(ConflictError, match=r"for what has not begun$"):
        _estimate(world, "begun")
    with pytest.raises(InvalidError, match="two entrants"):
        _estimate(world, "few")
    with pytest.raises(InvalidError, match="is no time"):
        _estimate(world, "few", Question(bots=4, until="teatime"))
    with pytest.raises(InvalidError, match="before the start"):
        _estimate(world, "few", Question(bots=4, until="2020-01-01T10:00"))


def test_a_plan_needs_no_tournament(world: World) -> None:
    """The same for a plan that nobody created; nothing is stored, and an impossible one is refused."""
    plan = TournamentPlan(name="plan", game=GAME, params=PARAMS, format="swiss", time=SECOND)
    with world.database.reading() as session:
        found = estimates.of_plan(session, world.settings, plan, Question(bots=30))
        assert found.forecast is not None
        assert (found.forecast.matches.most, found.forecast.rounds) == (75, 5)
        for wrong in ({"game": "chess"}, {"options": {"rounds": 0}}, {"options": {"cycles": 2}}):
            with pytest.raises(InvalidError):
                estimates.of_plan(session, world.settings, plan.model_copy(update=wrong), Question(bots=30))
