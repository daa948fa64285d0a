"""Amendments: who leaves, who comes late, which ladders end; refused where they cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session

from arena.coordinator.leases import Verdict
from arena.coordinator.messages import Message
from arena.core.errors import ConflictError, ForbiddenError
from arena.core.terms import MatchState, TournamentState
from arena.store import events
from arena.store.models import Entry, Match, Tournament
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


def apply(world: World, step: Step) -> None:
    """Take a step in the only tournament."""
    with world.database.transaction() as session:
        step(session, world.get(session))


def issue(world: World, window: int = 1000) -> list[Message]:
    """Give out matches."""
    with world.database.transaction() as session:
        return issue_matches(session, world.settings.model_copy(update={"window": window}))


def play_on(world: World, count: int | None = None) -> None:
    """Play so many matches, or all that wait."""
    for message in issue(world, count or 1000):
        world.record(message, play(message.spec, seed=message.attempt))


def entries(world: World) -> list[Entry]:
    """All entries, by number."""
    with world.database.reading() as session:
        return list(lifecycle.entries(session, world.get(session)))


def _withdraw(world: World, name: str, **more: Any) -> Step:
    actor = more.get("actor", world.staff)
    return lambda session, cup: amendments.withdraw(session, actor, cup, versions.get(session, name), WHY)


def disqualify(world: World, name: str, *, annul: bool) -> Step:
    """The step that throws a bot out."""
    return lambda session, cup: amendments.disqualify(
        session, world.staff, cup, versions.get(session, name), WHY, annul=annul
    )


def check_totals(world: World) -> None:
    """Every total is what a recount gives."""
    with world.database.reading() as session:
        assert audit.verify(session, world.get(session)) == []


def log_of(world: World) -> list[tuple[str, int | None]]:
    """What the log tells, with whose deed it was."""
    with world.database.reading() as session:
        return [(each.kind, each.user_id) for each in events.of_tournament(session, world.get(session))]


def test_who_withdraws_before_the_start_was_never_there(world: World) -> None:
    """The entries behind it move up, and the tournament starts without it."""
    world.tournament(bots=4, start=False)
    apply(world, _withdraw(world, "cup-bot2"))
    assert [(entry.number, entry.version.bot.name) for entry in entries(world)] == [
        (1, "cup-bot1"),
        (2, "cup-bot3"),
        (3, "cup-bot4"),
    ]
    apply(world, lambda session, cup: lifecycle.start(session, world.staff, cup))
    assert len(world.matches()) == 3


def test_opponents_win_what_a_bot_that_left_has_not_played(world: World) -> None:
    """What was played stays; the rest is lost without a game, and a report of it comes too late."""
    world.tournament(bots=4)
    play_on(world, 3)
    late = issue(world)
    apply(world, _withdraw(world, "cup-bot1"))
    refused = [world.record(message) for message in late]
    assert Verdict.REFUSED in refused
    gone, *others = entries(world)
    assert (gone.left_as, gone.left_round, gone.games) == ("withdrawn", 4, 3)
    walkovers = [match for match in world.matches() if gone.id in {match.first_id, match.second_id}]
    assert all(match.state == MatchState.FINISHED for match in walkovers)
    assert gone.forfeits == refused.count(Verdict.REFUSED)
    assert [entry.games for entry in others] == [3, 3, 3]
    check_totals(world)


def test_a_team_withdraws_its_own_bots_only(world: World) -> None:
    """Another team's bot stays; one that left cannot leave again; a finished tournament keeps everybody."""
    team = world.team("team")
    world.tournament(bots=3)
    with pytest.raises(ForbiddenError, match="withdraw your own"):
        apply(world, _withdraw(world, "cup-bot1", actor=team))
    apply(world, _withdraw(world, "cup-bot1"))
    with pytest.raises(ConflictError, match="was withdrawn"):
        apply(world, _withdraw(world, "cup-bot1"))
    play_on(world)
    coordinator_of(world).tick()
    with pytest.raises(ConflictError, match="is finished"):
        apply(world, _withdraw(world, "cup-bot2"))


@pytest.mark.parametrize("annul", [False, True], ids=["kept", "annulled"])
def test_games_of_the_disqualified_stay_or_are_annulled(world: World, annul: bool) -> None:
    """Kept, they count as before; annulled, nobody has anything of them, and they can still be read."""
    world.tournament(bots=4)
    play_on(world, 3)
    played = [match.number for match in world.matches() if match.state == MatchState.FINISHED]
    apply(world, disqualify(world, "cup-bot1", annul=annul))
    gone = entries(world)[0]
    assert (gone.left_as, gone.annulled, gone.games) == ("disqualified", annul, 0 if annul else 3)
    hers = [match for match in world.matches() if gone.id in {match.first_id, match.second_id}]
    assert {match.state for match in hers} == {MatchState.CANCELLED if annul else MatchState.FINISHED}
    with world.database.reading() as session:
        kept = [len(matches.get(session, world.get(session), number).superseded) for number in played]
    assert any(kept) == annul
    check_totals(world)


@pytest.mark.parametrize("annul", [False, True], ids=["kept", "annulled"])
@pytest.mark.parametrize("over", [False, True], ids=["running", "finished"])
def test_who_has_withdrawn_can_be_disqualified(world: World, over: bool, annul: bool) -> None:
    """It left when it withdrew, and is named as expelled; its games, walkovers too, count only if kept."""
    world.tournament(bots=4)
    play_on(world, 3)
    apply(world, _withdraw(world, "cup-bot1"))
    if over:
        play_on(world)
        coordinator_of(world).tick()
    before = entries(world)[0]
    apply(world, disqualify(world, "cup-bot1", annul=annul))
    gone = entries(world)[0]
    assert (gone.left_as, gone.left_round, gone.annulled) == ("disqualified", before.left_round, annul)
    assert gone.games == (0 if annul else before.games)
    with world.database.reading() as session:
        state = TournamentState.FINISHED if over else TournamentState.RUNNING
        assert world.get(session).state == state
    check_totals(world)
    assert [kind for kind, _ in log_of(world) if kind.startswith("entry.")][4:6] == [
        "entry.withdrawn",
        "entry.disqualified",
    ]


def test_who_is_disqualified_left_when_it_withdrew(world: World) -> None:
    """Rounds that were paired without it since then stay rounds without it."""
    world.tournament(bots=5, format="swiss", options={"rounds": 3})
    apply(world, _withdraw(world, "cup-bot1"))
    play_on(world)
    coordinator_of(world, window=0).tick()
    apply(world, disqualify(world, "cup-bot1", annul=False))
    gone = entries(world)[0]
    with world.database.reading() as session:
        assert (gone.left_as, gone.left_round, world.get(session).rounds_paired) == ("disqualified", 2, 2)
    check_totals(world)


def test_games_that_were_left_to_count_are_annulled_later(world: World) -> None:
    """Who is disqualified can only lose the games too; once they are annulled nothing is left to take."""
    world.tournament(bots=3)
    play_on(world, 1)
    apply(world, disqualify(world, "cup-bot1", annul=False))
    with pytest.raises(ConflictError, match="disqualified already"):
        apply(world, disqualify(world, "cup-bot1", annul=False))
    apply(world, disqualify(world, "cup-bot1", annul=True))
    assert entries(world)[0].games == 0
    check_totals(world)
    for annul in (False, True):
        with pytest.raises(ConflictError, match="disqualified already"):
            apply(world, disqualify(world, "cup-bot1", annul=annul))


def test_nobody_is_disqualified_before_the_start(world: World) -> None:
    """There it withdraws, and was never there."""
    world.tournament(bots=3, start=False)
    with pytest.raises(ConflictError, match="is open and cannot be amended"):
        apply(world, disqualify(world, "cup-bot1", annul=False))


def first_match(session: Session, cup: Tournament) -> Match:
    """The first match."""
    return matches.get(session, cup, 1)


def enter(world: World, session: Session, cup: Tournament, name: str) -> Entry:
    """Enter a new bot."""
    return lifecycle.enter(session, world.staff, cup, world.bot(session, name))


def test_who_comes_late_joins_in_the_next_round(world: World) -> None:
    """A Swiss tournament takes a late entry of the staff's; who plays already keeps its version."""
    world.tournament(bots=4, format="swiss", options={"rounds": 3})
    apply(world, lambda session, cup: enter(world, session, cup, "late"))
    assert entries(world)[-1].joined_round == 2
    with pytest.raises(ConflictError, match="only a ladder"):
        apply(world, lambda session, cup: _again(world, session, cup))
    play_on(world)
    coordinator_of(world, window=0).tick()
    byes = [match for match in world.matches() if match.round == 2]
    assert len(byes) == 2
    check_totals(world)


def _again(world: World, session: Session, cup: Tournament) -> Entry:
    return lifecycle.enter(session, world.staff, cup, versions.get(session, "cup-bot1"))


def test_only_a_ladder_is_ended(world: World) -> None:
    """What ends by itself cannot be ended, only cancelled."""
    world.tournament(bots=2)
    with pytest.raises(ConflictError, match="ends by itself"):
        apply(world, lambda session, cup: lifecycle.end(session, world.staff, cup))


def test_a_ladder_that_ends_takes_no_other_version(world: World) -> None:
    """Nobody's results are annulled for a version that would have no game to play, and nobody new comes."""
    world.tournament(bots=3, format="ladder")
    apply(world, lambda session, cup: lifecycle.end(session, world.staff, cup))
    with pytest.raises(ConflictError, match="no round left"):
        apply(world, lambda session, cup: _next_version(world, session, cup))
    with pytest.raises(ConflictError, match="takes nobody in"):
        apply(world, lambda session, cup: enter(world, session, cup, "late"))


def _next_version(world: World, session: Session, cup: Tournament) -> Entry:
    bot = versions.get(session, "cup-bot1")
    world.version(session, bot)
    return lifecycle.enter(session, world.staff, cup, bot)


def test_a_swiss_annuls_no_games(world: World) -> None:
    """Its other rounds are built on them, and the opponents would be short of a game."""
    world.tournament(bots=4, format="swiss", options={"rounds": 2})
    with pytest.raises(ConflictError, match="cannot be annulled"):
        apply(world, disqualify(world, "cup-bot1", annul=True))
    apply(world, disqualify(world, "cup-bot1", annul=False))


def test_a_wrong_total_is_found(world: World) -> None:
    """Verifying names the entry, the pair or the match whose numbers are not what the log adds up to."""
    world.tournament(bots=2)
    play_on(world)
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
        apply(world, lambda session, cup: lifecycle.start(session, world.staff, cup))
    apply(world, lambda session, cup: enter(world, session, cup, "zoe"))
    apply(world, lambda session, cup: lifecycle.start(session, world.staff, cup))
    pairs = {frozenset((match.first.number, match.second.number)) for match in world.matches()}
    assert pairs == {frozenset(pair) for pair in ((1, 2), (1, 4), (2, 3), (2, 4), (3, 4))}
