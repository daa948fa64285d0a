"""Each law refuses a game that breaks it; a game that keeps all of them is told so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import pytest

from engines import conformance
from engines.conformance import scenes, verdict, verdicts
from engines.game import (
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    ParameterError,
    Score,
    Seat,
    UnreadableMoveError,
    UnreadableStateError,
)

LAWS = {law.__name__: law for law in conformance.LAWS if law.__module__ != scenes.__name__}
"""Those of the rules; the boards' have their faults in `tests/unit/engines/test_scenes.py`."""


class Left(NamedTuple):
    """How many are left, and who takes."""

    left: int
    seat: int


@dataclass(frozen=True)
class Taking(Game[Left]):
    """One heap, of which one or two are taken; who takes the last wins."""

    name: ClassVar[str] = "taking"
    version: ClassVar[int] = 1
    rules: ClassVar[str] = "Take one or two. Who takes the last wins."
    notation: ClassVar[str] = "t1 takes one, t2 takes two."
    heap: int = 7

    def __post_init__(self) -> None:
        if type(self.heap) is not int or not 3 <= self.heap <= 50:
            raise ParameterError("heap must be a whole number from 3 to 50")

    def initial(self) -> Left:
        return Left(self.heap, 0)

    def to_move(self, state: Left) -> Seat:
        return 1 if state.seat else 0

    def legal_moves(self, state: Left) -> tuple[Move, ...]:
        return tuple(range(1, min(2, state.left) + 1))

    def play(self, state: Left, move: Move) -> Left:
        if move not in self.legal_moves(state):
            raise IllegalMoveError(f"there are no {move} to take")
        return Left(state.left - move, 1 - state.seat)

    def outcome(self, state: Left) -> Outcome | None:
        mover = self.to_move(state)
        return None if state.left else Outcome(0 if mover else 1, "took_last", self.forfeit_score(mover))

    def forfeit_score(self, loser: Seat) -> Score:
        return (1, 0) if loser else (0, 1)

    def most_turns(self, state: Left) -> int | None:
        return state.left

    def move_to_text(self, move: Move) -> str:
        return f"t{move}"

    def move_from_text(self, text: str) -> Move:
        if text not in {"t1", "t2"}:
            raise UnreadableMoveError(f"{text[:20]!r} is not t1 or t2")
        return int(text[1])

    def state_to_json(self, state: Left) -> dict[str, Any]:
        return {"left": state.left, "seat": state.seat}

    def state_from_json(self, value: Mapping[str, Any]) -> Left:
        for field, most in (("left", self.heap), ("seat", 1)):
            if type(value.get(field)) is not int or not 0 <= value[field] <= most:
                raise UnreadableStateError(f"{field} must be from 0 to {most}")
        return Left(value["left"], value["seat"])

    def state_schema(self) -> dict[str, Any]:
        numbers = {"left": {"type": "integer"}, "seat": {"enum": [0, 1]}}
        return {"type": "object", "properties": numbers, "required": ["left", "seat"]}

    def draw(self, state: Left) -> str:
        return f"{state.left} left"


def changed(*, frozen: bool = True, **changes: Any) -> Game[Any]:
    """The game with something changed."""
    return dataclass(frozen=frozen, eq=True, unsafe_hash=not frozen)(type("Broken", (Taking,), changes))()  # type: ignore[misc, no-any-return]


GOOD = Taking()


def passing(state: Left) -> int | None:
    """A pass that leaves the other move."""
    return 1 if state.left == 6 else None


@dataclass(frozen=True)
class Unfrozen:
    """A state that is no named tuple."""

    left: int = 7
    seat: int = 0


def of_self(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that does not ask its object."""
    return lambda _self, *arguments: function(*arguments)


@dataclass
class Loose:
    """A game's parameters that can be set."""

    heap: int = 7


BROKEN: dict[str, tuple[Any, str]] = {
    "its_identity_is_its_name_parameters_and_version": (changed(version=0), "its version is 0"),
    "it_is_frozen": (Loose(), "heap can be set"),
    "parameters_of_the_wrong_kind_are_refused": (
        changed(__post_init__=of_self(lambda: None)),
        "heap=None is taken",
    ),
    "rules_and_notation_are_told": (changed(rules="Take\none."), "rules has line breaks"),
    "it_is_told_in_every_language": (changed(notation=" "), "the notation is said in no words"),
    "seat_0_moves_first": (changed(initial=of_self(lambda: Left(7, 1))), "seat 1 moves first"),
    "a_drawn_match_has_a_score_that_is_nobodys": (
        changed(draw_score=of_self(lambda: (1, 0))),
        "draw_score is 1 to 0",
    ),
    "a_move_has_one_spelling": (
        changed(move_from_text=of_self(lambda text: GOOD.move_from_text(text.strip()))),
        "is read as 't1'",
    ),
    "an_unreadable_move_is_quoted_briefly": (
        changed(move_from_text=of_self(lambda text: GOOD.move_from_text("x") if not text else _loud(text))),
        "longer than 200",
    ),
    "a_state_is_frozen_and_hashable": (changed(initial=of_self(Unfrozen)), "a state is a Unfrozen"),
    "legal_moves_are_sorted_and_unique": (
        changed(legal_moves=of_self(lambda state: GOOD.legal_moves(state)[::-1])),
        "legal_moves does not ascend: (2, 1)",
    ),
    "every_legal_move_is_among_all_moves": (
        changed(every_move=of_self(lambda: (1,))),
        "every_move lacks [2], which are legal",
    ),
    "illegal_moves_are_refused": (
        changed(play=of_self(lambda state, move: Left(state.left - move, 1 - state.seat))),
        "is not legal, and is played",
    ),
    "playing_changes_nothing_but_the_result": (
        changed(play=of_self(lambda state, _move: state)),
        "leads to the state that it was played in",
    ),
    "over_means_no_legal_move_and_an_outcome": (
        changed(outcome=of_self(lambda state: GOOD.outcome(Left(0, state.seat)) if state.left < 3 else None)),
        "moves are legal",
    ),
    "the_winner_has_the_better_score": (changed(score_sense="fewest"), "the winner is"),
    "a_running_score_ends_as_the_score": (
        changed(running_score=of_self(lambda _state: (5, 5))),
        "running_score is (5, 5) at the end",
    ),
    "a_forfeit_is_the_widest_margin": (
        changed(outcome=of_self(lambda state: None if state.left else Outcome(0, "won", (9, 0)))),
        "wider than the forfeit",
    ),
    "only_a_game_that_says_so_comes_back_to_a_state": (
        changed(
            play=of_self(lambda state, move: GOOD.play(state, move)._replace(left=7 - state.left % 2)),
            most_turns=of_self(lambda _state: None),
        ),
        "can_repeat is not set",
    ),
    "no_game_is_longer_than_it_says": (
        changed(most_turns=of_self(lambda _state: 7)),
        "goes from 7 to 7 with move 1",
    ),
    "a_forced_pass_is_the_only_legal_move": (changed(forced_pass=of_self(passing)), "the pass 1 is forced"),
    "the_canonical_state_stands_for_the_state": (
        changed(canonical=of_self(lambda state: state._replace(seat=0))),
        "the other seat moves",
    ),
    "moves_survive_text": (changed(move_to_text=of_self(lambda _move: "t1")), "move 2 is written 't1'"),
    "any_text_is_a_move_or_unreadable": (
        changed(move_from_text=of_self(lambda _text: 1)),
        "is read as 't1'",
    ),
    "a_game_can_be_replayed_from_its_moves": (
        changed(move_from_text=of_self(lambda _text: 2)),
        "the moves t",
    ),
    "states_survive_json": (
        changed(state_from_json=of_self(lambda value: Left(value["left"], 0))),
        "becomes another",
    ),
    "unreadable_states_are_refused": (
        changed(state_from_json=of_self(lambda value: Left(value.get("left", 0), value.get("seat", 0)))),
        "a state without left is read",
    ),
    "states_keep_to_their_schema": (
        changed(state_schema=of_self(lambda: {"type": "object", "properties": {"left": {}, "seat": {}}})),
        "the schema does not require left",
    ),
}


def _loud(text: str) -> int:
    raise UnreadableMoveError(f"{text!r} is not t1 or t2")


def test_a_good_game_keeps_every_law() -> None:
    """Nothing is said of it, and every law is tried."""
    tried = verdicts(GOOD)
    assert [each.law for each in tried] == [law.__name__ for law in conformance.LAWS]
    assert [each for each in tried if each.broken] == []


def test_there_is_a_broken_game_for_every_law() -> None:
    """No law stands that was never seen to refuse anything."""
    assert list(BROKEN) == list(LAWS)


@pytest.mark.parametrize("law", LAWS)
def test_a_law_refuses_a_game_that_breaks_it(law: str) -> None:
    """In one sentence that says what is wrong."""
    game, why = BROKEN[law]
    broken = verdict(LAWS[law], game).broken
    assert broken is not None
    assert why in broken
    assert "\n" not in broken


def test_rules_that_fail_are_told_with_their_error() -> None:
    """A law in which something else goes wrong is broken too, and the error's kind is told."""
    failing = changed(draw=of_self(lambda _state: SimpleNamespace().nothing))
    (failed,) = (each for each in verdicts(failing) if each.broken)
    assert failed.law == "states_survive_json"
    assert str(failed.broken).startswith("AttributeError: ")
