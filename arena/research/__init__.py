"""What a researcher calls from Python: games played and counted, solved, rated, and told as tables.

    from arena import research
    research.simulate("GAME", "perfect", "random", games=10_000, params={"rows": 4}).score.mean
    research.solve("GAME").positions().to_pandas()
    research.ratings("games.jsonl").to_pandas()
    research.moves("games.jsonl").write_parquet("moves.parquet")

docs/research.md describes all of it, and the games as environments, which are in `arena.environments`.
"""

from __future__ import annotations

from arena.local.columns import Table
from arena.local.record_tables import matches, moves
from arena.research.rating import Rated, Rating, ratings
from arena.research.simulating import Outcome, Simulated, simulate
from arena.research.solving import Solved, Worth, solve
from arena.theory.statistics.sprt import Sprt
from workers.core.contract import Policy

__all__ = [
    "Outcome",
    "Policy",
    "Rated",
    "Rating",
    "Simulated",
    "Solved",
    "Sprt",
    "Table",
    "Worth",
    "matches",
    "moves",
    "ratings",
    "simulate",
    "solve",
]
