"""The weights of `strong` are those that the fit makes."""

from __future__ import annotations

import hashlib
import shutil
from array import array

import pytest

from benchmarks.fit_strong import fit, is_there, settings
from bots.reference.weights import CORNER, FOLDER, STAGES, TABLES, file_name, load, mirrored, unpack
from engines.games.reversed_reversi import SIZES

TABLES_OF_ALL = [(size, fewest) for size in SIZES for fewest in (True, False)]
needs_compiler = pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("cc")), reason="no C compiler")


@pytest.mark.parametrize(("size", "fewest"), TABLES_OF_ALL)
def test_each_table_says_how_it_was_fitted(size: int, fewest: bool) -> None:
    """Its settings are the command's own, and its weights those that the fit signed."""
    file = FOLDER / file_name(size, fewest=fewest)
    told, body = unpack(file.read_bytes())
    assert is_there(file, settings(size, fewest=fewest))
    assert told["sha256"] == hashlib.sha256(body).hexdigest()


@needs_compiler
@pytest.mark.parametrize("fewest", [True, pytest.param(False, marks=pytest.mark.long)])
def test_the_fit_makes_the_same_weights_again(fewest: bool) -> None:
    """The whole fit of the smallest board, repeated, gives the bytes that are in use."""
    made = unpack(fit(settings(4, fewest=fewest), quiet=True))
    assert made == unpack((FOLDER / file_name(4, fewest=fewest)).read_bytes())


@needs_compiler
@pytest.mark.parametrize(
    ("size", "digest"),
    [
        (6, "9cfe9c8b2007c538"),
        pytest.param(8, "07a2531f3e5cd17b", marks=pytest.mark.long),
        pytest.param(10, "79db2550fcc0f325", marks=pytest.mark.long),
    ],
)
def test_the_program_is_the_one_that_fitted_the_other_boards(size: int, digest: str) -> None:
    """A few games of each board teach what they taught when the tables were made."""
    told = {**settings(size, fewest=True), "rounds": [[40, 2], [40, 2]]}
    assert unpack(fit(told, quiet=True))[0]["sha256"][:16] == digest


@pytest.mark.parametrize(("size", "fewest"), TABLES_OF_ALL)
def test_a_table_holds_every_stage(size: int, fewest: bool) -> None:
    """Each stage has a weight for every index, equal where a pattern is mirrored, and all tables."""
    stages = load(size, fewest=fewest)
    assert len(stages) == len(STAGES)
    for stage in stages:
        assert isinstance(stage.tables, array)
        assert len(stage.tables) == TABLES
        for pattern in (0, 2):
            weights = stage.patterns[pattern]
            assert all(weights[index] == weights[other] for index, other in enumerate(mirrored()))
    assert len(set(stages[-1].patterns[1])) > 10
    assert sorted(mirrored()) == list(range(CORNER))
