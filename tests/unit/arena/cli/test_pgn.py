"""`arena pgn ratings`: files of games, rated by every model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.interchange.pgn import PgnGame, write
from arena.theory.rating.models import MODELS
from tests.unit.arena.cli.conftest import Run

NASTY = '隊", [1] \\ \u0007'
RESULTS = [
    ("a", "b", "1-0"),
    ("b", "a", "1/2-1/2"),
    ("b", NASTY, "1-0"),
    (NASTY, "b", "1-0"),
    ("a", "b", "0-1"),
]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Five rated games in two files, with one that has no result."""
    texts = [write(PgnGame("cup", *game)) for game in [*RESULTS, ("x", "y", "*")]]
    paths = tmp_path / "one.pgn", tmp_path / "two.pgn"
    for path, part in zip(paths, (texts[:2], texts[2:]), strict=True):
        path.write_text("".join(part), encoding="utf-8-sig")
    return list(map(str, paths))


@pytest.mark.parametrize("model", MODELS)
def test_files_are_rated_by_every_model(run: Run, files: list[str], model: str) -> None:
    """Who has games with results is rated by all files together, under its whole name, around 0."""
    told = run("pgn", "ratings", *files, "--model", model, "--pairwise", "--json").json()
    assert told["model"] == model
    assert {line["bot"]: line["games"] for line in told["items"]} == {"a": 3, "b": 5, NASTY: 2}
    assert sum(line["rating"] for line in told["items"]) == pytest.approx(0, abs=0.002)
    assert [line["stronger_than"][0] is None for line in told["items"]] == [True, False, False]


@pytest.mark.parametrize("model", MODELS)
def test_the_order_of_the_games_changes_not_a_byte(run: Run, tmp_path: Path, model: str) -> None:
    """Equal ratings stand in the order of the names, perfect scores too, in whatever order of games."""
    games = [(a, b, end) for a in "cab" for b in "bca" if a != b for end in ("1-0", "0-1")]
    texts = [write(PgnGame("cup", *game)) for game in [*games, ("y", "a", "1-0"), ("x", "a", "1-0")]]
    path, told = tmp_path / "games.pgn", set()
    for start in range(0, len(texts), 3):
        path.write_text("".join(texts[start:] + texts[:start][::-1]))
        told.add(run("pgn", "ratings", str(path), "--model", model, "--json").out)
    assert len(told) == 1
    ratings = [(-line["rating"], line["bot"]) for line in json.loads(told.pop())["items"]]
    assert ratings == sorted(ratings)


def test_what_the_figures_rest_on_is_printed(run: Run, files: list[str]) -> None:
    """The first move's worth and what is said of draws, in the model's own terms."""
    out = run("pgn", "ratings", *files, "--model", "bayeselo-plain").out
    assert "moving first is worth +32.8 ± 0.0 Elo" in out
    assert "drawelo 97.3 ± 0.0 Elo" in out
    assert (
        "draws: 50.00% ± 0.00% between equals" in run("pgn", "ratings", *files, "--model", "ordo-plain").out
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no game of these files has a result"),
        (write(PgnGame("cup", "a", "a", "1-0")), "'a' plays itself"),
        ('[Event "cup"]\n\n*\n', "no tag White"),
    ],
)
def test_files_that_cannot_be_rated(run: Run, tmp_path: Path, text: str, told: str) -> None:
    """What is wrong with them is said."""
    (tmp_path / "bad.pgn").write_text(text)
    ran = run("pgn", "ratings", str(tmp_path / "bad.pgn"))
    assert ran.code == 2
    assert told in ran.err


def test_games_that_a_model_cannot_rate(run: Run, tmp_path: Path) -> None:
    """One win alone has no ratings by Ordo, which is said with what to do."""
    (tmp_path / "one.pgn").write_text(write(PgnGame("cup", "a", "b", "1-0")))
    ran = run("pgn", "ratings", str(tmp_path / "one.pgn"), "--model", "ordo")
    assert ran.code == 1
    assert "no ratings by Ordo" in ran.err


def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    """A file that is not there, or not UTF-8, is named."""
    (tmp_path / "latin.pgn").write_bytes(b'[White "M\xfcller"]')
    assert "latin.pgn is not UTF-8" in run("pgn", "ratings", str(tmp_path / "latin.pgn")).err
    assert "cannot be read" in run("pgn", "ratings", str(tmp_path / "none.pgn")).err
