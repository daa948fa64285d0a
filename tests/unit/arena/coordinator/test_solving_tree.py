"""The tree of a solve: what it says to what it is told, whatever was given out before it was there."""

from __future__ import annotations

from arena.coordinator.solving_tree import Growth, Look, Outlook
from engines.solvers.reversi_board import Board
from engines.solvers.reversi_cut import Job
from engines.solvers.reversi_search import Search
from engines.solvers.reversi_tree import Bounds
from workers.core.contract import GameSpec

SPEC = GameSpec(name="reversed_reversi", params={"size": 4, "reversed": True})
BOARD = Board(4, 4, reversed=True)
SEARCH = Search(4, 4, reversed=True, memory=1 << 20)
VALUE = 3


def answer(job: Job) -> tuple[Job, Bounds]:
    """What a worker finds out."""
    found = SEARCH.solve(job.own, job.opp, job.at_least - 1, job.at_least)
    return job, (found.low, found.high)


def numbered(jobs: list[Job]) -> dict[Job, int]:
    """Given out, with numbers."""
    return {job: number for number, job in enumerate(jobs)}


def solved(growth: Growth, outlook: Outlook) -> Outlook:
    """Answer what it wants until all is known."""
    while outlook.result is None:
        answers = [answer(job) for job in outlook.jobs[:2]]
        outlook = growth.look(Look(outlook.upto + len(answers), answers, {}, 4))
    return outlook


def test_no_more_is_wanted_than_there_is_room_for() -> None:
    """What was told and not given out is told again; what is given out is not."""
    growth = Growth(SPEC, 6)
    first = growth.look(Look(0, [], {}, 4))
    assert (len(first.jobs), first.useless, first.result) == (4, [], None)
    assert list(growth.look(Look(0, [], {}, 4)).jobs) == list(first.jobs)
    given = numbered(list(first.jobs[:3]))
    second = growth.look(Look(0, [], given, 4))
    assert second.jobs[0] == first.jobs[3]
    assert not given.keys() & set(second.jobs)
    assert growth.look(Look(0, [], given, 0)).jobs == []


def test_what_is_of_no_use_is_taken_back() -> None:
    """Once an answer has decided it, by its number; and whatever is no position of the tree."""
    growth = Growth(SPEC, 6)
    jobs = list(growth.look(Look(0, [], {}, 16)).jobs)
    stranger = Job(0x0240, 0x0420, 16)
    assert growth.look(Look(0, [], {**numbered(jobs), stranger: 99}, 0)).useless == [99]
    known, given, useless = 0, numbered(jobs), set[int]()
    for job in jobs:
        if job not in given:
            continue
        del given[job]
        known += 1
        told = growth.look(Look(known, [answer(job)], dict(given), 0))
        useless |= set(told.useless)
        given = {each: number for each, number in given.items() if number not in told.useless}
    assert useless


def test_another_tree_goes_on_from_what_is_known() -> None:
    """It adopts what is given out, and comes to the same value, moves and a proof."""
    growth = Growth(SPEC, 6)
    jobs = list(growth.look(Look(0, [], {}, 6)).jobs)
    answers, given = [answer(job) for job in jobs[:2]], numbered(jobs[2:])
    whole = solved(growth, growth.look(Look(2, answers, {}, 4)))
    other = Growth(SPEC, 6)
    taken_over = other.look(Look(2, answers, given, 4))
    kept = [job for job, number in given.items() if number not in taken_over.useless]
    assert kept
    assert not given.keys() & set(taken_over.jobs)
    again = solved(other, taken_over)
    assert whole.result == again.result
    assert whole.result is not None
    assert whole.result.value == VALUE
    assert again.proof[0].startswith('{"format"')


def test_a_contradiction_is_told() -> None:
    """Bounds that cannot all be true are trouble, and no result."""
    growth = Growth(SPEC, 6)
    (job, *_) = growth.look(Look(0, [], {}, 4)).jobs
    growth.look(Look(1, [(job, (2, 2))], {}, 4))
    told = growth.look(Look(2, [(job, (4, 4))], {}, 4))
    assert told.trouble is not None
    assert (told.jobs, told.result) == ((), None)
