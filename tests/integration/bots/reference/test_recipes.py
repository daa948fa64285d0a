"""How the champion's weights were made: a recipe beside each file of them, which makes it again."""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bots.reference.champion
from engines.games import find_game
from engines.strategies.reversi_training import Training

FOLDER = Path(bots.reference.champion.__path__[0])
WEIGHTS = sorted(FOLDER.glob("*.weights"))


def recipe_of(weights: Path) -> dict[str, Any]:
    """What `arena train` wrote when it made that file."""
    recipe: dict[str, Any] = json.loads((FOLDER / "recipes" / f"{weights.stem}.json").read_text())
    return recipe


def test_every_board_and_rule_has_weights() -> None:
    """The boards are 4, 6 and 8 squares a side, by either rule, and each file has a recipe."""
    names = {f"{size}-{rule}" for size in (4, 6, 8) for rule in ("fewest", "most")}
    assert {path.stem for path in WEIGHTS} == names
    assert {f"{stem}.json" for stem in names} == {
        path.name for path in (FOLDER / "recipes").iterdir() if not path.name.endswith(".book.json")
    }


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_a_recipe_is_of_its_weights(weights: Path) -> None:
    """It has their checksum, their board and rule, and versions of rules and engine that stand here."""
    recipe = recipe_of(weights)
    assert recipe["weights"]["sha256"] == hashlib.sha256(weights.read_bytes()).hexdigest()
    game = find_game(recipe["game"], recipe["params"])
    assert f"{game.params['size']}-{'fewest' if game.params['reversed'] else 'most'}" == weights.stem
    assert (recipe["rules"], recipe["engine"]) == (game.version, Training.version)


@pytest.mark.parametrize("rule", ["fewest", pytest.param("most", marks=pytest.mark.long)])
def test_a_recipe_makes_its_weights_again(tmp_path: Path, rule: str) -> None:
    """On the smallest board the command that it names writes the same bytes, and tells the same of them."""
    weights = FOLDER / f"4-{rule}.weights"
    recipe = recipe_of(weights)
    program, *words = shlex.split(recipe["command"])
    assert (program, words[-2:]) == ("arena", ["--out", "FOLDER"])
    command = [str(Path(sys.executable).with_name(program)), *words[:-1], str(tmp_path / "again")]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "again" / "weights.bin").read_bytes() == weights.read_bytes()
    made = json.loads((tmp_path / "again" / "recipe.json").read_text())
    assert made == recipe | {"arena": made["arena"]}
