"""The laws that every game keeps, for its author to try: see `docs/adding-a-game.md`.

A law is a function that raises `LawError` with one sentence. Those of `OF_A_GAME` are given the game; those
of `OF_PLAY` also a `Case`: a random position, and what is tried in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engines.conformance import rules, scenes, texts
from engines.conformance.case import Case, LawError, drawn
from engines.game import Game

__all__ = ["LAWS", "OF_A_GAME", "OF_PLAY", "Case", "LawError", "Verdict", "verdict", "verdicts"]

OF_A_GAME: tuple[Callable[[Game[Any]], None], ...] = (
    texts.its_identity_is_its_name_parameters_and_version,
    rules.it_is_frozen,
    rules.parameters_of_the_wrong_kind_are_refused,
    rules.rules_and_notation_are_told,
    texts.it_is_told_in_every_language,
    rules.seat_0_moves_first,
    rules.a_drawn_match_has_a_score_that_is_nobodys,
    texts.a_move_has_one_spelling,
    texts.an_unreadable_move_is_quoted_briefly,
    scenes.a_board_can_be_drawn,
)

OF_PLAY: tuple[Callable[[Game[Any], Case], None], ...] = (
    rules.a_state_is_frozen_and_hashable,
    rules.legal_moves_are_sorted_and_unique,
    rules.every_legal_move_is_among_all_moves,
    rules.illegal_moves_are_refused,
    rules.playing_changes_nothing_but_the_result,
    rules.over_means_no_legal_move_and_an_outcome,
    rules.the_winner_has_the_better_score,
    rules.a_running_score_ends_as_the_score,
    rules.a_forfeit_is_the_widest_margin,
    rules.only_a_game_that_says_so_comes_back_to_a_state,
    rules.no_game_is_longer_than_it_says,
    rules.a_forced_pass_is_the_only_legal_move,
    rules.the_canonical_state_stands_for_the_state,
    texts.moves_survive_text,
    texts.any_text_is_a_move_or_unreadable,
    texts.a_game_can_be_replayed_from_its_moves,
    texts.states_survive_json,
    texts.unreadable_states_are_refused,
    texts.states_keep_to_their_schema,
    scenes.a_picture_is_made_of_the_board,
    scenes.every_move_can_be_pointed_at,
)

LAWS: tuple[Callable[..., None], ...] = (*OF_A_GAME, *OF_PLAY)

TRIALS = 100


class Verdict(NamedTuple):
    """Whether a game keeps a law; `broken` says where and how it does not."""

    law: str
    broken: str | None


def verdicts(game: Game[Any]) -> list[Verdict]:
    """Every law's."""
    return [verdict(law, game) for law in LAWS]


def verdict(law: Callable[..., None], game: Game[Any]) -> Verdict:
    """One law's, tried in `TRIALS` cases if it is one of play, always the same."""
    if law in OF_A_GAME:
        return Verdict(law.__name__, _broken(law, game))
    each = (_broken(law, game, drawn(seed)) for seed in range(TRIALS))
    return Verdict(law.__name__, next((why for why in each if why), None))


def _broken(law: Callable[..., None], game: Game[Any], *case: Case) -> str | None:
    where = f" (after {case[0].plies} random plies of seed {case[0].seed})" if case else ""
    try:
        law(game, *case)
    except LawError as error:
        return f"{error}{where}"
    except Exception as error:  # noqa: BLE001 - rules that are being written may fail in any way
        return f"{type(error).__name__}: {error}{where}"
    return None
