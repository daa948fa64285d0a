"""Games that would be the same again: deterministic bots repeat themselves from the same position."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from arena.planning.monte_carlo import at_the_start, level, met
from arena.theory.pairing.contract import Meeting
from arena.theory.pairing.format import Format, FormatError, Planned
from arena.theory.pairing.knockout import Eliminating
from arena.theory.pairing.schedule import expand
from arena.theory.pairing.swiss import Swiss, SwissDutch

FEW = 12
"""So many entrants show how often two of them play the same game, whatever the number of all."""

MAX_OPENINGS = 10


class Offer(NamedTuple):
    """So many openings that no game is played twice, and how many matches there are then at most."""

    openings: int
    matches: int


def repeated(fmt: Format, count: int) -> int:
    """How often at most two bots play with the same seats from the same position; 1: never again.

    In a Swiss nobody meets twice, and of a ladder nothing can be said: who meets depends on the results.

    Raises:
        FormatError: the format cannot be played by so many.
    """
    if not isinstance(fmt, Planned | Eliminating):
        return 1
    fmt.check(count)
    try:
        fmt.check(min(count, FEW))
        count = min(count, FEW)
    except FormatError:  # groups need so many
        pass
    games: Counter[tuple[int, int, int]] = Counter()
    now, meetings, number = at_the_start(count), list[Meeting](), 1
    while (pairings := fmt.next_round(now.entrants, meetings, number, now.seed)) is not None:
        games.update((game.first, game.second, game.opening_number) for game in expand(pairings, number))
        meetings += [met(pairing, number, level) for pairing in pairings]
        number += 1
    return max(games.values(), default=1)


def may_repeat(fmt: Format, count: int) -> bool:
    """Whether two bots may meet again with the same seats from the same position.

    Raises:
        FormatError: the format cannot be played by so many.
    """
    if isinstance(fmt, Swiss | SwissDutch):
        return False
    return not isinstance(fmt, Planned | Eliminating) or repeated(fmt, count) > 1


def offer(make: Callable[[int], Format], count: int) -> Offer | None:
    """The fewest openings, given to `make`, with which no game is played twice.

    None where none help, and on a ladder, where the same two may meet as often as it likes.
    """
    if not isinstance(make(1), Planned | Eliminating):
        return None
    for openings in range(1, MAX_OPENINGS + 1):
        fmt = make(openings)
        if repeated(fmt, count) == 1:
            extent = fmt.extent(count)
            return None if extent is None else Offer(openings, extent.games_most)
    return None


class Played(NamedTuple):
    """A recorded match: its number, what makes it the same set-up as another one, and its moves."""

    number: int
    setting: tuple[int, int, tuple[str, ...]]
    moves: tuple[str, ...]


class Found(NamedTuple):
    """The numbers of matches that were the same move by move, and in how many set-ups they were not."""

    identical: tuple[tuple[int, ...], ...]
    different: int


def identical(played: Iterable[Played]) -> Found:
    """What matches with the same bots, seats and opening came to."""
    by_setting: dict[tuple[int, int, tuple[str, ...]], list[Played]] = defaultdict(list)
    for each in played:
        by_setting[each.setting].append(each)
    groups, different = [], 0
    for matches in by_setting.values():
        same = _by_moves(matches)
        groups += [tuple(numbers) for numbers in same if len(numbers) > 1]
        different += len(matches) > 1 and len(same) == len(matches)
    return Found(tuple(sorted(groups)), different)


def _by_moves(matches: Sequence[Played]) -> list[list[int]]:
    by_moves: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for match in sorted(matches):
        by_moves[match.moves].append(match.number)
    return list(by_moves.values())
