"""A round by the FIDE Dutch system (FIDE Handbook C.04.3, as of February 2026).

Brackets are paired by py4swiss, which knows the rules as they were before. What has changed since is done
here: who has the bye (criteria C5 and C9), and what counts as a float (`Record`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from py4swiss.engines.common import ColorPreference, ColorPreferenceSide, ColorPreferenceStrength
from py4swiss.engines.common import Float as Floated
from py4swiss.engines.dutch import Engine
from py4swiss.engines.dutch.bracket import BracketPairer, Brackets
from py4swiss.engines.dutch.player import Player
from py4swiss.engines.dutch.validity_matcher import ValidityMatcher

from arena.pairing.record import Float, Record

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
    found = field.paired() if len(playing) % 2 == 0 else field.paired_with_bye()
    if found is None:
        return None
    return [(one.id, None if one == other else other.id) for one, other in found]


class _Field:
    """Those who play; in the last round who has more than `half` of the points is a top scorer."""

    def __init__(self, playing: Sequence[Record], number: int, odd_first: bool, half: int | None) -> None:
        self._playing, self._number, self._odd_first, self._half = playing, number, odd_first, half

    def paired_with_bye(self) -> Pairs | None:
        """The pairs, with the bye for one with as few points as may be (C5).

        Of several that leave pairs of the same points, it is one who has missed as few games as may be (C9).
        """
        able = [each for each in self._playing if not each.free]
        for points in sorted({each.half_points for each in able}):
            among = [each for each in able if each.half_points == points]
            found = self.paired(_numbers(among))
            if found is not None:
                return self._with_fewest_missed(among, found)
        return None

    def _with_fewest_missed(self, among: list[Record], found: Pairs) -> Pairs:
        (sitting,) = (one.id for one, other in found if one == other)
        missed = {each.number: self._number - 1 - each.played for each in among}
        for fewest in sorted(each for each in set(missed.values()) if each < missed[sitting]):
            again = self.paired({number for number in missed if missed[number] == fewest})
            if again is not None and _points(again) == _points(found):
                return again
        return found

    def paired(self, may_sit_out: Collection[int] = ()) -> Pairs | None:
        """The pairs, if one of these has the bye where their number is odd; None if that cannot be."""
        players = sorted((self._player(each, may_sit_out) for each in self._playing), reverse=True)
        matcher = ValidityMatcher(players, set())
        if not matcher.is_valid_matching():
            return None
        found: Pairs = []
        brackets = Brackets(players, self._number)
        while not brackets.is_finished():
            bracket = BracketPairer(brackets.get_current_bracket(), matcher, self._odd_first)
            pairs = Engine._get_bracket_pairs(bracket)  # noqa: SLF001 - there is no other way
            if pairs is None:
                brackets.collapse()
            else:
                brackets.apply_bracket_pairings(pairs)
                found += pairs
        return sorted(found, key=Engine._get_player_pair_score, reverse=True)  # noqa: SLF001

    def _player(self, record: Record, may_sit_out: Collection[int]) -> Player:
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


def _numbers(records: Sequence[Record]) -> set[int]:
    return {each.number for each in records}


def _points(pairs: Pairs) -> list[tuple[int, int]]:
    """The points of both in every pair."""
    return sorted(
        (one.points, other.points) if one.points < other.points else (other.points, one.points)
        for one, other in pairs
    )
