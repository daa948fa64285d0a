"""Bots that are kept for their next match, and sandboxes that wait for theirs."""

from __future__ import annotations

import time

import psutil
import pytest

from tests.hostile.bots.kit import CASES
from tests.hostile.harness import WAYS, Site, Way, judge
from tests.hostile.host import look
from workers.play.kept import SessionPool
from workers.play.match import play_match
from workers.sandbox.bubblewrap import Bubblewrap
from workers.sandbox.spares import Spares

IDLE_SECONDS = 1.0
MAX_SECONDS = 0.15


def used(place: Site) -> float:
    """The processor time of all bots that run here, in seconds."""
    return sum(used_by(int(line.split()[0])) for line in look(place.uids, place.place).processes)


def used_by(pid: int) -> float:
    """That of one process; nothing of one that has just ended, as others that ended are not there either."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system


CURIOUS = [name for name in CASES if name.partition(".")[0] in ("snooping", "neighbours")]


@pytest.mark.parametrize("name", CURIOUS)
def test_a_hostile_bot_finds_nothing_more_in_a_sandbox_that_waited(name: str, place: Site) -> None:
    """What was built before its match refuses it what any other does, and leaves nothing either."""
    way = next(way for way in WAYS if way.strongest)
    if way.trouble is not None:
        pytest.skip(way.trouble)
    confinement, case = way.confinement(), CASES[name]
    assert isinstance(confinement, Bubblewrap)
    before = look(place.uids, place.place)
    spares = Spares(confinement, most=2, seconds=3600)
    for _ in range(2):
        judge(case, place.play(case, spares))
        spares.replenish()
    spares.close()
    assert look(place.uids, place.place).left_since(before) == {}


def test_a_bot_that_waits_for_its_next_match_computes_nothing(way: Way, place: Site) -> None:
    """One that says it is reusable and would compute for ever after its match stands still until the next."""
    before = look(place.uids, place.place)
    case = CASES["abandoned.idler"]
    spec = place.spec(case)
    idler = place.program(case.name, spec.limits)
    honest = place.program("honest.honest", spec.limits, place.honest)
    pool = SessionPool(way.confinement())
    try:
        assert play_match(spec, (idler, honest), pool=pool).forfeits == ()
        begun = used(place)
        time.sleep(IDLE_SECONDS)
        assert used(place) - begun < MAX_SECONDS
    finally:
        pool.close()
    assert look(place.uids, place.place).left_since(before) == {}
