"""The reveal: it leads from any table to any other, one entry a step, and never takes a place back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.theory.standings.reveal import reveal
from arena.theory.standings.table import Row, Rules, Table, table
from arena.theory.standings.tally import Tally


def _table(points: dict[int, tuple[int, int]], expelled: frozenset[int] = frozenset()) -> Table:
    """A table of entries by half points and games."""
    rows = [
        Row(
            number, number, f"bot{number}", 1, "team",
            Tally(games=games, played=games, half_points=made),
            left_as="disqualified" if number in expelled else None,
        )
        for number, (made, games) in points.items()
    ]  # fmt: skip
    return table(rows, Rules(tiers={number: int(number in expelled) for number in points}, means=True))


def test_an_entry_rises_to_where_its_points_put_it() -> None:
    """The last one is shown first and rises; who is last then comes next; certain are those who stay."""
    frozen = _table({1: (6, 3), 2: (4, 3), 3: (2, 3)})
    final = _table({1: (6, 6), 2: (5, 6), 3: (8, 6)})
    first = reveal(frozen, final, 1)
    assert [line.standing.number for line in first.lines] == [3, 1, 2]
    assert (first.latest, first.before, first.after, first.next) == (3, 3, 1, 2)
    assert [line.place for line in first.lines] == [None, None, None]
    assert first.lines[0].gained == 3.0
    second = reveal(frozen, final, 2)
    assert [(line.standing.number, line.place) for line in second.lines] == [(3, None), (1, None), (2, 3)]
    third = reveal(frozen, final, 3)
    assert [(line.standing.number, line.place) for line in third.lines] == [(3, 1), (1, 2), (2, 3)]
    assert third.next is None


COUNTS = st.tuples(st.integers(0, 12), st.integers(6, 12))


@given(
    st.integers(1, 9).flatmap(
        lambda count: st.tuples(
            st.lists(COUNTS, min_size=count, max_size=count), st.lists(COUNTS, min_size=count, max_size=count)
        )
    ),
    st.integers(0, 9),
    st.frozensets(st.integers(1, 9)),
)
def test_every_reveal_comes_to_the_final_table(
    made: tuple[list[tuple[int, int]], list[tuple[int, int]]], late: int, expelled: frozenset[int]
) -> None:
    """Whatever was hidden or taken: a step shows one more, what is certain stays, and all comes right."""
    then, now = (dict(enumerate(side, start=1)) for side in made)
    frozen = _table({number: each for number, each in then.items() if number <= max(1, len(then) - late)})
    final = _table(now, expelled)
    certain: dict[int, int] = {}
    for step in range(len(now) + 1):
        told = reveal(frozen, final, step)
        assert sorted(line.standing.number for line in told.lines) == sorted(now)
        assert sum(line.shown for line in told.lines) == step
        places = {line.standing.number: line.place for line in told.lines if line.place is not None}
        assert certain.items() <= places.items()
        certain = places
    assert [line.standing for line in told.lines] == list(final.standings)
    assert certain == {line.number: line.rank for line in final.standings}
