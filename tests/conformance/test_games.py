"""Laws that every registered game keeps, with every representative set of parameters."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections import Counter
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import (
    Game,
    IllegalMoveError,
    ParameterError,
    UnknownGameError,
    UnreadableMoveError,
    UnreadableStateError,
    play_all,
)
from engines.games import GAMES as REGISTERED
from engines.games import find_game
from tests.conformance.games import GAMES, PARAMETERS, PLIES, SEEDS, label, position, walk

every_game = pytest.mark.parametrize("game", GAMES, ids=label)
few = settings(max_examples=25, deadline=None)


def test_every_registered_game_is_tried() -> None:
    """No game can be registered without standing before these laws."""
    assert set(PARAMETERS) == set(REGISTERED)
    assert all(name == game.name for name, game in REGISTERED.items())


@every_game
def test_a_games_identity_is_its_name_parameters_and_version(game: Game[Any]) -> None:
    """A game is found again from its name and its parameters as JSON; its version counts from 1."""
    again = find_game(game.name, json.loads(json.dumps(game.params)))
    assert again == game
    assert hash(again) == hash(game)
    assert again.params == game.params
    assert type(game.version) is int
    assert game.version >= 1


@every_game
def test_a_game_is_frozen(game: Game[Any]) -> None:
    """Nobody can change the rules of a game in use."""
    for field in dataclasses.fields(game):  # type: ignore[arg-type]  # games are dataclasses
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(game, field.name, getattr(game, field.name))


@every_game
def test_parameters_that_do_not_exist_are_refused(game: Game[Any]) -> None:
    """An unknown parameter is an error that lists the known ones, not something to ignore."""
    with pytest.raises(ParameterError, match="has no parameter 'nonsense'; it has"):
        find_game(game.name, {**game.params, "nonsense": 1})


@every_game
@pytest.mark.parametrize("wrong", [None, "8", 2.5, {}, []])
def test_parameters_of_the_wrong_kind_are_refused(game: Game[Any], wrong: object) -> None:
    """No parameter takes a null, a text, a fraction, an object or an empty list."""
    for name in game.params:
        with pytest.raises(ParameterError, match=name.rstrip("s")):
            find_game(game.name, {**game.params, name: wrong})


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    """Whoever misspells a game reads which there are."""
    with pytest.raises(UnknownGameError, match="'chess'; the games are circle_nim, heap_nim, l_game"):
        find_game("chess")


@every_game
def test_seat_0_moves_first(game: Game[Any]) -> None:
    """Every game begins with seat 0, unfinished and without a forced pass."""
    start = game.initial()
    assert game.to_move(start) == 0
    assert game.outcome(start) is None
    assert game.forced_pass(start) is None


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_legal_moves_are_sorted_and_unique(game: Game[Any], seed: int, plies: int) -> None:
    """The legal moves are a strictly ascending tuple of integers, the same whenever asked."""
    state = position(game, seed, plies)
    moves = game.legal_moves(state)
    assert isinstance(moves, tuple)
    assert all(type(move) is int for move in moves)
    assert list(moves) == sorted(set(moves))
    assert game.legal_moves(state) == moves


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_over_means_no_legal_move_and_an_outcome(game: Game[Any], seed: int, plies: int) -> None:
    """A game has an outcome exactly when it has no legal move."""
    for state, _ in walk(game, seed, plies):
        assert (game.outcome(state) is None) == bool(game.legal_moves(state))


@every_game
@few
@given(seed=SEEDS)
def test_a_random_game_ends_with_a_consistent_outcome(game: Game[Any], seed: int) -> None:
    """The winner is the one whose score is the better; equal scores are a draw."""
    outcome = game.outcome(position(game, seed, 100_000))
    assert outcome is not None
    first, second = outcome.score
    assert outcome.reason.replace("_", "").isalpha()
    if first == second:
        assert outcome.winner is None
    else:
        higher = 0 if first > second else 1
        assert outcome.winner == (1 - higher if game.score_sense == "fewest" else higher)


@every_game
@few
@given(seed=SEEDS)
def test_a_forfeit_is_the_widest_margin(game: Game[Any], seed: int) -> None:
    """No finished game has a wider margin than a forfeit, and the loser's score is the worse one."""
    outcome = game.outcome(position(game, seed, 100_000))
    assert outcome is not None
    for loser in (0, 1):
        forfeit = game.forfeit_score(loser)
        for_loser = forfeit[loser] - forfeit[1 - loser]
        assert (for_loser > 0) == (game.score_sense == "fewest")
        assert abs(for_loser) >= abs(outcome.score[0] - outcome.score[1])
    assert game.forfeit_score(0) == game.forfeit_score(1)[::-1]


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_playing_changes_nothing_but_the_result(game: Game[Any], seed: int, plies: int) -> None:
    """`play` leaves its state as it was and gives the same new state every time."""
    state = position(game, seed, plies)
    before = json.dumps(game.state_to_json(state))
    for move in game.legal_moves(state)[:5]:
        after = game.play(state, move)
        assert after == game.play(state, move)
        assert after != state
        assert hash(after) == hash(game.play(state, move))
    assert json.dumps(game.state_to_json(state)) == before


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_a_state_is_frozen_and_hashable(game: Game[Any], seed: int, plies: int) -> None:
    """A state is a named tuple all the way down: it has no field that can be set."""
    state = position(game, seed, plies)
    hash(state)
    for field in state._fields:
        with pytest.raises(AttributeError):
            setattr(state, field, None)


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_states_survive_json(game: Game[Any], seed: int, plies: int) -> None:
    """A state is the same after a round trip through JSON text, and its drawing is text."""
    state = position(game, seed, plies)
    text = json.dumps(game.state_to_json(state), allow_nan=False)
    again = game.state_from_json(json.loads(text))
    assert again == state
    assert type(again) is type(state)
    assert game.legal_moves(again) == game.legal_moves(state)
    assert game.to_move(again) == game.to_move(state)
    assert game.draw(state).strip()


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_moves_survive_text(game: Game[Any], seed: int, plies: int) -> None:
    """Every legal move has a short printable text of its own that names it again."""
    legal = game.legal_moves(position(game, seed, plies))
    texts = [game.move_to_text(move) for move in legal]
    assert [game.move_from_text(text) for text in texts] == list(legal)
    assert all(text.isascii() and text.isprintable() and 0 < len(text) <= 16 for text in texts)


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_a_game_can_be_replayed_from_its_moves(game: Game[Any], seed: int, plies: int) -> None:
    """The moves in notation alone lead to the same state again."""
    pairs = walk(game, seed, plies)
    texts = [game.move_to_text(move) for _, move in pairs[:-1]]
    assert play_all(game, texts) == pairs[-1][0]


@every_game
@few
@given(seed=SEEDS, plies=PLIES, numbers=st.lists(st.integers(-(2**70), 2**70), max_size=5))
def test_illegal_moves_are_refused(game: Game[Any], seed: int, plies: int, numbers: list[int]) -> None:
    """Whatever is not among the legal moves is an illegal move, small, large or negative."""
    state = position(game, seed, plies)
    legal = set(game.legal_moves(state))
    around = {move + step for move in legal for step in (-1, 1)}
    for move in {*list(around)[:50], *range(-3, 130), *numbers} - legal:
        with pytest.raises(IllegalMoveError):
            game.play(state, move)


@every_game
@few
@given(text=st.text(max_size=8))
def test_any_text_is_a_move_or_unreadable(game: Game[Any], text: str) -> None:
    """A text either names a move in the one notation it has, or cannot be read."""
    with contextlib.suppress(UnreadableMoveError):
        assert game.move_to_text(game.move_from_text(text)) == text


@every_game
def test_an_unreadable_move_is_quoted_briefly(game: Game[Any]) -> None:
    """A text as long as a whole line does not flood the message that refuses it."""
    with pytest.raises(UnreadableMoveError) as caught:
        game.move_from_text("x" * 60_000)
    assert "'xxxx" in str(caught.value)
    assert len(str(caught.value)) < 200


@every_game
@pytest.mark.parametrize(
    "change", [str.upper, str.title, " {}".format, "{} ".format, "{}\n".format, "{}0".format]
)
def test_a_move_has_one_spelling(game: Game[Any], change: Any) -> None:
    """Capitals, spaces and further digits make a text unreadable, or another move."""
    for move in game.legal_moves(game.initial())[:8]:
        text = game.move_to_text(move)
        changed = change(text)
        if changed == text:
            continue
        with contextlib.suppress(UnreadableMoveError):
            assert game.move_from_text(changed) != move


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@every_game
@few
@given(seed=SEEDS, plies=PLIES, wrong=JSON_VALUES)
def test_unreadable_states_are_refused(game: Game[Any], seed: int, plies: int, wrong: Any) -> None:
    """A state with a field missing or replaced by something else is refused, never misread."""
    good = game.state_to_json(position(game, seed, plies))
    for field in good:
        with pytest.raises(UnreadableStateError, match=field):
            game.state_from_json({key: value for key, value in good.items() if key != field})
        changed = {**good, field: wrong}
        try:
            state = game.state_from_json(changed)
        except UnreadableStateError:
            continue
        assert game.state_to_json(state) == changed


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_states_keep_to_their_schema(game: Game[Any], seed: int, plies: int) -> None:
    """What a bot is shown is what the schema says; neither a missing nor another field is."""
    schema = jsonschema_rs.validator_for(game.state_schema())
    state = game.state_to_json(position(game, seed, plies))
    assert schema.is_valid(state)
    for field in state:
        assert not schema.is_valid({key: value for key, value in state.items() if key != field})
        assert not schema.is_valid({**state, field: "nonsense"})
    assert set(state) == set(game.state_schema()["properties"])


@every_game
def test_rules_and_notation_are_told(game: Game[Any]) -> None:
    """A player can read how the game goes and how its moves are written, in a few sentences."""
    for text in (game.rules, game.notation):
        assert text == " ".join(text.split())
        assert text.endswith(".")


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_the_canonical_state_stands_for_the_state(game: Game[Any], seed: int, plies: int) -> None:
    """It is a state of the game that stands for itself, with the same mover, end and ways to go on."""
    state = position(game, seed, plies)
    canonical = game.canonical(state)
    assert game.canonical(canonical) == canonical
    assert game.state_from_json(game.state_to_json(canonical)) == canonical
    assert game.to_move(canonical) == game.to_move(state)
    assert game.outcome(canonical) == game.outcome(state)
    after, after_canonical = (
        Counter(game.canonical(game.play(each, move)) for move in game.legal_moves(each))
        for each in (state, canonical)
    )
    assert after == after_canonical


@every_game
@few
@given(seed=SEEDS)
def test_only_a_game_that_says_so_comes_back_to_a_state(game: Game[Any], seed: int) -> None:
    """The states of a game that cannot repeat are all different; the others have a limit of plies."""
    states = [state for state, _ in walk(game, seed, 200)]
    assert game.can_repeat or len(set(states)) == len(states)
    assert game.can_repeat == (game.ply_limit is not None)


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_no_game_is_longer_than_it_says(game: Game[Any], seed: int, plies: int) -> None:
    """A game that cannot repeat has a bound on its moves, and every move but a pass brings it down."""
    state = position(game, seed, plies)
    most = game.most_turns(state)
    assert (most is None) == game.can_repeat
    if most is None:
        return
    assert game.outcome(state) is not None or most > 0 or game.forced_pass(state) is not None
    for move in game.legal_moves(state):
        after = game.most_turns(game.play(state, move))
        assert after is not None
        assert 0 <= after <= most - (game.forced_pass(state) is None)


@every_game
def test_a_drawn_match_has_a_score_that_is_nobodys(game: Game[Any]) -> None:
    """Equal numbers, not beyond those that a forfeit books."""
    first, second = game.draw_score()
    assert first == second
    assert min(game.forfeit_score(0)) <= first <= max(game.forfeit_score(0))


@every_game
@few
@given(seed=SEEDS, plies=PLIES)
def test_a_forced_pass_is_the_only_legal_move(game: Game[Any], seed: int, plies: int) -> None:
    """Where a pass must be played there is nothing to choose, and the turn goes to the other seat."""
    for state, _ in walk(game, seed, plies):
        forced = game.forced_pass(state)
        if forced is not None:
            assert game.legal_moves(state) == (forced,)
            assert game.to_move(game.play(state, forced)) != game.to_move(state)
