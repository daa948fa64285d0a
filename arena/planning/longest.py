"""The longest that a match can take by the rules of its game and by its clocks.

That is on a host with nothing else to do: where others have the processor a clock stands still, and a match
that is void for it is played once more (`workers.play.clock`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Game, play_all
from workers.core.contract import Limits, Policy, TimeControl
from workers.play.policy import policy_of

OVERHEAD_SECONDS = 5.0
"""What is allowed for a match besides its clocks: two bots are ended, in up to 1.5 s each, and messages"""


def most_answers(game: Game[Any], opening: Sequence[str] = (), policy: Policy | None = None) -> int:
    """How many answers can be asked for at most, of both bots together, after `opening`.

    Raises:
        GameError: the opening cannot be played.
    """
    turns = game.most_turns(play_all(game, opening))
    limit = policy_of(game, policy or Policy()).max_plies
    bounds = [turns, None if limit is None else max(0, limit - len(opening))]
    return min(bound for bound in bounds if bound is not None)


def answering_ms(control: TimeControl, answers: int) -> int:
    """The longest that one bot can take for so many answers without losing on time, grace included.

    Its bank is empty after the first answer and what each answer adds is used up by the next; so an extension
    is worth the more the less would be in the bank, and which answers get one decides what they are worth.
    """
    if answers == 0:
        return 0
    bank = control.bank_ms or 0
    increment = control.increment_ms if control.bank_ms is not None else 0
    ordinary = answers * (control.move_ms + control.grace_ms) + bank + (answers - 1) * increment
    first = max(0, control.extension_ms - control.move_ms - bank)
    later = max(0, control.extension_ms - control.move_ms - increment)
    gains = [later * min(control.extensions, answers - 1)]
    if control.extensions:
        gains.append(first + later * min(control.extensions - 1, answers - 1))
    return ordinary + max(gains)


def longest_match(control: TimeControl, limits: Limits, answers: int) -> float:
    """The longest that a match of so many answers can take, in seconds, however they fall to the two bots."""
    most = limits.wall_seconds * 1000
    takes = [min(most, answering_ms(control, count)) for count in range(answers + 1)]
    answering = max(takes[count] + takes[answers - count] for count in range(answers // 2 + 1))
    return (answering + 2 * control.startup_ms) / 1000 + OVERHEAD_SECONDS
