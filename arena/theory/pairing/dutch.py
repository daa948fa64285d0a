"""A round by the FIDE Dutch system (FIDE Handbook C.04.3, as of February 2026).

Brackets are paired by py4swiss, which knows the rules as they were before. What has changed since is done
here: how a bracket leaves the rest to be paired (criteria C4 and C8), who has the bye (C5 and C9), and what
counts as a float (`Record`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

from py4swiss.dynamicuint import DynamicUint
from py4swiss.engines.common import ColorPreference, ColorPreferenceSide, ColorPreferenceStrength
from py4swiss.engines.common import Float as Floated
from py4swiss.engines.dutch import Engine
from py4swiss.engines.dutch.bracket import Bracket, BracketPairer
from py4swiss.engines.dutch.bracket.bracket_matcher import BracketMatcher
from py4swiss.engines.dutch.criteria import QUALITY_CRITERIA
from py4swiss.engines.dutch.criteria.quality import C7
from py4swiss.engines.dutch.player import Player, PlayerRole
from py4swiss.engines.dutch.validity_matcher import ValidityMatcher

from arena.theory.pairing.record import Float, Record

Pairs: TypeAlias = list[tuple[Player, Player]]
"""In the order of the boards, the one with the first move first; who has the bye is paired with itself."""

POINT = 10
"""What the library takes a won game for."""

FLOATS = {Float.UP: Floated.UP, Float.DOWN: Floated.DOWN, Float.NONE: Floated.NONE}
SIDES = {1: ColorPreferenceSide.WHITE, -1: ColorPreferenceSide.BLACK, 0: ColorPreferenceSide.NONE}


def pair(
    playing: Sequence[Record], number: int, length: int, win: int, *, odd_first: bool
) -> list[tuple[int, int | None]] | None:
    """The pairs of round `number` of `length`, in the order of the boards, a bye last.

    `win` is how many half points a round is worth at most. In the first round odd numbers have the first move
    if `odd_first`, and even ones if not. None where the absolute rules leave no way to pair everybody: nobody
    meets an opponent again, or one who must have the same colour (but for top scorers in the last round), or
    has a bye after a win without a game.
    """
    last = number == length
    field = _Field(playing, number, odd_first, win * (number - 1) // 2 if last else None)
    pairs = field.paired() if len(playing) % 2 == 0 else field.paired_with_bye()
    if pairs is None:
        return None
    return [(one.id, None if one == other else other.id) for one, other in pairs]


class _Field:
    """Those who play; in the last round who has more than `half` of the points is a top scorer."""

    def __init__(self, playing: Sequence[Record], number: int, odd_first: bool, half: int | None) -> None:
        self._playing, self._number, self._odd_first, self._half = playing, number, odd_first, half

    def paired_with_bye(self) -> Pairs | None:
        """The pairs, with the bye for one with as few points as may be (C5)."""
        able = [each for each in self._playing if not each.free]
        for points in sorted({each.half_points for each in able}):
            missed = {
                each.number: self._number - 1 - each.played for each in able if each.half_points == points
            }
            pairs = self.paired(missed)
            if pairs is not None:
                return pairs
        return None

    def paired(self, missed: Mapping[int, int] | None = None) -> Pairs | None:
        """The pairs; None if there are none.

        Where their number is odd, one of those in `missed`, who have the same points, has the bye; it says in
        how many rounds they did not play.
        """
        missed = missed or {}
        players = sorted((self._player(each, missed) for each in self._playing), reverse=True)
        matcher = ValidityMatcher(players, set())
        if not matcher.is_valid_matching():
            return None
        groups = [list(group) for _, group in groupby(players, key=attrgetter("points"))]
        all_pairs: Pairs = []
        floated: list[Player] = []
        for at, residents in enumerate(groups, start=1):
            below = [player for group in groups[at:] for player in group]
            for role, those in enumerate((below, residents, floated)):
                for player in those:
                    player.role = PlayerRole(role)
            bracket = Bracket.from_data(floated, residents, below, self._number, collapsed=False)
            graph = _Graph(bracket, matcher, {})
            if graph.keeps_bye():
                graph = _Graph(bracket, matcher, missed)
            pairs = Engine._get_bracket_pairs(_Pairer(bracket, matcher, graph, self._odd_first)) or []  # noqa: SLF001 - there is no other way
            paired = {player.id for pair in pairs for player in pair}
            floated = [player for player in floated + residents if player.id not in paired]
            all_pairs += pairs
        return sorted(all_pairs, key=Engine._get_player_pair_score, reverse=True)  # noqa: SLF001

    def _player(self, record: Record, may_sit_out: Container[int]) -> Player:
        before = [Float.NONE, Float.NONE, *record.floats]
        points = record.half_points * POINT // 2
        return Player(
            id=record.number,
            number=record.rank,
            points=points,
            points_with_acceleration=points,
            color_preference=_preference(record),
            color_difference=record.lead,
            color_double=_twice(record),
            float_1=FLOATS[before[-1]],
            float_2=FLOATS[before[-2]],
            opponents=record.opponents,
            colors=[seat == 1 for seat in record.seats],
            bye_received=record.number not in may_sit_out,
            top_scorer=self._half is not None and record.half_points > self._half,
        )


class _Graph(BracketMatcher):  # type: ignore[misc]  # py4swiss ships no types
    """The ways to pair a bracket: all who are left, so that those below it can be paired too (C4).

    `missed` says in how many rounds who may have the bye did not play: as few as can be who has it (C9).
    """

    def __init__(self, bracket: Bracket, matcher: ValidityMatcher, missed: Mapping[int, int]) -> None:
        self._missed, self._missed_bits = missed, sum(missed.values()).bit_length()
        self._following = bracket.lower_list[0].points if bracket.lower_list else 0
        super().__init__(bracket, matcher)

    def keeps_bye(self) -> bool:
        """Whether one of the bracket has the bye and nobody meets one from below it."""
        inside = [one for one in self.matching if one.role is not PlayerRole.LOWER]
        return len(inside) % 2 == 1 and all(self.matching[one].role is not PlayerRole.LOWER for one in inside)

    def _get_max_weight(self) -> DynamicUint:
        weight = super()._get_max_weight()
        weight.shift_grow(self._missed_bits + 2)  # two bits are to stay free
        weight >>= 2
        return weight

    def _get_weight(self, player_1: Player, player_2: Player) -> DynamicUint:
        weight = DynamicUint(self._zero_weight)
        both_floated = player_2.role is PlayerRole.MDP
        if both_floated or not self._validity_matcher.is_allowed_pair(player_1, player_2):
            return weight
        weight |= 1 + player_1.bye_received + player_2.bye_received
        near = player_2.points >= self._following
        for criterion in QUALITY_CRITERIA:
            weight <<= criterion.get_shift(self._bracket)
            if near:
                weight += criterion.get_weight(player_1, player_2, self._zero_weight, self._bracket)
            if criterion is C7:
                weight <<= self._missed_bits
                missed = self._missed.get(player_1.id, 0) + self._missed.get(player_2.id, 0)
                weight += self._zero_weight | missed
        weight <<= 3 * self._bracket.bracket_bits + 1
        return weight

    def _remove_weight(self, i: int, j: int) -> None:
        self._set_weight(i, j, self._zero_weight)


class _Pairer(BracketPairer):  # type: ignore[misc]  # py4swiss ships no types
    """The library's way from the best candidate to the pairs, in a graph of all who are left."""

    def __init__(
        self, bracket: Bracket, matcher: ValidityMatcher, graph: BracketMatcher, odd_first: bool
    ) -> None:
        self._bracket, self._validity_matcher, self._bracket_matcher = bracket, matcher, graph
        self._initial_color = odd_first
        self._num = len(bracket.mdp_list + bracket.resident_list + bracket.lower_list)
        self._heterogeneous_s1: list[Player] = []
        self._heterogeneous_s2: list[Player] = []
        self._homogeneous_s1: list[Player] = []
        self._homogeneous_s2: list[Player] = []
        self._exchanges = 0

    def check_completion_criterium(self) -> bool:
        """True, as no graph leaves somebody out."""
        return True


def _preference(record: Record) -> ColorPreference:
    """The colour that it should have next, and how strongly (article 1.7)."""
    lead, twice = record.lead, _twice(record)
    if not record.seats:
        wanted, strength = 0, ColorPreferenceStrength.NONE
    elif abs(lead) > 1 or twice:
        wanted, strength = (
            -record.seats[-1] if twice else -lead // abs(lead),
            ColorPreferenceStrength.ABSOLUTE,
        )
    elif lead:
        wanted, strength = -lead, ColorPreferenceStrength.STRONG
    else:
        wanted, strength = -record.seats[-1], ColorPreferenceStrength.MILD
    return ColorPreference(side=SIDES[wanted], strength=strength)


def _twice(record: Record) -> bool:
    """Whether it had the same colour in its last two games."""
    return len(record.seats) > 1 and record.seats[-1] == record.seats[-2]
