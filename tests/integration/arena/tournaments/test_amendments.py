"""Amendments: who leaves, what is played again, what the staff decides; refused where they cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session

from arena.coordinator.broker import Message
from arena.coordinator.leases import Verdict
from arena.core.errors import ConflictError, ForbiddenError, NotFoundError
from arena.store import events
from arena.store.models import Entry, Match, MatchState, Tournament, TournamentState
from arena.submissions import versions
from arena.tournaments import amendments, audit, lifecycle, matches
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import World, issue_matches, play

WHY = "for the test"
KNOCKOUT: dict[str, Any] = {
    "format": "knockout",
    "game": "heap_nim",
    "params": {"heaps": [3, 4, 5]},
    "opening_plies": 1,
    "options": {"best_of": 1},
}
Step = Callable[[Session, Tournament], object]


def _do(world: World, step: Step) -> None:
    with world.database.transaction() as session:
        step(session, world.get(session))


def _issue(world: World, window: int = 1000) -> list[Message]:
    with world.database.transaction() as session:
        return issue_matches(session, world.settings.model_copy(update={"window": window}))


def _play(world: World, count: int | None = None) -> None:
    """Play so many matches, or all that wait."""
    for message in _issue(world, count or 1000):
        world.record(message, play(message.spec, seed=message.attempt))


def _entries(world: World) -> list[Entry]:
    with world.database.reading() as session:
        return list(lifecycle.entries(session, world.get(session)))


def _withdraw(world: World, name: str, **more: Any) -> Step:
    actor = more.get("actor", world.staff)
    return lambda session, cup: amendments.withdraw(session, actor, cup, versions.get(session, name), WHY)


def _disqualify(world: World, name: str, *, annul: bool) -> Step:
    return lambda session, cup: amendments.disqualify(
        session, world.staff, cup, versions.get(session, name), WHY, annul=annul
    )


def _rerun(world: World, number: int) -> Step:
    return lambda session, cup: amendments.rerun(session, world.staff, matches.get(session, cup, number), WHY)


def _decide(world: World, number: int, winner: Any = "first") -> Step:
    return lambda session, cup: amendments.set_result(
        session, world.staff, matches.get(session, cup, number), winner, WHY
    )


def _check(world: World) -> None:
    with world.database.reading() as session:
        assert audit.verify(session, world.get(session)) == []


def _log(world: World) -> list[tuple[str, int | None]]:
    with world.database.reading() as session:
        return [(each.kind, each.user_id) for each in events.of_tournament(session, world.get(session))]


def test_who_withdraws_before_the_start_was_never_there(world: World) -> None:
    """The entries behind it move up, and the tournament starts without it."""
    world.tournament(bots=4, start=False)
    _do(world, _withdraw(world, "cup-bot2"))
    assert [(entry.number, entry.version.bot.name) for entry in _entries(world)] == [
        (1, "cup-bot1"),
        (2, "cup-bot3"),
        (3, "cup-bot4"),
    ]
    _do(world, lambda session, cup: lifecycle.start(session, world.staff, cup))
    assert len(world.matches()) == 3


def test_opponents_win_what_a_bot_that_left_has_not_played(world: World) -> None:
    """What was played stays; the rest is lost without a game, and a report of it comes too late."""
    world.tournament(bots=4)
    _play(world, 3)
    late = _issue(world)
    _do(world, _withdraw(world, "cup-bot1"))
    refused = [world.record(message) for message in late]
    assert Verdict.REFUSED in refused
    gone, *others = _entries(world)
    assert (gone.left_as, gone.left_round, gone.games) == ("withdrawn", 4, 3)
    walkovers = [match for match in world.matches() if gone.id in {match.first_id, match.second_id}]
    assert all(match.state == MatchState.FINISHED for match in walkovers)
    assert gone.forfeits == refused.count(Verdict.REFUSED)
    assert [entry.games for entry in others] == [3, 3, 3]
    _check(world)


def test_a_team_withdraws_its_own_bots_only(world: World) -> None:
    """Another team's bot stays; one that left cannot leave again; a finished tournament keeps everybody."""
    team = world.team("team")
    world.tournament(bots=3)
    with pytest.raises(ForbiddenError, match="withdraw your own"):
        _do(world, _withdraw(world, "cup-bot1", actor=team))
    _do(world, _withdraw(world, "cup-bot1"))
    with pytest.raises(ConflictError, match="was withdrawn"):
        _do(world, _withdraw(world, "cup-bot1"))
    _play(world)
    coordinator_of(world).tick()
    with pytest.raises(ConflictError, match="is finished"):
        _do(world, _withdraw(world, "cup-bot2"))


@pytest.mark.parametrize("annul", [False, True], ids=["kept", "annulled"])
def test_games_of_the_disqualified_stay_or_are_annulled(world: World, annul: bool) -> None:
    """Kept, they count as before; annulled, nobody has anything of them, and they can still be read."""
    world.tournament(bots=4)
    _play(world, 3)
    played = [match.number for match in world.matches() if match.state == MatchState.FINISHED]
    _do(world, _disqualify(world, "cup-bot1", annul=annul))
    gone = _entries(world)[0]
    assert (gone.left_as, gone.annulled, gone.games) == ("disqualified", annul, 0 if annul else 3)
    hers = [match for match in world.matches() if gone.id in {match.first_id, match.second_id}]
    assert {match.state for match in hers} == {MatchState.CANCELLED if annul else MatchState.FINISHED}
    with world.database.reading() as session:
        kept = [len(matches.get(session, world.get(session), number).superseded) for number in played]
    assert any(kept) == annul
    _check(world)


@pytest.mark.parametrize("annul", [False, True], ids=["kept", "annulled"])
@pytest.mark.parametrize("over", [False, True], ids=["running", "finished"])
def test_who_has_withdrawn_can_be_disqualified(world: World, over: bool, annul: bool) -> None:
    """It left when it withdrew, and is named as expelled; its games, walkovers too, count only if kept."""
    world.tournament(bots=4)
    _play(world, 3)
    _do(world, _withdraw(world, "cup-bot1"))
    if over:
        _play(world)
        coordinator_of(world).tick()
    before = _entries(world)[0]
    _do(world, _disqualify(world, "cup-bot1", annul=annul))
    gone = _entries(world)[0]
    assert (gone.left_as, gone.left_round, gone.annulled) == ("disqualified", before.left_round, annul)
    assert gone.games == (0 if annul else before.games)
    with world.database.reading() as session:
        state = TournamentState.FINISHED if over else TournamentState.RUNNING
        assert world.get(session).state == state
    _check(world)
    assert [kind for kind, _ in _log(world) if kind.startswith("entry.")][4:6] == [
        "entry.withdrawn",
        "entry.disqualified",
    ]


def test_who_is_disqualified_left_when_it_withdrew(world: World) -> None:
    """Rounds that were paired without it since then stay rounds without it."""
    world.tournament(bots=5, format="swiss", options={"rounds": 3})
    _do(world, _withdraw(world, "cup-bot1"))
    _play(world)
    coordinator_of(world, window=0).tick()
    _do(world, _disqualify(world, "cup-bot1", annul=False))
    gone = _entries(world)[0]
    with world.database.reading() as session:
        assert (gone.left_as, gone.left_round, world.get(session).rounds_paired) == ("disqualified", 2, 2)
    _check(world)


def test_games_that_were_left_to_count_are_annulled_later(world: World) -> None:
    """Who is disqualified can only lose the games too; once they are annulled nothing is left to take."""
    world.tournament(bots=3)
    _play(world, 1)
    _do(world, _disqualify(world, "cup-bot1", annul=False))
    with pytest.raises(ConflictError, match="disqualified already"):
        _do(world, _disqualify(world, "cup-bot1", annul=False))
    _do(world, _disqualify(world, "cup-bot1", annul=True))
    assert _entries(world)[0].games == 0
    _check(world)
    for annul in (False, True):
        with pytest.raises(ConflictError, match="disqualified already"):
            _do(world, _disqualify(world, "cup-bot1", annul=annul))


def test_nobody_is_disqualified_before_the_start(world: World) -> None:
    """There it withdraws, and was never there."""
    world.tournament(bots=3, start=False)
    with pytest.raises(ConflictError, match="is open and cannot be amended"):
        _do(world, _disqualify(world, "cup-bot1", annul=False))


def test_a_match_is_played_again_and_both_results_are_kept(world: World) -> None:
    """The first result counts no more and is kept with its moves and the reason; the second one counts."""
    world.tournament(bots=2)
    _play(world)
    first = world.match()
    _do(world, _rerun(world, 1))
    assert [(entry.games, entry.half_points, entry.wall_ns) for entry in _entries(world)] == [(0, 0, 0)] * 2
    (message,) = _issue(world)
    assert message.attempt == first.attempt + 1
    world.record(message, play(message.spec, forfeits=[0]))
    with world.database.reading() as session:
        match = matches.get(session, world.get(session), 1)
        (before,) = match.superseded
        assert match.result is not None
        assert match.result.reason == "crash"
        assert (before.attempt, before.why, before.superseded_by) == (1, WHY, world.staff.id)
        assert len(before.moves) > 3
    _check(world)
    assert ("match.rerun", world.staff.id) in _log(world)


def test_a_finished_tournament_goes_on_when_a_result_is_taken_back(world: World) -> None:
    """A re-run of its last match opens it again, and it finishes once that is played."""
    world.tournament(bots=2)
    _play(world)
    coordinator_of(world).tick()
    _do(world, _rerun(world, 1))
    with world.database.reading() as session:
        cup = world.get(session)
        assert (cup.state, cup.finished_at) == (TournamentState.RUNNING, None)
    coordinator = coordinator_of(world)
    coordinator.tick()
    world.record(world.broker.queue.pop())
    coordinator.tick()
    coordinator.tick()
    with world.database.reading() as session:
        assert world.get(session).state == TournamentState.FINISHED


def test_a_result_stands_once_a_round_was_paired_by_it(world: World) -> None:
    """In a knockout the first round can be amended while it is the last one, and not when the next one is."""
    world.tournament(bots=4, **KNOCKOUT)
    _play(world)
    _do(world, _rerun(world, 1))
    _do(world, _decide(world, 1))
    _play(world)
    coordinator_of(world, window=0).tick()
    for step in (_rerun(world, 1), _decide(world, 2), _round_again(world, 1)):
        with pytest.raises(ConflictError, match="paired by the results of round 1"):
            _do(world, step)
    _check(world)


def _round_again(world: World, number: int) -> Step:
    return lambda session, cup: amendments.rerun_round(session, world.staff, cup, number, WHY)


def test_a_round_is_played_again(world: World) -> None:
    """All of its matches wait again; a round that is being played, or that there is not, is refused."""
    world.tournament(bots=4)
    with pytest.raises(ConflictError, match="still being played"):
        _do(world, _round_again(world, 1))
    with pytest.raises(NotFoundError, match="round 9"):
        _do(world, _round_again(world, 9))
    _play(world)
    _do(world, _round_again(world, 2))
    assert [match.round for match in world.matches() if match.state == MatchState.PENDING] == [2, 2]
    _check(world)


@pytest.mark.parametrize(
    ("winner", "half_points"), [("first", (2, 0)), ("second", (0, 2)), ("draw", (1, 1)), ("nobody", (0, 0))]
)
@pytest.mark.parametrize("state", ["pending", "parked", "finished"])
def test_the_staff_decides_a_match(
    sqlite_world: Callable[[], World], state: str, winner: str, half_points: tuple[int, int]
) -> None:
    """Whatever it was before, the result is the one decided, by name and with the reason."""
    world = sqlite_world()
    world.tournament(bots=2)
    if state == "finished":
        _play(world)
    else:
        with world.database.transaction() as session:
            session.merge(world.match()).state = MatchState(state)
    _do(world, _decide(world, 1, winner))
    with world.database.reading() as session:
        match = matches.get(session, world.get(session), 1)
        assert match.result is not None
        assert (match.result.first_half_points, match.result.second_half_points) == half_points
        assert (match.result.manual_reason, match.result.decided_by) == (WHY, world.staff.id)
        assert match.result.kind == ("played" if state == "finished" else "forfeit")
    first, second = (match.first_id, match.second_id)
    assert {entry.id: entry.half_points for entry in _entries(world)} == {
        first: half_points[0],
        second: half_points[1],
    }
    _check(world)


def test_what_is_in_play_or_called_off_is_not_decided(world: World) -> None:
    """The staff waits for the end of a match in play; a cancelled tournament is amended by nobody."""
    world.tournament(bots=3)
    _issue(world, 1)
    with pytest.raises(ConflictError, match="match 1 is published"):
        _do(world, _decide(world, 1))
    with pytest.raises(ConflictError, match="only a finished one"):
        _do(world, _rerun(world, 2))
    _do(world, lambda session, cup: lifecycle.cancel(session, world.staff, cup))
    with pytest.raises(ConflictError, match="is cancelled"):
        _do(world, _decide(world, 2))


def test_brackets_are_built_on_their_games(world: World) -> None:
    """In a knockout no game is annulled or dropped, and nobody comes late."""
    world.tournament(bots=4, **KNOCKOUT)
    with pytest.raises(ConflictError, match="cannot be annulled"):
        _do(world, _disqualify(world, "cup-bot1", annul=True))
    with world.database.transaction() as session:
        session.merge(world.match()).state = MatchState.PARKED
    with pytest.raises(ConflictError, match="decides who goes on"):
        _do(world, lambda session, cup: matches.drop(session, world.staff, _first(session, cup), WHY))
    with pytest.raises(ConflictError, match="takes nobody in"):
        _do(world, lambda session, cup: _enter(world, session, cup, "late"))


def _first(session: Session, cup: Tournament) -> Match:
    return matches.get(session, cup, 1)


def _enter(world: World, session: Session, cup: Tournament, name: str) -> Entry:
    return lifecycle.enter(session, world.staff, cup, world.bot(session, name))


def test_who_comes_late_joins_in_the_next_round(world: World) -> None:
    """A Swiss tournament takes a late entry of the staff's; who plays already keeps its version."""
    world.tournament(bots=4, format="swiss", options={"rounds": 3})
    _do(world, lambda session, cup: _enter(world, session, cup, "late"))
    assert _entries(world)[-1].joined_round == 2
    with pytest.raises(ConflictError, match="only a ladder"):
        _do(world, lambda session, cup: _again(world, session, cup))
    _play(world)
    coordinator_of(world, window=0).tick()
    byes = [match for match in world.matches() if match.round == 2]
    assert len(byes) == 2
    _check(world)


def _again(world: World, session: Session, cup: Tournament) -> Entry:
    return lifecycle.enter(session, world.staff, cup, versions.get(session, "cup-bot1"))


def test_only_a_ladder_is_ended(world: World) -> None:
    """What ends by itself cannot be ended, only cancelled."""
    world.tournament(bots=2)
    with pytest.raises(ConflictError, match="ends by itself"):
        _do(world, lambda session, cup: lifecycle.end(session, world.staff, cup))


def test_a_ladder_that_ends_takes_no_other_version(world: World) -> None:
    """Nobody's results are annulled for a version that would have no game to play, and nobody new comes."""
    world.tournament(bots=3, format="ladder")
    _do(world, lambda session, cup: lifecycle.end(session, world.staff, cup))
    with pytest.raises(ConflictError, match="no round left"):
        _do(world, lambda session, cup: _next_version(world, session, cup))
    with pytest.raises(ConflictError, match="takes nobody in"):
        _do(world, lambda session, cup: _enter(world, session, cup, "late"))


def _next_version(world: World, session: Session, cup: Tournament) -> Entry:
    bot = versions.get(session, "cup-bot1")
    world.version(session, bot)
    return lifecycle.enter(session, world.staff, cup, bot)


def test_a_swiss_annuls_no_games(world: World) -> None:
    """Its other rounds are built on them, and the opponents would be short of a game."""
    world.tournament(bots=4, format="swiss", options={"rounds": 2})
    with pytest.raises(ConflictError, match="cannot be annulled"):
        _do(world, _disqualify(world, "cup-bot1", annul=True))
    _do(world, _disqualify(world, "cup-bot1", annul=False))


def test_a_wrong_total_is_found(world: World) -> None:
    """Verifying names the entry, the pair or the match whose numbers are not what the log adds up to."""
    world.tournament(bots=2)
    _play(world)
    with world.database.transaction() as session:
        cup = world.get(session)
        cup.entries[0].score_own += 1
        match = matches.get(session, cup, 1)
        assert match.result is not None
        match.result.attempt += 1
        session.flush()
        differences = audit.verify(session, cup)
    assert any("entry 1: score_own" in each for each in differences)
    assert any("match 1 has a result of attempt 2" in each for each in differences)


def test_heroes_must_be_there(world: World) -> None:
    """A gauntlet starts when its heroes are entered; then everybody else meets them."""
    world.tournament(bots=3, start=False, format="gauntlet", heroes=["cup-bot2", "zoe"])
    with pytest.raises(ConflictError, match="heroes zoe"):
        _do(world, lambda session, cup: lifecycle.start(session, world.staff, cup))
    _do(world, lambda session, cup: _enter(world, session, cup, "zoe"))
    _do(world, lambda session, cup: lifecycle.start(session, world.staff, cup))
    pairs = {frozenset((match.first.number, match.second.number)) for match in world.matches()}
    assert pairs == {frozenset(pair) for pair in ((1, 2), (1, 4), (2, 3), (2, 4), (3, 4))}
