"""Analyses of games: asked for within a quota, given out behind matches, taken in once, lost, given up."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from arena.coordinator import leases, losses, reviews, workers
from arena.coordinator.kinds import recall_all
from arena.coordinator.leases import Verdict
from arena.coordinator.messages import ReviewMessage
from arena.coordinator.queue import queue
from arena.core.errors import ConflictError, ForbiddenError, NotFoundError, PendingError, TooManyError
from arena.core.settings import Settings
from arena.core.terms import MatchState
from arena.people import users
from arena.store.models import Analysis
from arena.submissions import hosts
from arena.tournaments import amendments, analyses, freezing, matches
from arena.tournaments.analyses import Played
from engines.game import play_all
from engines.games import find_game
from tests.integration.arena.reviewing import give_out, judged, report
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World, issue_matches, play
from workers.core.contract import GameSpec
from workers.play.referee import game_of
from workers.programs.serving import REVIEWS

HEAPS: dict[str, Any] = {"game": "heap_nim", "params": {"heaps": [1, 2, 3]}}


class Study:
    """A played tournament, somebody who asks for analyses, and a worker that answers in this process."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.settings: Settings = world.settings
        world.tournament(bots=3, **HEAPS)
        self.play()
        for name in ("looker", "other"):
            world.team(name)

    def play(self) -> None:
        """Play what waits."""
        with self.world.database.transaction() as session:
            messages = issue_matches(session, self.settings)
        for message in messages:
            assert self.world.record(message, play(message.spec, seed=int(message.spec.match))) == "taken"

    def ask(self, number: int = 1, who: str = "looker") -> MatchState:
        """Ask for the analysis of a match; how far it is."""
        with self.world.database.transaction() as session:
            user, match = users.get(session, who), self._match(session, number)
            return analyses.ask(session, user, match, self.settings.analyses).state

    def _match(self, session: Any, number: int) -> Any:
        return matches.get(session, self.world.get(session), number)

    def found(self, number: int = 1) -> dict[str, Any] | None:
        """What was found out of a match, as everybody may see it."""
        with self.world.database.reading() as session:
            return analyses.done(session, self._match(session, number)).answer

    def row(self, number: int = 1) -> Analysis:
        """The work of it."""
        with self.world.database.reading() as session:
            match = self._match(session, number)
            row = session.scalars(select(Analysis).where(Analysis.match_id == match.id)).one()
            session.expunge_all()
            return row

    def issue(self) -> list[ReviewMessage]:
        """Give out what waits."""
        return give_out(self.world, self.settings)

    def report(self, step: leases.Step, message: ReviewMessage, **told: Any) -> Verdict:
        """Report on an analysis."""
        return report(self.world, step, message, **told)

    def heartbeat(self, message: ReviewMessage) -> Verdict:
        """Give a sign of life."""
        return self.report(leases.heartbeat, message, host="test-host")

    def lose(self, message: ReviewMessage, *, stopped: bool = False) -> Verdict:
        """Say that it could not be done."""
        return self.report(leases.lost, message, host="test-host", trouble="no room", stopped=stopped)

    def record(self, message: ReviewMessage, **changed: Any) -> Verdict:
        """Report what a worker finds out, or something else."""
        return self.report(leases.record, message, report=judged(message) | changed)


@pytest.fixture
def study(world: World) -> Study:
    """Games that can be analysed."""
    return Study(world)


def test_a_game_is_analysed_once(study: Study) -> None:
    """The message has the whole game, the answer is kept, and late reports change nothing."""
    with pytest.raises(NotFoundError, match="nobody"):
        study.found()
    assert study.ask() == MatchState.PENDING
    assert study.ask(who="other") == MatchState.PENDING
    with pytest.raises(PendingError):
        study.found()
    (message,) = study.issue()
    assert game_of(message.spec).outcome(play_all(game_of(message.spec), message.spec.opening)) is not None
    assert study.heartbeat(message) == Verdict.TAKEN
    assert study.record(message) == Verdict.TAKEN
    assert study.record(message) == Verdict.DUPLICATE
    assert study.record(replace(message, token="other")) == Verdict.REFUSED
    assert study.heartbeat(replace(message, attempt=2)) == Verdict.REFUSED
    found = study.found()
    assert found is not None
    assert (found["first"], len(found["values"])) == (0, len(message.spec.opening) + 1)
    assert study.row().refused == 2
    assert study.ask() == MatchState.FINISHED
    assert study.issue() == []


def test_a_late_report_of_a_lost_attempt_is_refused(study: Study) -> None:
    """A worker that fell silent has lost its attempt; another one does it, and nothing is lost."""
    study.ask()
    clock = Later()
    coordinator = coordinator_of(study.world, clock)
    coordinator.tick()
    (old,) = study.world.broker.reviews
    study.world.broker.reviews.clear()
    assert study.heartbeat(old) == Verdict.TAKEN
    live(coordinator, clock, study.settings.lease_seconds + 10)
    (new,) = study.world.broker.reviews
    assert (old.attempt, new.attempt, study.row().lost) == (1, 2, 1)
    assert study.record(old) == Verdict.REFUSED
    assert study.record(new) == Verdict.TAKEN
    assert study.found() is not None


def test_an_analysis_that_is_lost_too_often_is_given_up(study: Study) -> None:
    """It says so, the staff sees why, and who asks again has it tried again; stopping is no loss."""
    study.ask()
    (message,) = study.issue()
    assert study.lose(message, stopped=True) == Verdict.TAKEN
    for _ in range(reviews.MAX_LOST + 1):
        (message,) = study.issue()
        assert study.lose(message) == Verdict.TAKEN
    assert study.issue() == []
    with pytest.raises(ConflictError, match="given up after 3"):
        study.found()
    with study.world.database.reading() as session:
        (row,), total = losses.analyses(session, study.world.staff, 0, 10)
        assert (row.match and row.match.number, row.trouble, total) == (1, "test-host: no room", 1)
    assert study.ask() == MatchState.PENDING
    (message,) = study.issue()
    assert study.record(message) == Verdict.TAKEN


def test_an_analysis_that_is_not_over_in_time_is_given_up(study: Study) -> None:
    """Signs of life renew its lease, but not beyond the time that it has."""
    study.ask()
    (message,) = study.issue()
    study.heartbeat(message)
    ends_at = study.row().ends_at
    assert ends_at is not None
    late = ends_at + dt.timedelta(seconds=1)
    with study.world.database.transaction() as session:
        row = session.scalars(select(Analysis)).one()
        row.lease_until = ends_at
        session.flush()
        assert leases.reap(reviews.WORK, session, late, study.settings, set) == 1
    assert (study.row().state, study.row().trouble) == (MatchState.PARKED, reviews.TOO_LONG)
    assert study.record(message) == Verdict.REFUSED


@pytest.mark.parametrize(
    "changed",
    [
        {"values": []},
        {"first": 1},
        {"values": "nonsense"},
        {"more": 1},
        {"unsolved": "a\0b"},
    ],
)
def test_what_cannot_be_found_out_is_a_loss(study: Study, changed: dict[str, Any]) -> None:
    """A report of another length, or that is none, is not kept."""
    study.ask()
    (message,) = study.issue()
    assert study.record(message, **changed) == Verdict.UNFIT
    assert (study.row().state, study.row().lost) == (MatchState.PENDING, 1)


def test_a_best_move_that_cannot_be_played_is_a_loss(study: Study) -> None:
    """What is shown on a board is a move of the position, whatever a worker says."""
    study.ask()
    (message,) = study.issue()
    told = judged(message)["values"]
    told[0]["best"] = ["1:9"]
    assert study.record(message, values=told) == Verdict.UNFIT


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ({"result": 1, "stake": False}, {"result": 1}, Verdict.UNFIT),
        ({"result": 0, "stake": False}, {"result": 1}, Verdict.UNFIT),
        ({"result": -1, "stake": True}, {"result": 1}, Verdict.UNFIT),
        ({"result": 1, "stake": True}, {"result": 1}, Verdict.TAKEN),
        ({"result": 1, "stake": None}, {"result": 1}, Verdict.TAKEN),
        ({"result": -1, "stake": False}, {"result": 1}, Verdict.TAKEN),
        ({"result": -1}, {"result": -1}, Verdict.UNFIT),
        ({"result": 0}, {"result": -1}, Verdict.UNFIT),
        ({"result": -1}, {"result": 0}, Verdict.UNFIT),
    ],
)
def test_values_and_what_was_at_stake_must_fit_each_other(
    study: Study, before: dict[str, Any], after: dict[str, Any], verdict: Verdict
) -> None:
    """No move wins anything, one that gave a result away was a choice, and who stands lost has none."""
    study.ask()
    (message,) = study.issue()
    told = judged(message)["values"]
    told = [*({**each, "result": 1, "stake": None} for each in told[:-3]), before, after, told[-1]]
    assert study.record(message, values=told) == verdict


def test_a_result_that_counts_no_more_takes_its_analysis_along(study: Study) -> None:
    """What is played again is analysed anew, and what is still reported of the old game is not kept."""
    study.ask(1)
    study.ask(2)
    (first,) = study.issue()
    assert study.record(first) == Verdict.TAKEN
    (second,) = study.issue()
    with study.world.database.transaction() as session:
        for number in (1, 2):
            amendments.rerun(session, study.world.staff, study._match(session, number), "power cut")
    assert study.record(second) == Verdict.UNKNOWN
    with pytest.raises(ConflictError, match="no game"):
        study.ask(1)
    study.play()
    with pytest.raises(NotFoundError):
        study.found(1)
    assert study.ask(1) == MatchState.PENDING
    (message,) = study.issue()
    assert study.record(message) == Verdict.TAKEN
    assert study.found(1) is not None


def test_a_decision_without_a_game_is_not_analysed(study: Study) -> None:
    """A result that the staff has set has no moves."""
    with study.world.database.transaction() as session:
        amendments.set_result(session, study.world.staff, study._match(session, 1), "first", "agreed")
    with pytest.raises(ConflictError, match="no game"):
        study.ask(1)


def test_quotas_and_turns(study: Study) -> None:
    """Somebody may ask for so many a day, none where that is 0; administrators for any; askers take turns."""
    study.settings = study.settings.model_copy(update={"analyses": 1})
    study.ask(1)
    with pytest.raises(TooManyError, match="24 hours \\(1\\)"):
        study.ask(2)
    study.ask(2, "other")
    study.settings = study.settings.model_copy(update={"analyses": 0})
    with pytest.raises(ForbiddenError, match="no games are analysed"):
        study.ask(3)
    study.ask(3, study.world.staff.name)
    with study.world.database.transaction() as session:
        for number in range(4):
            told = {"process": f"worker-{number}", "takes": ["matches", REVIEWS], "cores": 4}
            hosts.register(session, "test-host", {"python": "3.11"}, 1.0, **told)  # type: ignore[arg-type]
    assert len(study.issue()) == 2
    assert study.issue() == []


def test_a_private_game_counts_like_a_match(study: Study) -> None:
    """It is given out once, counts among the day's, is found by its moves, and is not kept for ever."""
    study.settings = study.settings.model_copy(update={"analyses": 1})
    rules = find_game("heap_nim", HEAPS["params"])
    spec = GameSpec(name=rules.name, params=rules.params, version=rules.version)
    game = Played(spec, ("1:1", "3:1", "2:2", "3:2"), 0, 1)
    other = game._replace(moves=("1:1", "2:2", "3:3"))
    with study.world.database.transaction() as session:
        looker = users.get(session, "looker")
        first = analyses.ask_played(session, looker, game, 1)
        assert analyses.ask_played(session, study.world.staff, game, 1) is first
        with pytest.raises(TooManyError):
            analyses.ask_played(session, looker, other, 1)
        with pytest.raises(ConflictError, match="nothing was played"):
            analyses.ask_played(session, looker, game._replace(moves=()), 1)
        unknown = game._replace(game=spec.model_copy(update={"version": spec.version + 1}))
        with pytest.raises(ConflictError, match="no solver"):
            analyses.ask_played(session, looker, unknown, 1)
    with pytest.raises(TooManyError):
        study.ask(1)
    (message,) = study.issue()
    assert (message.spec.opening, message.spec.game) == (tuple(game.moves), spec)
    assert study.record(message, values=[]) == Verdict.UNFIT
    (message,) = study.issue()
    assert study.record(message) == Verdict.TAKEN
    study.ask(1, study.world.staff.name)
    with study.world.database.transaction() as session:
        assert analyses.done_played(session, game).answer is not None
        with pytest.raises(NotFoundError):
            analyses.done_played(session, other)
        assert analyses.remove_old(session, 1) == 0
        for row in session.scalars(select(Analysis)):
            row.created_at -= dt.timedelta(days=2)
        session.flush()
        assert analyses.remove_old(session, 1) == 1
        assert analyses.find_played(session, game) is None
    assert study.row(1).state == MatchState.PENDING


def test_a_frozen_tournament_is_not_analysed_for_others(study: Study) -> None:
    """Nobody but who runs it learns anything by asking, or finds an analysis of before."""
    study.ask(1)
    (message,) = study.issue()
    assert study.record(message) == Verdict.TAKEN
    study.world.tournament("later", bots=3, **HEAPS)
    with study.world.database.transaction() as session:
        freezing.freeze(session, study.world.staff, study.world.get(session, "later"), own=False)
    study.play()
    with study.world.database.reading() as session:
        later = study.world.get(session, "later")
        for who in ("looker", "other"):
            with pytest.raises(NotFoundError, match="frozen"):
                matches.get_shown(session, users.get(session, who), later, 1)
    with study.world.database.transaction() as session:
        match = matches.get_shown(session, study.world.staff, study.world.get(session, "later"), 1)
        assert analyses.ask(session, study.world.staff, match, 10).state == MatchState.PENDING
    with study.world.database.frozen() as session:
        match = matches.get(session, study.world.get(session, "later"), 1)
        assert (analyses.find(session, match), analyses.is_offered(session, match)) == (None, False)


def test_the_staff_sees_what_waits_and_is_in_hand(study: Study) -> None:
    """The queue, the host's work, and a coordinator that comes back show an analysis like any other work."""
    study.ask(1)
    with study.world.database.reading() as session:
        (line,) = queue(session, study.settings, study.world.staff).reviews
        assert (line.counts, line.nobody) == ({MatchState.PENDING: 1}, False)
    (message,) = study.issue()
    study.heartbeat(message)
    with study.world.database.reading() as session:
        (host,), _ = workers.list_hosts(session, study.settings, 0, 10)
        (piece,) = host.in_hand
        assert (piece.kind, piece.work.tournament, piece.work.match) == (REVIEWS, "cup", 1)
    with study.world.database.transaction() as session:
        recall_all(session, "the machine slept")
    assert study.heartbeat(message) == Verdict.REFUSED
    assert study.row().state == MatchState.PENDING
