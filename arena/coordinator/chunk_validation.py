"""Whether reported counts fit the chunk that they were reported for.

They come from hosts that run strangers' programs. The games cannot all be played again, but what they are
said to come to must add up, and lie within what so many games of this kind can come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from arena.coordinator.result_validation import MAX_REASON_CHARS, require, unreadable
from engines.game import Game
from engines.games import find_game
from workers.core.contract import FaultCode, Many
from workers.simulation.contract import Block, GameLine, SimulationSpec, Tally
from workers.simulation.counting import Played, block_of

MAX_REASONS = 20
MAX_PLIES = 100_000
MAX_MOVE_CHARS = 64

_BLOCKS = TypeAdapter(Many[Block])


def fit_blocks(
    payload: Sequence[Mapping[str, Any]], spec: SimulationSpec, start: int, count: int, *, cut: int
) -> tuple[Block, ...]:
    """The blocks in `payload`, checked against the chunk; they end at multiples of `cut`, if it is not 0.

    Raises:
        UnfitResultError: they are no blocks, or none of this chunk.
    """
    try:
        blocks = _BLOCKS.validate_python(payload)
    except ValidationError as error:
        raise unreadable("blocks", error) from None
    reached = start
    for block in blocks:
        require(block.start == reached, f"a block begins at game {block.start} where {reached} is next")
        whole = not cut or (block.end - 1) // cut == block.start // cut
        require(whole, f"the block from game {block.start} reaches over a multiple of {cut}")
        reached = block.end
    require(reached == start + count, f"they end at game {reached}, not {start + count}")
    game = find_game(spec.game.name, spec.game.params)
    for block in blocks:
        _check_tally(game, spec, block)
        _check_games(game, spec, block)
    return blocks


def _check_tally(game: Game[Any], spec: SimulationSpec, block: Block) -> None:
    tally, count = block.tally, block.count
    swapped = (block.end // 2 - block.start // 2) if spec.swap else 0
    require(sum(tally.results[1]) <= swapped, "more games with swapped seats than there are")
    require(sum(tally.results[0]) <= count - swapped, "more games with seats as named than there are")
    pairs = count // 2 if spec.swap else 0
    require(sum(tally.pairs) == pairs, f"{sum(tally.pairs)} pairs where there are {pairs}")
    require(tally.plies <= count * (spec.policy.max_plies or MAX_PLIES), "more plies than can be played")
    scores = [score for loser in (0, 1) for score in game.forfeit_score(loser)]
    low, high = count * min(scores), count * max(scores)
    require(all(low <= score <= high for score in tally.scores), "scores that no game can have")
    for player, forfeits in zip(spec.players, tally.forfeits, strict=True):
        require(player.strategy is None or forfeits == 0, f"{player.name} cannot forfeit")
    require(tally.double_forfeits <= min(tally.forfeits), "more double forfeits than forfeits")
    told = len(tally.ends) <= MAX_REASONS and all(0 < len(key) <= MAX_REASON_CHARS for key in tally.ends)
    require(told, "too many or too long reasons")


def _check_games(game: Game[Any], spec: SimulationSpec, block: Block) -> None:
    """Count recorded games again."""
    require(len(block.games) == (block.count if spec.record_games else 0), "not the games asked for")
    if not block.games:
        return
    for line in block.games:
        require(line.seats == ((1, 0) if spec.swapped(line.index) else (0, 1)), "seats are exchanged")
        require(len(line.moves) == line.plies, f"game {line.index} has not as many moves as plies")
        short = all(len(move) <= MAX_MOVE_CHARS and "\0" not in move for move in line.moves)
        require(short, f"game {line.index} has moves that are none")
    quiet = spec.model_copy(update={"record_games": False})
    again = block_of(quiet, game, block.start, map(_played, block.games)).tally
    require(_comparable(again) == _comparable(block.tally), "the games do not come to the tally")


def _played(line: GameLine) -> Played:
    both = (0, 1) if line.winner is None and line.reason in set(FaultCode) else ()
    return Played(list(line.moves), line.winner, line.reason, line.score, both)


def _comparable(tally: Tally) -> Tally:
    """`tally` without the forfeits of one side, which a game's line does not tell."""
    return tally.model_copy(update={"forfeits": (0, 0)})
