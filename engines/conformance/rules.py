"""Laws of play: what a game is, its moves, its ends, and the bounds that it tells of itself."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from engines.conformance.case import Case, LawError, require
from engines.game import Game, IllegalMoveError, Outcome, ParameterError

WRONG: tuple[Any, ...] = (None, "8", 2.5, {}, [])
"""What no parameter is."""


def it_is_frozen(game: Game[Any]) -> None:
    """Nobody can change the rules of a game in use."""
    for field in dataclasses.fields(game):  # type: ignore[arg-type]  # games are dataclasses
        try:
            setattr(game, field.name, getattr(game, field.name))
        except dataclasses.FrozenInstanceError:
            continue
        raise LawError(f"{field.name} can be set: write @dataclass(frozen=True)")


def parameters_of_the_wrong_kind_are_refused(game: Game[Any]) -> None:
    """No parameter takes a null, a text, a fraction, an object or an empty list; the error names it.

    Only one that may be left unsaid takes a null.
    """
    unsaid = {field.name for field in dataclasses.fields(game) if field.default is None}  # type: ignore[arg-type]  # games are dataclasses
    for name in game.parameters:
        for wrong in WRONG[1:] if name in unsaid else WRONG:
            try:
                type(game)(**{**game.parameters, name: wrong})
            except ParameterError as error:
                require(
                    name.rstrip("s") in str(error), f"the error for a wrong {name} does not name it: {error}"
                )
            else:
                raise LawError(f"{name}={wrong!r} is taken; raise ParameterError in __post_init__")


def seat_0_moves_first(game: Game[Any]) -> None:
    """A game begins with seat 0, unfinished and without a forced pass."""
    start = game.initial()
    require(game.to_move(start) == 0, f"seat {game.to_move(start)} moves first")
    require(game.outcome(start) is None, "the game is over before the first move")
    require(game.forced_pass(start) is None, "the first move is a forced pass")


def rules_and_notation_are_told(game: Game[Any]) -> None:
    """A player can read how the game goes and how its moves are written, in a few sentences."""
    for name, text in (("rules", game.rules), ("notation", game.notation)):
        require(
            text == " ".join(text.split()), f"{name} has line breaks, or several blanks beside each other"
        )
        require(text.endswith("."), f"{name} does not end with a full stop")


def a_drawn_match_has_a_score_that_is_nobodys(game: Game[Any]) -> None:
    """Equal numbers, not beyond those that a forfeit books."""
    (first, second), forfeit = game.draw_score(), game.forfeit_score(0)
    require(first == second, f"draw_score is {first} to {second}")
    require(
        min(forfeit) <= first <= max(forfeit), f"draw_score has {first}, beyond the {forfeit} of a forfeit"
    )


def legal_moves_are_sorted_and_unique(game: Game[Any], case: Case) -> None:
    """The legal moves are a strictly ascending tuple of integers, the same whenever asked."""
    state = case.state(game)
    moves = game.legal_moves(state)
    require(
        isinstance(moves, tuple) and all(type(move) is int for move in moves),
        f"legal_moves is no tuple of integers: {moves!r}"[:200],
    )
    require(list(moves) == sorted(set(moves)), f"legal_moves does not ascend: {moves}"[:200])
    require(game.legal_moves(state) == moves, "legal_moves differs when it is asked twice")


def every_legal_move_is_among_all_moves(game: Game[Any], case: Case) -> None:
    """Where a game tells every move that there is, they ascend, and each legal move is one of them."""
    every = game.every_move()
    if every is None:
        return
    require(list(every) == sorted(set(every)), "every_move does not ascend")
    missing = set(game.legal_moves(case.state(game))) - set(every)
    require(not missing, f"every_move lacks {sorted(missing)}, which are legal"[:200])


def over_means_no_legal_move_and_an_outcome(game: Game[Any], case: Case) -> None:
    """A game has an outcome exactly when it has no legal move."""
    for state, _ in case.walk(game):
        legal, outcome = game.legal_moves(state), game.outcome(state)
        require(
            (outcome is None) == bool(legal), f"the outcome is {outcome} and {len(legal)} moves are legal"
        )


def the_winner_has_the_better_score(game: Game[Any], case: Case) -> None:
    """A random game ends, and its winner is the one whose score is the better; equal scores are a draw."""
    outcome = _ended(game, case)
    first, second = outcome.score
    require(
        outcome.reason.replace("_", "").isalpha(), f"the reason {outcome.reason!r} is not of letters and _"
    )
    better = 0 if (first < second) == (game.score_sense == "fewest") else 1
    winner = None if first == second else better
    require(outcome.winner == winner, f"with {first} to {second} the winner is {outcome.winner}")


def a_running_score_ends_as_the_score(game: Game[Any], case: Case) -> None:
    """Where a score can be read off in the midst of a game, that of the end is the outcome's."""
    running, score = game.running_score(case.end(game)), _ended(game, case).score
    require(running in {None, score}, f"running_score is {running} at the end, and the score {score}")


def a_forfeit_is_the_widest_margin(game: Game[Any], case: Case) -> None:
    """No finished game has a wider margin than a forfeit, and the loser's score is the worse one."""
    outcome = _ended(game, case)
    for loser in (0, 1):
        forfeit = game.forfeit_score(loser)
        margin = forfeit[loser] - forfeit[1 - loser]
        require(
            margin and (margin > 0) == (game.score_sense == "fewest"),
            f"the loser's score is the better one where seat {loser} forfeits: {forfeit}",
        )
        require(
            abs(margin) >= abs(outcome.score[0] - outcome.score[1]),
            f"a game ended {outcome.score}, wider than the forfeit {forfeit}",
        )
    require(game.forfeit_score(0) == game.forfeit_score(1)[::-1], "a forfeit differs from seat to seat")


def playing_changes_nothing_but_the_result(game: Game[Any], case: Case) -> None:
    """`play` leaves its state as it was and gives the same new state every time."""
    state = case.state(game)
    before = repr(state), hash(state)
    for move in game.legal_moves(state)[:5]:
        after, again = game.play(state, move), game.play(state, move)
        require(after == again and hash(after) == hash(again), f"move {move} leads to two states")
        require(after != state, f"move {move} leads to the state that it was played in")
    require((repr(state), hash(state)) == before, "play has changed the state that it was given")


def a_state_is_frozen_and_hashable(game: Game[Any], case: Case) -> None:
    """A state is a named tuple all the way down: it has no field that can be set."""
    state = case.state(game)
    fields = getattr(state, "_fields", None)
    if not isinstance(state, tuple) or fields is None:
        raise LawError(f"a state is a {type(state).__name__}, no named tuple")
    for name in fields:
        try:
            hash(getattr(state, name))
        except TypeError:
            raise LawError(f"{name} of a state cannot be hashed: use tuples") from None


def illegal_moves_are_refused(game: Game[Any], case: Case) -> None:
    """Whatever is not among the legal moves is an illegal move, small, large or negative."""
    state = case.state(game)
    legal = set(game.legal_moves(state))
    around = {move + step for move in legal for step in (-1, 1)}
    for move in {*list(around)[:50], *range(-3, 130), *case.numbers} - legal:
        try:
            game.play(state, move)
        except IllegalMoveError:
            continue
        raise LawError(f"move {move} is not legal, and is played")


def the_canonical_state_stands_for_the_state(game: Game[Any], case: Case) -> None:
    """It is a state of the game that stands for itself, with the same mover, end and ways to go on."""
    state = case.state(game)
    canonical = game.canonical(state)
    require(game.canonical(canonical) == canonical, "the canonical state has another canonical state")
    again = game.state_from_json(game.state_to_json(canonical))
    require(again == canonical, "the canonical state is none that state_from_json reads")
    require(game.to_move(canonical) == game.to_move(state), "in the canonical state the other seat moves")
    require(game.outcome(canonical) == game.outcome(state), "the canonical state has another outcome")
    after, after_canonical = (
        Counter(game.canonical(game.play(each, move)) for move in game.legal_moves(each))
        for each in (state, canonical)
    )
    require(after == after_canonical, "from the canonical state play goes on otherwise")


def only_a_game_that_says_so_comes_back_to_a_state(game: Game[Any], case: Case) -> None:
    """The states of a game that cannot repeat are all different; the others have a limit of plies."""
    states = [state for state, _ in case.walk(game, 200)]
    require(
        game.can_repeat or len(set(states)) == len(states), "a state came back, but can_repeat is not set"
    )
    require(
        game.can_repeat == (game.ply_limit is not None),
        "ply_limit goes with can_repeat, and only with that",
    )


def no_game_is_longer_than_it_says(game: Game[Any], case: Case) -> None:
    """A game that cannot repeat has a bound on its moves, and every move but a pass brings it down."""
    state = case.state(game)
    most = game.most_turns(state)
    require(
        (most is None) == game.can_repeat,
        f"most_turns is {most}: it is a bound on the moves left, None only with can_repeat",
    )
    if most is None:
        return
    passes = game.forced_pass(state) is not None
    require(game.outcome(state) is not None or most > 0 or passes, f"most_turns is {most}, but play goes on")
    for move in game.legal_moves(state):
        after = game.most_turns(game.play(state, move))
        require(
            after is not None and 0 <= after <= most - (not passes),
            f"most_turns goes from {most} to {after} with move {move}",
        )


def a_forced_pass_is_the_only_legal_move(game: Game[Any], case: Case) -> None:
    """Where a pass must be played there is nothing to choose, and the turn goes to the other seat."""
    for state, _ in case.walk(game):
        forced = game.forced_pass(state)
        if forced is not None:
            legal = game.legal_moves(state)
            require(legal == (forced,), f"the pass {forced} is forced, and {legal} are legal"[:200])
            require(
                game.to_move(game.play(state, forced)) != game.to_move(state),
                "after a forced pass the same seat moves",
            )


def _ended(game: Game[Any], case: Case) -> Outcome:
    """How a random game ended.

    Raises:
        LawError: it did not.
    """
    outcome = game.outcome(case.end(game))
    if outcome is None:
        raise LawError("a random game has not ended after 100,000 plies")
    return outcome
