"""What `docs/protocol.md` shows is what the referee sends and accepts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from bots.protocol.messages import encode, parse_answer, parse_ready
from engines.game import play_all
from engines.games import GAMES, find_game
from workers.core.contract import Limits, TimeControl

PAGE = (Path(__file__).parents[4] / "docs" / "protocol.md").read_text()
SENT = [json.loads(line[2:]) for line in PAGE.splitlines() if line.startswith("→ ")]
ANSWERED = [line[2:].encode() for line in PAGE.splitlines() if line.startswith("← ")]


def test_the_transcript_is_a_real_one() -> None:
    """Positions and legal moves follow from the histories, answers are accepted, limits are the defaults."""
    hello, *requests, end = SENT
    ready, *answers = ANSWERED
    assert parse_ready(ready)
    assert hello["time"] == TimeControl().model_dump(exclude={"grace_ms"})
    assert hello["limits"] == Limits().model_dump(include=set(hello["limits"]))
    game = find_game(hello["game"]["name"], hello["game"]["params"])
    assert hello["game"]["params"] == game.params
    for request, answer in zip(requests, answers, strict=True):
        state = play_all(game, request["history"])
        assert request["state"] == game.state_to_json(state)
        assert request["legal"] == [game.move_to_text(move) for move in game.legal_moves(state)]
        assert request["ply"] == len(request["history"])
        assert parse_answer(answer, request["id"]).move in request["legal"]
    assert end["type"] == "end"


def test_the_bot_without_a_kit_plays() -> None:
    """The program on the page answers the transcript's questions."""
    found = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert found
    spoken = b"".join(map(encode, SENT))
    program = [sys.executable, "-S", "-c", found.group(1)]
    lines = subprocess.run(
        program, input=spoken, capture_output=True, timeout=600, check=True
    ).stdout.splitlines()
    assert parse_ready(lines[0]).name == "first-mover"
    assert parse_answer(lines[1], SENT[1]["id"]).move == "e3"


def test_every_game_has_its_section() -> None:
    """A registered game is on the page in its present version."""
    for name, row in GAMES.items():
        assert f"### `{name}` (version {row.rules.version})" in PAGE
