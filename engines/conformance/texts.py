"""Laws of reading and writing: moves as texts, states as JSON, and what is said where they cannot be read."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

from engines.conformance.case import Case, LawError, require
from engines.game import Game, GameError, UnreadableMoveError, UnreadableStateError, play_all

LONGEST_MOVE = 16
CHANGES: tuple[Callable[[str], str], ...] = (
    str.upper,
    str.title,
    " {}".format,
    "{} ".format,
    "{}\n".format,
    "{}0".format,
)


def its_identity_is_its_name_parameters_and_version(game: Game[Any]) -> None:
    """A game is found again from its parameters as JSON; its version counts from 1."""
    again = type(game)(**json.loads(json.dumps(game.params)))
    require(
        again == game and hash(again) == hash(game), f"with the parameters {again.params} it is another game"
    )
    require(again.params == game.params, f"the parameters {game.params} become {again.params}")
    require(type(game.version) is int and game.version >= 1, f"its version is {game.version!r}")


def it_is_told_in_every_language(game: Game[Any]) -> None:
    """Its title, rules, notation and parameters have words in each language of the pages."""
    from engines.games import find_presentation  # noqa: PLC0415 - only where it is tried

    presentation = find_presentation(game.name)
    told = {
        "title": presentation.title(game.params),
        "rules": presentation.rules(game),
        "notation": presentation.notation(game),
        **{f"parameter {name}": presentation.parameter(name) for name in game.params},
    }
    for what, words in told.items():
        require(words.english.strip() and words.chinese.strip(), f"the {what} is said in no words")


def an_unreadable_move_is_quoted_briefly(game: Game[Any]) -> None:
    """A text as long as a whole line does not flood the message that refuses it."""
    try:
        game.move_from_text("x" * 60_000)
    except UnreadableMoveError as error:
        require("'xxxx" in str(error), f"the error does not quote the move: {error}"[:200])
        require(len(str(error)) < 200, "the error is longer than 200 characters: quote 20 of the move")
    else:
        raise LawError("60,000 times x is read as a move")


def a_move_has_one_spelling(game: Game[Any]) -> None:
    """Capitals, spaces and further digits make a text unreadable, or another move."""
    for move in game.legal_moves(game.initial())[:8]:
        text = game.move_to_text(move)
        for changed in {change(text) for change in CHANGES} - {text}:
            with contextlib.suppress(UnreadableMoveError):
                require(game.move_from_text(changed) != move, f"{changed!r} is read as {text!r}")


def any_text_is_a_move_or_unreadable(game: Game[Any], case: Case) -> None:
    """A text either names a move in the one notation it has, or cannot be read."""
    with contextlib.suppress(UnreadableMoveError):
        text = game.move_to_text(game.move_from_text(case.text))
        require(text == case.text, f"{case.text!r} is read as {text!r}")


def moves_survive_text(game: Game[Any], case: Case) -> None:
    """Every legal move has a short printable text of its own that names it again."""
    for move in game.legal_moves(case.state(game)):
        text = game.move_to_text(move)
        require(game.move_from_text(text) == move, f"move {move} is written {text!r}, which is another")
        require(
            text.isascii() and text.isprintable() and 0 < len(text) <= LONGEST_MOVE,
            f"the move {text!r} is not of 1 to {LONGEST_MOVE} printable ASCII characters",
        )


def a_game_can_be_replayed_from_its_moves(game: Game[Any], case: Case) -> None:
    """The moves in notation alone lead to the same state again."""
    pairs = case.walk(game)
    texts = [game.move_to_text(move) for _, move in pairs[:-1]]
    try:
        replayed = play_all(game, texts)
    except GameError as error:
        raise LawError(f"the moves {' '.join(texts)[:100]} cannot be played again: {error}") from None
    require(replayed == pairs[-1][0], f"the moves {' '.join(texts)[:100]} lead to two states")


def states_survive_json(game: Game[Any], case: Case) -> None:
    """A state is the same after a round trip through JSON text, and its drawing is text."""
    state = case.state(game)
    text = json.dumps(game.state_to_json(state), allow_nan=False)
    again = game.state_from_json(json.loads(text))
    require(again == state and type(again) is type(state), f"the state {text} becomes another"[:200])
    require(
        game.legal_moves(again) == game.legal_moves(state) and game.to_move(again) == game.to_move(state),
        f"the state {text} has other moves when it is read"[:200],
    )
    require(game.draw(state).strip(), "draw gives an empty text")


def unreadable_states_are_refused(game: Game[Any], case: Case) -> None:
    """A state with a field missing or replaced by something else is refused, never misread."""
    good = game.state_to_json(case.state(game))
    for field in good:
        try:
            game.state_from_json({key: value for key, value in good.items() if key != field})
        except UnreadableStateError as error:
            require(field in str(error), f"the error for a missing {field} does not name it: {error}")
        else:
            raise LawError(f"a state without {field} is read")
        changed = {**good, field: case.value}
        try:
            state = game.state_from_json(changed)
        except UnreadableStateError:
            continue
        require(
            game.state_to_json(state) == changed,
            f"a state with {field}: {json.dumps(case.value)} is read as another"[:200],
        )


def states_keep_to_their_schema(game: Game[Any], case: Case) -> None:
    """What a bot is shown is what the schema says; neither a missing nor another field is."""
    import jsonschema_rs  # noqa: PLC0415 - only whoever tries laws needs it

    schema = jsonschema_rs.validator_for(game.state_schema())
    state = game.state_to_json(case.state(game))
    require(schema.is_valid(state), f"the schema does not allow {json.dumps(state)}"[:200])
    for field in state:
        without = {key: value for key, value in state.items() if key != field}
        require(not schema.is_valid(without), f"the schema does not require {field}")
        require(not schema.is_valid({**state, field: "nonsense"}), f"the schema allows nonsense for {field}")
    require(
        set(state) == set(game.state_schema()["properties"]), "the schema has other properties than states"
    )
