"""Positions of games that are being solved, as work that is given out: behind everything else.

Their queue is the last in which workers look, and what is in hand is put back where a match, a turn or other
work waits for its place. What is to be found out next is said by the tree of each solve, which has a process
of its own (`solving_process`); what is known is in the database alone. Solves share the window in turn.

Nothing of an answer can be seen from outside but whether it is possible, so only trusted hosts are asked.
Two answers that contradict each other end a solve: one of them is wrong, and nobody knows what else is.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import structlog
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import LeafMessage
from arena.coordinator.result_validation import MAX_NS, require, unreadable
from arena.coordinator.sharing import Gathered, Turns, giving_way
from arena.coordinator.solving_process import Tree
from arena.coordinator.solving_tree import Outlook
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, SolveState
from arena.experiments import solves
from arena.store import leases, worker_keys
from arena.store import solves as store
from arena.store.models import (
    Solve,
    SolveBound,
    SolveLeaf,
)
from arena.submissions import hosts
from engines.solvers.reversi_board import Position
from workers.programs.serving import SOLVES
from workers.solving.contract import LeafAnswer, LeafSpec, position_of, written
from workers.solving.leaves import board_of

DEATHS = 3
"""So often the process of a tree may end by itself, killed for its memory say, before its solve is paused."""

log = structlog.get_logger()


class Solving(WorkType[SolveLeaf, LeafMessage, LeafAnswer]):
    """Given out for running solves to trusted hosts; their solve keeps the ledger."""

    kind = SOLVES
    model = SolveLeaf
    unfit = "the reported answer does not fit"

    def __init__(self) -> None:
        self._turns = Turns[int]()
        self._trees: dict[int, Tree] = {}
        self._deaths = Counter[int]()

    @property
    def is_thinking(self) -> bool:
        """Whether a tree works out what is next."""
        return any(tree.is_thinking for tree in self._trees.values())

    def rest(self) -> None:
        """End the processes of the trees."""
        for number in list(self._trees):
            self._drop(number)
        self._deaths.clear()

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a position to give out, and room for it, or something that a tree has said.

        The trees of the running solves are asked, those of others ended.
        """
        running = store.running(session)
        for number in self._trees.keys() - {solve.id for solve in running}:
            self._drop(number)
            del self._deaths[number]
        if not running:
            return False
        pending = store.pending_of(session, [solve.id for solve in running])
        published = leases.published_of(session, SolveLeaf.solve_id)
        for solve in running:
            if self._deaths[solve.id] < DEATHS:
                waiting = pending.get(solve.id, 0) + published.get(solve.id, 0)
                self._look_after(settings, solve, settings.chunk_window - waiting)
        if any(tree.outlook for tree in self._trees.values()) or self._dead(running):
            return True
        room = settings.chunk_window - sum(published.values())
        return bool(pending) and room > 0 and "" in self.served(session, settings)

    def _look_after(self, settings: Settings, solve: Solve, room: int) -> None:
        """Hear what the tree has to say, and ask it anew if something has changed."""
        number = solve.id
        try:
            tree = self._trees.get(number)
            if tree is None:
                tree = self._trees[number] = Tree(settings.database_url, number)
            tree.hear()
            if tree.is_thinking or tree.outlook:
                return
            if solve.answers > tree.upto or (room > 0 and not tree.is_exhausted):
                tree.ask(max(0, room))
        except (EOFError, OSError) as error:
            log.warning("the tree of a solve has ended", solve=number, error=str(error))
            self._drop(number)
            self._deaths[number] += 1

    def _drop(self, number: int) -> None:
        tree = self._trees.pop(number, None)
        if tree is not None:  # it may not even have begun
            tree.close()

    def _dead(self, running: Sequence[Solve]) -> bool:
        return any(self._deaths[solve.id] >= DEATHS for solve in running)

    def due(self, session: Session, settings: Settings) -> Sequence[SolveLeaf]:
        """Do as the trees say; then the next positions of the solves whose turn it is."""
        running = [
            solve
            for solve in store.lock_all(session, [each.id for each in store.running(session)])
            if solve.state == SolveState.RUNNING
        ]
        for solve in running:
            self._act(session, solve)
        going = [solve for solve in running if solve.state == SolveState.RUNNING]
        published = leases.published_of(session, SolveLeaf.solve_id)
        room = settings.chunk_window - sum(published.values())
        if room <= 0 or not going or "" not in self.served(session, settings):
            return []
        pending = store.pending_of(session, [solve.id for solve in going])
        there = {solve.id: pending.get(solve.id, 0) for solve in going}
        waiting = {solve.id: published.get(solve.id, 0) for solve in going}
        parts = self._turns.parts_of(room, waiting, there)
        found: list[SolveLeaf] = []
        for solve in going:
            if parts[solve.id]:
                solve.started_at = solve.started_at or utc_now()
                found += store.lock_pending(session, solve, parts[solve.id])
        return found

    def _act(self, session: Session, solve: Solve) -> None:
        """Do as the tree of a (locked) solve has said, if it has said anything."""
        tree = self._trees.get(solve.id)
        outlook = tree.outlook if tree else None
        if tree and outlook:
            tree.outlook = None
            self._deaths[solve.id] = 0
            _follow(session, solve, outlook)
        elif self._deaths[solve.id] >= DEATHS:
            del self._deaths[solve.id]
            solves.stop(
                session,
                solve,
                f"the process that keeps its tree has ended {DEATHS} times, for want of memory perhaps: give"
                " the coordinator more, and resume it",
            )

    def ousted(self, session: Session, settings: Settings, now: dt.datetime) -> set[str]:
        """The tokens of what is in hand where other work could be that has waited for a while."""
        return giving_way(session, settings, store.in_play(session), now)

    def served(self, session: Session, settings: Settings) -> set[str]:
        """No language; but where no trusted host is there that can search, nothing is."""
        return {""} if hosts.can_solve(session, settings) else set()

    def issued(self, session: Session, row: SolveLeaf, token: str) -> LeafMessage:
        """The message has the game, the position, and what is asked of it."""
        del session
        spec = LeafSpec(
            game=solves.game_of(row.solve),
            position=row.position,
            at_least=row.at_least,
            memory_mb=row.solve.memory_mb,
        )
        return LeafMessage(spec, row.solve_id, row.number, row.attempt, token)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> Gathered:
        """The solves, whose leaves nobody else changes then, and whose word counts."""
        del counting
        return Gathered(store.lock_all(session, {solve for solve, _ in keys}), worker_keys.trusted(session))

    def may(self, row: SolveLeaf, host: str | None, gathered: Gathered) -> bool:
        """A trusted host."""
        del row
        return host in gathered.trusted

    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[SolveLeaf | None, Solve | None]:
        """The leaf of that solve with that number."""
        number, leaf = key
        solve = store.by_id(session, number)
        return (None, None) if solve is None else (store.lock_leaf(session, number, leaf), solve)

    def lock_tokens(
        self, session: Session, tokens: Collection[str], states: Collection[MatchState]
    ) -> Sequence[SolveLeaf]:
        """The leaves with these tokens, locked after their solves."""
        store.lock_all(session, store.with_tokens(session, tokens))
        return super().lock_tokens(session, tokens, states)

    def lock_expired(self, session: Session, now: dt.datetime) -> Sequence[SolveLeaf]:
        """The silent leaves, however many, locked after their solves."""
        held = store.lock_all(session, store.with_expired(session, now))
        return store.lock_expired(session, [each.id for each in held], now)

    def needs(self, row: SolveLeaf) -> str:
        """No language."""
        del row
        return ""

    def lost(self, session: Session, row: SolveLeaf, trouble: str) -> None:
        """It is to be searched again; the solve is paused where that was once too often."""
        solves.lost(session, row, trouble)

    def fit(self, row: SolveLeaf, report: Mapping[str, Any]) -> LeafAnswer:
        """Bounds that such a position can have and that answer what was asked, and a move that it has."""
        try:
            answer = LeafAnswer.model_validate(report)
        except ValidationError as error:
            raise unreadable("answer", error) from None
        require(max(answer.elapsed_ns, answer.nodes) <= MAX_NS, "it took longer than any position may")
        board, position = board_of(solves.game_of(row.solve)), position_of(row.position)
        least, greatest = -board.squares, board.squares
        require(least <= answer.low <= answer.high <= greatest, "no position of that board is worth that")
        decided = answer.low >= row.at_least or answer.high < row.at_least
        require(decided, f"it does not say whether the position is worth {row.at_least}")
        require(answer.move is None or answer.move in board.moves(position), "its move cannot be played")
        return answer

    def write(self, session: Session, row: SolveLeaf, fit: LeafAnswer, gathered: Any) -> Verdict:
        """Keep the answer; or end the solve where it cannot be true beside one from before."""
        del gathered
        solve = row.solve
        for each in store.bounds_of(session, solve, row.position):
            if fit.low > each.high or fit.high < each.low:
                by, also_by = each.host or "the checkpoint", row.host
                solves.fail(
                    session,
                    solve,
                    f"the position {row.position} is worth {each.low} to {each.high} by {by} and {fit.low} to"
                    f" {fit.high} by {also_by}: one of them is wrong",
                )
                return Verdict.TAKEN
        bound = SolveBound(solve_id=solve.id, number=solve.answers, host=row.host)
        bound.position, bound.at_least = row.position, row.at_least
        bound.low, bound.high, bound.move, bound.nodes = fit.low, fit.high, fit.move, fit.nodes
        session.add(bound)
        session.delete(row)
        solve.answers += 1
        solve.nodes += fit.nodes
        solve.spent_ns += fit.elapsed_ns
        solve.recorded_at = utc_now()
        session.flush()
        return Verdict.TAKEN


WORK = Solving()


def _follow(session: Session, solve: Solve, outlook: Outlook) -> None:
    """Do what a tree has said: take back what is of no use, have more to give out, or end the solve."""
    if outlook.trouble is not None:
        solves.fail(session, solve, outlook.trouble)
        return
    if outlook.standing is not None:
        solves.tell(solve, outlook.standing)
    if outlook.result is not None:
        solves.finish(session, solve, outlook.result, outlook.proof)
        return
    if outlook.useless:
        store.delete_leaves(session, solve, outlook.useless)
    given = {(leaf.position, leaf.at_least) for leaf in store.leaves(session, solve)}
    for job in outlook.jobs:
        position = written(Position(job.own, job.opp))
        if (position, job.at_least) in given:
            continue
        leaf = SolveLeaf(solve=solve, number=solve.issued, position=position, at_least=job.at_least)
        leaf.state, leaf.attempt, leaf.lost = MatchState.PENDING, 0, 0
        session.add(leaf)
        solve.issued += 1
    session.flush()
