"""The sections of the five documents, made once with few games."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from arena.reproduction import circle_nim
from arena.reproduction.circle_nim import Played
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Section
from arena.reproduction.record_sets import Where
from arena.reproduction.running import _section

FEW = Effort(record_sets=3, set_games=3000, reversi_games=20, person_games=20)
HERE = Where(0, 2)


def no_counting(_name: str, _steps: int) -> object:
    """Progress that nobody looks at."""
    return contextlib.nullcontext(lambda: None)


@pytest.fixture(scope="session")
def played() -> Played:
    """Everything that circle Nim's section needs."""
    done: list[None] = []
    found = circle_nim.play(FEW, HERE, lambda: done.append(None))
    assert len(done) == circle_nim.steps(FEW)
    return found


@pytest.fixture(scope="session")
def section_of(request: pytest.FixtureRequest) -> Callable[[str], Section]:
    """The section of a document by name."""
    made: dict[str, Section] = {}

    def find(name: str) -> Section:
        if name == "circle_nim" and name not in made:
            made[name] = circle_nim.section(request.getfixturevalue("played"))
        elif name not in made:
            made[name] = _section(name, FEW, HERE, no_counting)  # type: ignore[arg-type]  # one that counts nothing
        return made[name]

    return find
