"""The worker's task that searches a position of a game that is solved: what it tells the trusted side."""

from __future__ import annotations

from typing import Any

import pytest

from engines.solvers.reversi_board import Position
from engines.solvers.reversi_search import Search
from tests.integration.workers.host.conftest import Sent, reports
from workers.core.contract import GameSpec
from workers.host import reporting, tasks
from workers.host.stopping import in_hand
from workers.solving import leaves
from workers.solving.contract import LeafAnswer, LeafSpec, written

START = Position(0x0240, 0x0420)
WHOLE = Position(0x204000, 0x108000)
"""The first positions of 4 by 4 squares, and of 6 by 7, which nobody finds out about in a test."""


def leaf(position: Position, at_least: int, size: int = 4, rows: int = 4) -> dict[str, Any]:
    """The arguments of the task."""
    game = GameSpec(name="reversed_reversi", params={"size": size, "rows": rows, "reversed": True})
    spec = LeafSpec(game=game, position=written(position), at_least=at_least, memory_mb=1)
    about = {"solve": 3, "leaf": 17, "attempt": 2, "token": "token"}
    return {"spec": spec.model_dump(mode="json"), **about}


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(("at_least", "reached"), [(3, True), (4, False)])
def test_a_searched_position_is_reported_once_with_its_token(
    sent: Sent, *, at_least: int, reached: bool
) -> None:
    """A sign of life at the start, then bounds that say whether the first player reaches 3 discs."""
    tasks.solve(**leaf(START, at_least))
    assert sent[0][0] == "arena.leaf_heartbeat"
    ((name, told),) = reports(sent)
    assert name == "arena.leaf"
    for _, kwargs in sent:
        about = kwargs["solve"], kwargs["leaf"], kwargs["attempt"], kwargs["token"]
        assert about == (3, 17, 2, "token")
    answer = LeafAnswer.model_validate(told["answer"])
    assert answer.low <= 3 <= answer.high
    assert (answer.low >= at_least, answer.high < at_least) == (reached, not reached)
    assert answer.nodes > 0


class Refusing:
    """Refusals of a broker that refuses everybody."""

    def refused(self, token: str) -> bool:
        """Whoever asks is refused."""
        return bool(token)


@pytest.mark.usefixtures("store")
def test_what_nobody_wants_is_broken_off(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that would take years ends once its sign of life is refused, and nothing is reported."""
    monkeypatch.setattr(reporting, "_refusals", Refusing)
    tasks.solve(**leaf(WHOLE, 1, size=6, rows=7))
    assert reports(sent) == []


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("changed", [{"game": {"name": "heap_nim"}}, {"position": "ff"}])
def test_what_cannot_be_searched_is_lost(sent: Sent, changed: dict[str, Any]) -> None:
    """Another game, or no position: the trusted side is told why."""
    told = leaf(START, 3)
    tasks.solve(**told | {"spec": told["spec"] | changed})
    ((name, lost),) = reports(sent)
    assert name == "arena.leaf_lost"
    assert lost["trouble"]


def test_the_table_is_kept_for_the_same_solve_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another position of it is searched with what is known; a minute later nothing is held for it."""
    made, now = list[object](), [0.0]

    def making(*sides: int, **about: Any) -> object:
        made.append(sides)
        return Search(*sides, **about)

    monkeypatch.setattr(leaves, "Search", making)
    kept = leaves.Leaves(lambda: now[0])
    spec = LeafSpec.model_validate(leaf(START, 3)["spec"])
    with in_hand() as halt:
        first = kept.search(spec, 3, halt)
        again = kept.search(spec, 3, halt)
        assert (len(made), again.nodes < first.nodes) == (1, True)
        kept.search(spec, 4, halt)
        now[0] = leaves.IDLE_SECONDS + 1
        kept.tidy()
        kept.search(spec, 4, halt)
    assert len(made) == 3
