"""Games that are solved on the workers: positions given out, lost, withdrawn and given out again."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arena.coordinator import figures, leases, sharing, solving, workers
from arena.coordinator.leases import Verdict
from arena.core.errors import ConflictError, ForbiddenError, InvalidError
from arena.core.terms import MatchState, SolveState
from arena.experiments import solves
from arena.schemas.solves import SolvePlan
from arena.store.database import Database
from arena.store.models import SolveLeaf
from arena.submissions import hosts
from engines.solvers.reversi_verifier import verify
from tests.integration.arena.solving import HOST, MOVES, VALUE, Solvers, TreeHere
from tests.integration.arena.ticking import coordinator_of, live
from tests.integration.arena.world import World
from workers.programs.serving import SOLVES


@pytest.fixture
def solvers(sqlite_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch) -> Iterator[Solvers]:
    """A host that solves; the trees are in this process."""
    world = sqlite_world()
    monkeypatch.setattr(solving, "Tree", lambda _, number: TreeHere(world.database, number))
    yield Solvers(world)
    solving.WORK.rest()


@pytest.fixture
def apart(world: World) -> Iterator[Solvers]:
    """The same with the trees in processes of their own, as an arena has them, once on each database."""
    yield Solvers(world)
    solving.WORK.rest()


@pytest.mark.parametrize("fewest", [True, False])
def test_a_game_is_solved_with_a_proof(solvers: Solvers, *, fewest: bool) -> None:
    """Value and best moves are those that are known, the proof holds, and nothing is left to be done."""
    solvers.create(params={"size": 4, "reversed": fewest})
    solve = solvers.solve()
    assert (solve.value, solve.moves) == (VALUE[fewest], MOVES)
    assert solve.standing is not None
    assert (solve.standing["low"], solve.standing["high"]) == (solve.value, solve.value)
    assert len(solvers.known()) == solve.answers
    assert solve.nodes == sum(bound.nodes for bound in solvers.known()) > 0
    assert {bound.host for bound in solvers.known()} == {HOST}
    solvers.tick()
    assert (solvers.given(), solvers.queue) == ([], [])
    shown = verify(solvers.proof().splitlines(keepends=True), sample=None, plain=True)
    assert (shown.value, shown.params["reversed"]) == (solve.value, fewest)


def test_the_tree_has_a_process_of_its_own(apart: Solvers) -> None:
    """Killed in the midst, as the coordinator is, another one goes on from what is known."""
    apart.create()
    for count, message in enumerate(apart.rounds()):
        apart.record(message)
        if count == 2:
            known = apart.get().answers
            (tree,) = solving.WORK._trees.values()
            tree._process.kill()
        if count == 4:
            solving.WORK.rest()
            apart.coordinator = coordinator_of(apart.world, apart.clock)
    solve = apart.get()
    assert (solve.state, solve.value, solve.moves) == (SolveState.FINISHED, VALUE[True], MOVES)
    assert solve.answers > known > 0


def test_a_coordinator_that_takes_over_goes_on(solvers: Solvers) -> None:
    """What is in hand is still wanted, and what was found out is not asked again."""
    solvers.create()
    solvers.tick()
    first, second, *_ = solvers.queue
    assert solvers.heartbeat(second) == Verdict.TAKEN
    assert solvers.record(first) == Verdict.TAKEN
    solving.WORK.rest()
    solvers.coordinator = coordinator_of(solvers.world, solvers.clock)
    solvers.tick()
    assert second.leaf in {leaf.number for leaf in solvers.given()}
    assert first.spec.position not in {leaf.position for leaf in solvers.given()}
    assert solvers.record(second) == Verdict.TAKEN
    assert solvers.solve().value == VALUE[True]


def test_what_was_lost_is_searched_again(solvers: Solvers) -> None:
    """A worker that fell silent has lost its attempt, and its late report changes nothing."""
    solvers.coordinator = coordinator_of(solvers.world, solvers.clock, chunk_window=64)
    solvers.create()
    solvers.tick()
    old = solvers.queue.pop(0)
    assert solvers.heartbeat(old) == Verdict.TAKEN
    live(solvers.coordinator, solvers.clock, solvers.world.settings.lease_seconds + 10)
    new = next(each for each in solvers.queue if each.leaf == old.leaf)
    assert (old.attempt, new.attempt, solvers.get().lost) == (1, 2, 1)
    assert solvers.record(old) == Verdict.REFUSED
    solvers.queue.remove(new)
    assert solvers.record(new) == Verdict.TAKEN
    assert solvers.record(new) == Verdict.REFUSED
    assert (solvers.get().answers, solvers.get().refused) == (1, 2)
    assert solvers.solve().value == VALUE[True]


def test_what_decides_nothing_any_more_is_withdrawn(solvers: Solvers) -> None:
    """Its message is taken from the queue, and who has it in hand is refused at the next sign of life."""
    solvers.create()
    useless = 0
    for message in solvers.rounds():
        in_hand = solvers.queue[-1] if len(solvers.queue) > 1 else None
        if in_hand is not None:
            solvers.heartbeat(in_hand)
        assert solvers.record(message) in {Verdict.TAKEN, Verdict.REFUSED}
        solvers.tick()
        solvers.tick()  # what was taken back by then leaves the queue
        given = {leaf.token for leaf in solvers.given()}
        assert {each.token for each in solvers.queue} <= given | {in_hand.token if in_hand else None}
        if in_hand is not None and in_hand.token not in given:
            assert solvers.heartbeat(in_hand) == Verdict.REFUSED
            useless += 1
    assert useless > 0
    assert solvers.get().value == VALUE[True]


def test_answers_that_contradict_each_other_end_it(solvers: Solvers) -> None:
    """Both are told, with who has found them, and nothing more is given out."""
    solvers.create()
    solvers.tick()
    message = solvers.queue[0]
    assert solvers.record(message, low=2, high=2) == Verdict.TAKEN
    with solvers.world.database.transaction() as session:
        solve = solves.get(session, 1)
        row = SolveLeaf(solve=solve, number=solve.issued, position=message.spec.position)
        row.at_least, row.state, row.attempt, row.lost = 5, MatchState.RUNNING, 1, 0
        row.token, row.host = "again", HOST
        solve.issued += 1
        session.add(row)
        session.flush()
        leaf = row.number
    again = type(message)(message.spec, 1, leaf, 1, "again")
    assert solvers.record(again, low=6, high=16) == Verdict.TAKEN
    solve = solvers.get()
    assert (solve.state, solve.answers) == (SolveState.FAILED, 1)
    assert solve.trouble is not None
    assert "is worth 2 to 2 by test-host and 6 to 16 by test-host" in solve.trouble
    solvers.tick()
    assert (solvers.given(), solvers.queue) == ([], [])


@pytest.mark.parametrize(
    "changed",
    [
        {"low": -17},
        {"low": 3, "high": 2},
        {"low": -16, "high": 16},
        {"move": 65},
        {"nodes": -1},
        {"nodes": 2**61},
        {"elapsed_ns": 2**61},
        {"low": "nonsense"},
        {"more": 1},
    ],
)
def test_what_cannot_be_found_out_is_a_loss(solvers: Solvers, changed: dict[str, Any]) -> None:
    """No such position can be worth that, it does not answer what was asked, or is no answer at all."""
    solvers.create()
    solvers.tick()
    assert solvers.record(solvers.queue[0], **changed) == Verdict.UNFIT
    assert (solvers.get().lost, solvers.get().answers) == (1, 0)


def test_a_position_that_is_lost_too_often_pauses_its_solve(solvers: Solvers) -> None:
    """It says why, what is known stays, and who resumes it has it tried again."""
    solvers.create()
    solvers.tick()
    assert solvers.record(solvers.queue.pop(0)) == Verdict.TAKEN
    for _ in range(solvers.world.settings.max_lost + 1):
        solvers.tick()
        message = min(solvers.queue, key=lambda each: each.leaf)
        solvers.queue.remove(message)
        assert solvers.lose(message) == Verdict.TAKEN
    solve = solvers.get()
    assert (solve.state, solve.answers) == (SolveState.PAUSED, 1)
    assert solve.trouble is not None
    assert f"{message.spec.position} was lost 5 times, the last time: test-host: no room" in solve.trouble
    solvers.tick()
    assert (solvers.given(), solvers.queue) == ([], [])
    with solvers.world.database.transaction() as session:
        solves.resume(session, solvers.world.staff, solve)
    assert solvers.solve().value == VALUE[True]


def test_a_worker_that_was_stopped_has_lost_nothing(solvers: Solvers) -> None:
    """The position waits for another one, however often that happens."""
    solvers.create()
    for _ in range(2 * solvers.world.settings.max_lost):
        solvers.tick()
        message = min(solvers.queue, key=lambda each: each.leaf)
        solvers.queue.remove(message)
        assert solvers.lose(message, stopped=True) == Verdict.TAKEN
    assert (solvers.get().lost, solvers.get().state) == (0, SolveState.RUNNING)


def test_only_trusted_hosts_are_believed(solvers: Solvers) -> None:
    """A laboratory PC that has taken a position is refused, and where no other host is none is given out."""
    world = solvers.world
    world.enrol("pc-7", share=0.1)
    solvers.create()
    solvers.tick()
    message = solvers.queue[0]
    assert solvers.heartbeat(message, host="pc-7") == Verdict.NOT_THEIRS
    assert solvers.record(message, host="pc-7") == Verdict.NOT_THEIRS
    assert solvers.record(message, host=None) == Verdict.NOT_THEIRS
    assert solvers.get().answers == 0
    assert solvers.record(message) == Verdict.TAKEN
    solvers.queue.clear()
    with world.database.transaction() as session:
        hosts.register(session, "pc-7", {}, 1.0, process="slot1@pc-7", takes=[SOLVES])
        hosts.register(session, HOST, {}, 1.0, process="slot1@here", takes=["matches"])
        assert leases.issue(solving.WORK, session, world.settings) == []


def test_solves_share_the_window(solvers: Solvers) -> None:
    """Neither waits for the other's end, and never more wait for a worker than may."""
    solvers.create()
    solvers.create(params={"size": 4, "reversed": False})
    solvers.tick()
    solvers.tick()
    counts = [sum(message.solve == number for message in solvers.queue) for number in (1, 2)]
    assert sum(counts) == solvers.world.settings.chunk_window
    assert min(counts) > 0
    while solvers.queue or SolveState.RUNNING in {solvers.get(number).state for number in (1, 2)}:
        if solvers.queue:
            solvers.record(solvers.queue.pop(0))
        solvers.tick()
        waiting = [leaf for number in (1, 2) for leaf in solvers.given(number)]
        published = sum(leaf.state == MatchState.PUBLISHED for leaf in waiting)
        assert published <= solvers.world.settings.chunk_window
    assert [solvers.get(number).value for number in (1, 2)] == [VALUE[True], VALUE[False]]


def test_a_position_gives_way_to_a_match(solvers: Solvers) -> None:
    """A match that no process has taken for a second gets the place; the position waits, and lost nothing."""
    solvers.create()
    solvers.tick()
    message = solvers.queue.pop(0)
    assert solvers.heartbeat(message) == Verdict.TAKEN
    solvers.world.tournament(bots=2)
    solvers.tick()
    assert solvers.heartbeat(message) == Verdict.TAKEN
    live(solvers.coordinator, solvers.clock, sharing.FIRST_SECONDS + 1)
    assert solvers.heartbeat(message) == Verdict.REFUSED
    assert solvers.get().lost == 0


@pytest.mark.parametrize("act", [solves.pause, solves.cancel])
def test_what_is_in_hand_is_taken_back(solvers: Solvers, act: Any) -> None:
    """Of a solve that is paused or cancelled nothing is given out, and what is reported of it is refused."""
    number = solvers.create()
    solvers.tick()
    message = solvers.queue.pop(0)
    assert solvers.heartbeat(message) == Verdict.TAKEN
    with solvers.world.database.transaction() as session:
        act(session, solvers.world.staff, solves.get(session, number))
    solvers.tick()
    assert (solvers.queue, solvers.given()) == ([], [])
    assert solvers.heartbeat(message) == solvers.record(message) == Verdict.REFUSED
    assert solvers.get().answers == 0
    with solvers.world.database.transaction() as session:
        solve = solves.get(session, number)
        with pytest.raises(ConflictError, match=f"{solve.state} and cannot be paused"):
            solves.pause(session, solvers.world.staff, solve)
        with pytest.raises(ConflictError, match="there is a proof once it is finished"):
            solves.require_finished(solve)


def test_a_checkpoint_is_gone_on_from(solvers: Solvers) -> None:
    """Another solve begins with what one has found out, of all nothing is left to be done."""
    first = solvers.create(frontier=7)
    whole = solvers.solve(first)
    second = solvers.create(frontier=None, checkpoint=solvers.checkpoint(first))
    solvers.tick()
    solve = solvers.get(second)
    assert (solve.state, solve.frontier, solve.issued) == (SolveState.FINISHED, 7, 0)
    assert (solve.value, solve.moves) == (whole.value, whole.moves)
    assert verify(solvers.proof(second).splitlines(keepends=True), sample=0).value == whole.value
    damaged = solvers.checkpoint(first).replace(" -", " ", 1)
    with pytest.raises(InvalidError, match="is damaged"):
        solvers.create(checkpoint=damaged)
    with pytest.raises(InvalidError, match="not of"):
        solvers.create(params={"size": 6}, checkpoint=solvers.checkpoint(first))


def test_what_is_refused(solvers: Solvers) -> None:
    """Only administrators ask, for a game that is solved so, and on a board of which something is known."""
    red = solvers.world.team("red")
    with (
        solvers.world.database.transaction() as session,
        pytest.raises(ForbiddenError, match="only an administrator"),
    ):
        solves.create(session, red, SolvePlan(game="reversed_reversi"))
    for changes, why in (
        ({"game": "heap_nim", "params": {}}, "not solved by positions"),
        ({"params": {"size": 5}}, "size"),
        ({"params": {"size": 10}}, "here are 96 on 10 by 10"),
        ({"params": {"size": 8}, "frontier": None}, "at most 38 empty squares"),
    ):
        with pytest.raises(InvalidError, match=why):
            solvers.create(**changes)


def test_a_tree_that_dies_again_and_again_pauses_its_solve(
    solvers: Solvers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resumed it is begun anew; nothing else waits for it meanwhile."""

    class Dying(TreeHere):
        def hear(self) -> None:
            raise EOFError

    database: Database = solvers.world.database
    monkeypatch.setattr(solving, "Tree", lambda _, number: Dying(database, number))
    number = solvers.create()
    for _ in range(solving.DEATHS):
        assert solvers.get().state == SolveState.RUNNING
        solvers.tick()
    solve = solvers.get()
    assert solve.state == SolveState.PAUSED
    assert "has ended 3 times" in (solve.trouble or "")
    monkeypatch.setattr(solving, "Tree", lambda _, number: TreeHere(database, number))
    with solvers.world.database.transaction() as session:
        solves.resume(session, solvers.world.staff, solves.get(session, number))
    assert solvers.solve().value == VALUE[True]


def test_a_tree_that_cannot_be_begun_is_begun_later(
    solvers: Solvers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no room for a process the coordinator goes on, and the solve does at a later look."""
    database: Database = solvers.world.database
    refusals = [OSError(errno.EAGAIN, "Resource temporarily unavailable")]

    def begun(_: str, number: int) -> TreeHere:
        if refusals:
            raise refusals.pop()
        return TreeHere(database, number)

    monkeypatch.setattr(solving, "Tree", begun)
    solvers.create()
    solvers.tick()
    assert (solvers.queue, refusals) == ([], [])
    solvers.tick()
    assert solvers.queue


def test_the_staff_sees_what_is_in_hand(solvers: Solvers) -> None:
    """A host's work, and how old the oldest solve is, show positions like any other work."""
    solvers.create()
    solvers.tick()
    message = solvers.queue[0]
    solvers.heartbeat(message)
    with solvers.world.database.reading() as session:
        (host,), _ = workers.list_hosts(session, solvers.world.settings, 0, 10)
        (piece,) = host.in_hand
        assert (piece.kind, piece.work.solve, piece.work.leaf) == (SOLVES, 1, message.leaf)
        told = figures.figures(session, solvers.world.settings)
        assert told.depths[SOLVES][MatchState.RUNNING] == 1
        assert told.ages[SOLVES] >= 0.0
