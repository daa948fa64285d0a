"""Whether the bot answers with a legal move in each position of `positions.jsonl`: python test_bot.py."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from arena_bot import Match, Request
from main import MyBot

POSITIONS = Path(__file__).parent / "positions.jsonl"


class TestBot(unittest.TestCase):
    """Add tests of your own: a position, and the move that has to be found."""

    def test_it_answers_with_legal_moves(self) -> None:
        """In all positions of a game."""
        hello, *asked = map(json.loads, POSITIONS.read_text(encoding="utf-8").splitlines())
        for message in asked:
            request = Request(message, Match(hello))
            with self.subTest(ply=request.ply):
                self.assertIn(MyBot().choose(request), request.legal)


if __name__ == "__main__":
    unittest.main()
