"""Games that nobody asks about by themselves: analysed when there is nothing else to do, newest first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.coordinator import leases, reviews
from arena.coordinator.messages import ReviewMessage
from arena.core.errors import ConflictError
from arena.core.terms import MatchState, Role
from arena.people import users
from arena.store import analyses as analysis_store
from arena.store import leases as lease_store
from arena.store import matches as match_store
from arena.store.database import Database
from arena.store.models import Analysis, Match
from arena.submissions import hosts
from arena.tournaments import amendments, analyses, matches
from tests.integration.arena.reviewing import analyse_all, give_out, judged, report
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World, issue_matches, play
from workers.programs.serving import REVIEWS

HEAPS: dict[str, Any] = {"game": "heap_nim", "params": {"heaps": [1, 2, 3]}}


def play_all(world: World) -> None:
    """Play what waits."""
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    for message in messages:
        assert world.record(message, play(message.spec, seed=int(message.spec.match))) == "taken"


@pytest.fixture
def played(world: World) -> World:
    """A tournament of three games that were played, and room for two analyses."""
    reviews.WORK.rest()  # what it knows is of another test's database
    world.tournament(bots=3, **HEAPS)
    play_all(world)
    with world.database.transaction() as session:
        for number in range(4):
            told: dict[str, Any] = {"process": f"worker-{number}", "takes": ["matches", REVIEWS], "cores": 4}
            hosts.register(session, "test-host", {"python": "3.11"}, 1.0, **told)
    return world


def order(world: World, name: str = "cup") -> analysis_store.Left:
    """Have all games of a tournament analysed."""
    with world.database.transaction() as session:
        return analyses.ask_all(session, world.staff, world.get(session, name), world.settings.analyses)


def idle(world: World) -> None:
    """Let idle workers analyse whatever is played."""
    world.settings = world.settings.model_copy(update={"analyse": "idle"})


def issue(world: World) -> list[ReviewMessage]:
    """Give out what is due, if anything is."""
    with world.database.reading() as session:
        due = reviews.WORK.publishable(session, world.settings)
    messages = give_out(world, world.settings)
    assert due == bool(messages)
    return messages


def numbers(world: World, messages: list[ReviewMessage]) -> list[int]:
    """Of which matches these are."""
    with world.database.reading() as session:
        rows = [session.get_one(Analysis, int(each.spec.match)) for each in messages]
        return [row.match.number for row in rows if row.match]


def rows(world: World) -> list[Analysis]:
    """All analyses."""
    with world.database.reading() as session:
        found = list(session.scalars(select(Analysis).order_by(Analysis.id)))
        session.expunge_all()
        return found


def test_nothing_is_analysed_that_nobody_wants(played: World) -> None:
    """Without a setting or a wish there is nothing to give out."""
    assert issue(played) == []
    assert rows(played) == []


def test_all_games_are_analysed_the_last_first(played: World) -> None:
    """At most half of the places are taken, each game is analysed once, and none is left."""
    idle(played)
    with played.database.transaction() as session:
        for number, when in ((1, 3), (2, 1), (3, 2)):
            match = matches.get(session, played.get(session), number)
            assert match.result is not None
            match.result.recorded_at = match.result.recorded_at.replace(year=2020 + when)
    first = issue(played)
    assert numbers(played, first) == [1, 3]
    assert issue(played) == []
    for message in first:
        assert report(played, leases.record, message, report=judged(message)) == "taken"
    assert numbers(played, second := issue(played)) == [2]
    assert report(played, leases.record, second[0], report=judged(second[0])) == "taken"
    assert issue(played) == []
    assert {row.state for row in rows(played)} == {MatchState.FINISHED}


def test_a_wish_is_for_one_tournament_and_for_what_is_still_to_be_played(played: World) -> None:
    """Of another tournament nothing is analysed; what is played later, or again, is."""
    played.tournament("other", bots=3, **HEAPS)
    play_all(played)
    assert order(played) == (3, 0, 0)
    assert analyse_all(played) == 3
    with played.database.transaction() as session:
        assert analysis_store.left(session, played.get(session).id) == (0, 0, 0)
        assert analysis_store.left(session, played.get(session, "other").id) == (3, 0, 0)
        amendments.rerun(session, played.staff, matches.get(session, played.get(session), 2), "power cut")
    assert analyse_all(played) == 0
    play_all(played)
    assert analyse_all(played) == 1
    with played.database.reading() as session:
        cup = played.get(session).id
        assert {row.match.tournament_id for row in session.scalars(select(Analysis)) if row.match} == {cup}


def test_everything_else_comes_first(played: World) -> None:
    """While a match waits for a worker, or an analysis that somebody asked for, none is begun."""
    order(played)
    played.tournament("later", bots=2, **HEAPS)
    with played.database.transaction() as session:
        (message,) = issue_matches(session, played.settings)
    assert issue(played) == []
    assert played.heartbeat(message) == "taken"
    assert len(issue(played)) == 2
    with played.database.transaction() as session:
        for row in session.scalars(select(Analysis)):
            row.release(MatchState.PENDING)
        looker = users.create_user(session, "looker", Role.TEAM)[0]
        number = session.scalars(select(Match.number).join(Analysis, Analysis.match_id == Match.id)).first()
        assert number is not None
        match = matches.get(session, played.get(session), number)
        analyses.ask(session, looker, match, 1)
    assert numbers(played, issue(played)) == [number]
    assert [row.asked_by for row in rows(played) if not row.idle] == [looker.id]


def test_what_is_in_hand_gives_way_to_a_match(played: World) -> None:
    """A match that waits a moment has an idle analysis put back, which is no loss, and no other one."""
    order(played)
    clock = Later()
    coordinator = coordinator_of(played, clock)
    coordinator.tick()
    one, other = played.broker.reviews
    for message in (one, other):
        assert report(played, leases.heartbeat, message, host="test-host") == "taken"
    with played.database.transaction() as session:
        asked = session.get_one(Analysis, int(other.spec.match))
        assert asked.match is not None
        analyses.ask(session, played.staff, asked.match, 1)
    played.tournament("later", bots=2, **HEAPS)
    live(coordinator, clock, 8)
    assert report(played, leases.heartbeat, one, host="test-host") == "refused"
    assert report(played, leases.heartbeat, other, host="test-host") == "taken"
    (back,) = [row for row in rows(played) if row.id == int(one.spec.match)]
    assert (back.state, back.lost) == (MatchState.PENDING, 0)


def test_what_is_in_hand_gives_way_to_an_analysis_that_is_asked_for(played: World) -> None:
    """One that somebody asks for is given out though idle ones fill the half, and ousts them soon."""
    order(played)
    clock = Later()
    coordinator = coordinator_of(played, clock)
    coordinator.tick()
    begun = list(played.broker.reviews)
    assert len(begun) == 2
    for message in begun:
        assert report(played, leases.heartbeat, message, host="test-host") == "taken"
    with played.database.transaction() as session:
        (number,) = {1, 2, 3} - set(numbers(played, begun))
        analyses.ask(session, played.staff, matches.get(session, played.get(session), number), 1)
    live(coordinator, clock, 5)
    (asked,) = played.broker.reviews[2:]
    assert numbers(played, [asked]) == [number]
    for message in begun:
        assert report(played, leases.heartbeat, message, host="test-host") == "taken"
    live(coordinator, clock, 8)
    for message in begun:
        assert report(played, leases.heartbeat, message, host="test-host") == "refused"
    assert report(played, leases.heartbeat, asked, host="test-host") == "taken"
    assert {row.lost for row in rows(played)} == {0}


def test_idle_analyses_are_in_nobodys_way(played: World) -> None:
    """They count in nobody's day nor turn, and one that waits ousts nothing."""
    order(played)
    issue(played)
    with played.database.reading() as session:
        assert not lease_store.needs_waiting(session, (Analysis,), Later()().replace(year=2100))
        assert not lease_store.anything_waits(session)
        assert analysis_store.issued_of(session) == {}
        since = Later()().replace(year=2000)
        assert analysis_store.asked_since(session, played.staff.id, since)[0] == 0


def test_old_analyses_are_made_again_on_a_wish(played: World) -> None:
    """One that does not say what was at stake is made again, once, when all of its tournament are wanted."""
    with played.database.transaction() as session:
        match = matches.get(session, played.get(session), 1)
        analyses.ask(session, played.staff, match, 1)
    assert analyse_all(played) == 1
    with played.database.transaction() as session:
        session.scalars(select(Analysis)).one().accuracy = None
    order(played)
    assert analyse_all(played) == 3
    assert all(row.accuracy for row in rows(played))
    order(played)
    assert analyse_all(played) == 0


def test_what_has_no_solver_is_not_wanted(world: World) -> None:
    """It is refused in words, and idle workers pass it over."""
    reviews.WORK.rest()
    world.tournament(bots=2, **HEAPS)
    play_all(world)
    with world.database.transaction() as session:
        world.get(session).game_version += 1
    idle(world)
    assert issue(world) == []
    with pytest.raises(ConflictError, match="no solver"):
        order(world)


def test_games_are_looked_for_once(played: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament is read when one can be given out, and once for many games: not without a host or room."""
    looked: list[int] = []
    real = analysis_store.unanalysed

    def counted(
        session: Session, cup: int, limit: int, among: Collection[int] | None = None
    ) -> Sequence[int]:
        if among is None:
            looked.append(cup)
        return real(session, cup, limit, among)

    monkeypatch.setattr(analysis_store, "unanalysed", counted)
    order(played)
    with monkeypatch.context() as alone:
        alone.setattr(reviews.WORK, "served", lambda *_: set())
        assert (issue(played), looked) == ([], [])
    first = issue(played)
    assert (len(first), len(looked)) == (2, 1)
    assert [issue(played) for _ in range(3)] == [[]] * 3
    for message in first:
        assert report(played, leases.record, message, report=judged(message)) == "taken"
    (last,) = issue(played)
    assert len(looked) == 1
    assert report(played, leases.record, last, report=judged(last)) == "taken"
    assert [issue(played) for _ in range(3)] == [[]] * 3
    assert len(looked) == 2


def test_what_was_found_is_looked_at_again(played: World) -> None:
    """A game that is asked about, or whose match is played again, before its turn comes is not begun."""
    idle(played)
    first = issue(played)
    with played.database.transaction() as session:
        (number,) = {1, 2, 3} - set(numbers(played, first))
        amendments.rerun(
            session, played.staff, matches.get(session, played.get(session), number), "power cut"
        )
    for message in first:
        assert report(played, leases.record, message, report=judged(message)) == "taken"
    assert issue(played) == []
    assert len(rows(played)) == 2


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_nobody_is_waited_for(played: World) -> None:
    """What others have locked, a game or an analysis that was put back, is passed over until later."""
    order(played)
    back, done = issue(played)
    with played.database.transaction() as session:
        session.get_one(Analysis, int(back.spec.match)).release(MatchState.PENDING)
        session.get_one(Analysis, int(done.spec.match)).finish()
    (number,) = {1, 2, 3} - set(numbers(played, [back, done]))
    url = played.database.engine.url.render_as_string(hide_password=False)
    impatient = Database(url, patience_seconds=2)

    def issue_beside() -> list[str]:
        with impatient.transaction() as session:
            return [each.spec.match for each in leases.issue(reviews.WORK, session, played.settings)]

    with played.database.transaction() as session:
        match_store.lock(session, matches.get(session, played.get(session), number).id)
        assert issue_beside() == [back.spec.match]
        assert issue_beside() == []
    with played.database.transaction() as session:
        session.get_one(Analysis, int(back.spec.match)).release(MatchState.PENDING)
    with played.database.transaction() as session:
        analysis_store.lock_all(session, [int(back.spec.match)])
        (begun,) = issue_beside()
        found = session.get_one(Analysis, int(begun)).match
        assert found is not None
        assert found.number == number
    impatient.close()
    assert [each.spec.match for each in issue(played)] == [back.spec.match]
