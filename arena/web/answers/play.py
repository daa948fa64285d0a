"""Games that people play, as who knows their address may see them."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.play import games, rules
from arena.play.records import record_of
from arena.schemas import play as schemas
from arena.schemas.positions import MAX_POSITIONS, PositionOut
from arena.store import play as store
from arena.store.models import PlayGame, User
from arena.web.answers.game_file import game_file
from arena.web.answers.languages import Language
from arena.web.answers.positions import position_of as drawn_in
from arena.web.answers.positions import scene_of
from arena.web.http.responses import file_response
from arena.web.http.visibility import Viewer
from engines.games import find_presentation
from engines.presentation import NOTHING
from workers.core.contract import GameSpec


def play_of(session: Session, user: User | None, row: PlayGame) -> schemas.PlayOut:
    """The game as it stands now; what a bot wrote, for its owner or of a reference bot."""
    mine = games.may_play(user, row)
    moves, over = games.moves_of(row), games.is_over(row)
    turn = None if over else store.turn_at(session, row)
    waits = turn is not None and turn.state != MatchState.FINISHED
    at = games.position(row)
    return schemas.PlayOut(
        address=row.address,
        revision=row.revision,
        game=spec_of(row),
        owner=row.owner.name if row.owner else None,
        mine=mine,
        seats=(_seat(row, 0), _seat(row, 1)),
        increment=row.clock.get("increment") if row.clock else None,
        clock=row.clock,
        position=position_of(row, over=over),
        moves=[
            schemas.PlayMoveOut(
                ply=move.ply,
                seat=move.seat,
                move=move.move,
                asked=move.asked,
                seconds=move.charged_ns / rules.NS if move.asked else None,
                debug=move.debug if may_read(row, move.seat, mine=mine) else None,
            )
            for move in moves
        ],
        running=0.0 if over else games.running_seconds(row),
        turn=schemas.PlayTurnOut(seat=at.to_move, state=turn.state, asked_at=turn.created_at)
        if turn is not None and waits
        else None,
        hint=None if over else _hint(session, row, at.state),
        result=_result(row, mine=mine),
        created_at=row.created_at,
        changed_at=row.changed_at,
    )


def drawn_of(row: PlayGame) -> PositionOut:
    """The position as it is drawn, with what can be pointed at."""
    game, moves = games.rules_of(row), row.moves
    last = game.move_from_text(moves[-1]["move"]) if moves else None
    return drawn_in(game, games.position(row).state, len(moves), last)


def next_of(session: Session, row: PlayGame) -> schemas.PlayNextOut:
    """Every position that can come next, with its value where a hint was asked for and is there."""
    game, at = games.rules_of(row), games.position(row)
    legal = [] if games.is_over(row) else [*game.legal_moves(at.state)[:MAX_POSITIONS]]
    hint = store.turn_at(session, row, hint=True)
    told = (hint.answer if hint else None) or {}
    values = {each["move"]: schemas.PlayValue.model_validate(each) for each in told.get("values", ())}
    places = {text: place for place, text in enumerate(values)}
    legal.sort(key=lambda move: places.get(game.move_to_text(move), len(places)))
    return schemas.PlayNextOut(
        scene=scene_of(game),
        asked=hint.state if hint else None,
        unsolved="unsolved" in told,
        estimated="estimated" in told,
        positions=[
            schemas.PlayNext(
                move=(text := game.move_to_text(move)),
                position=drawn_in(game, game.play(at.state, move), len(row.moves) + 1, move, legal=False),
                value=values.get(text),
            )
            for move in legal
        ],
    )


def record_response(row: PlayGame, viewer: Viewer) -> Response:
    """The game as a line of a record file to be kept, with what the viewer may read."""
    mine = games.may_play(viewer.user, row)
    record = record_of(row, [seat for seat in games.SEATS if may_read(row, seat, mine=mine)])
    name = f"{row.game}-{row.id}.jsonl"
    return file_response(record.model_dump_json() + "\n", name, "application/jsonl")


def page_response(row: PlayGame, language: Language) -> Response:
    """The game as a page in one file that opens without any server; it has nothing that bots wrote."""
    people = [seat for seat in games.SEATS if row.seats[seat]["bot"] is None]
    page = game_file(record_of(row, ()), language, people=people)
    return file_response(page, f"{row.game}-{row.id}.html", "text/html")


def listed_of(row: PlayGame) -> schemas.PlayListed:
    """The game in a list."""
    return schemas.PlayListed(
        address=row.address,
        game=spec_of(row),
        seats=(row.seats[0]["bot"], row.seats[1]["bot"]),
        plies=len(row.moves),
        over=games.is_over(row),
        changed_at=row.changed_at,
    )


def spec_of(row: PlayGame) -> GameSpec:
    """What is played."""
    return GameSpec(name=row.game, params=row.params, version=row.game_version)


def may_read(row: PlayGame, seat: int, *, mine: bool) -> bool:
    """Whether what the bot in a seat writes may be read by who plays: a reference bot's, or their own's."""
    sitting = row.seats[seat]
    return mine and (sitting["own"] or sitting["archive"] is None)


def position_of(row: PlayGame, *, over: bool) -> schemas.PlayPosition:
    """The position; in a game that is over nothing is legal."""
    game, at = games.rules_of(row), games.position(row)
    return schemas.PlayPosition(
        ply=len(row.moves),
        state=game.state_to_json(at.state),
        text=game.draw(at.state),
        legal=[] if over else [game.move_to_text(move) for move in game.legal_moves(at.state)],
        last=row.moves[-1]["move"] if row.moves else None,
        to_move=at.to_move,
        score=game.running_score(at.state),
        over=over,
    )


def _seat(row: PlayGame, seat: int) -> schemas.PlaySeatOut:
    sitting = row.seats[seat]
    left, extensions = games.shown_seconds(row, seat)
    return schemas.PlaySeatOut(
        bot=sitting["bot"],
        version=sitting["version"],
        seconds=rules.used_seconds(games.moves_of(row), seat),
        left=left,
        extensions=extensions,
    )


def _hint(session: Session, row: PlayGame, state: Any) -> schemas.PlayHint | None:
    turn = store.turn_at(session, row, hint=True)
    if turn is None:
        return None
    presentation, words = find_presentation(row.game), NOTHING
    if turn.answer:
        reason = presentation.hint_reason(games.rules_of(row), state)
        words = reason if reason.english else presentation.hint_score(turn.answer)
    return schemas.PlayHint(state=turn.state, told=turn.answer, english=words.english, chinese=words.chinese)


def _result(row: PlayGame, *, mine: bool) -> schemas.PlayResult | None:
    if row.ended is not None:
        ended = row.ended
        loser = 1 - ended["winner"]
        detail = ended["detail"] if may_read(row, loser, mine=mine) else ""
        score = ended["score"][0], ended["score"][1]
        return schemas.PlayResult(
            winner=ended["winner"], reason=ended["reason"], score=score, detail=detail or None
        )
    outcome = games.position(row).outcome
    return None if outcome is None else schemas.PlayResult(**outcome._asdict())
