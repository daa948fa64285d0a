"""Who may do what: every operation of the API as every role, and as nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from arena.access import permissions
from tests.integration.arena.lab import PLAN as LAB_PLAN
from tests.integration.arena.lab import Lab
from tests.integration.arena.roles import (
    ADMIN,
    ADMINS,
    CLASS,
    EVERYBODY,
    LEADERS,
    OWNERS,
    PLAYERS,
    PUBLIC,
    RUNNERS,
    SEASON,
    SIGNED_IN,
    STAFF,
    WHO,
    each_role,
    settle,
)
from tests.integration.arena.site import API, Site, play_cup, start_cup

REFUSED = {401, 403}
MAY: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            *("health", "list_games", "get_game", "list_languages", "list_problems", "get_problem"),
            "list_environments",
            *("list_bots", "get_bot", "list_versions", "join", "enrol_worker"),
            *("get_career", "list_bot_opponents", "list_bot_matches", "list_bot_tournaments"),
            "get_bot_ratings",
            *("list_tournaments", "get_tournament", "list_entries", "get_leaderboard", "get_crosstable"),
            "get_timetable",
            *("list_seasons", "get_season", "get_season_csv"),
            *(
                "get_accuracy",
                "get_balance",
                "get_head_to_head",
                "get_bot_numbers",
                "get_ratings",
                "get_history",
            ),
            "get_top_bots",
            "get_ladder",
            *("get_estimate", "get_eta", "export_tournament", "list_matches", "get_match", "get_record"),
            *("list_positions", "get_positions", "get_match_file", "get_analysis"),
            *("list_experiments", "get_experiment", "get_experiment_results", "export_experiment"),
            *("get_recorded_part", "list_sweeps", "get_sweep", "export_sweep", "get_document"),
            *("list_solves", "get_solve", "get_solve_checkpoint", "get_solve_proof"),
            *("list_trainings", "get_training"),
            *("get_check", "follow_arena", "follow_tournament", "follow_match", "list_announcements"),
            *("list_answers", "list_tournament_announcements"),
            *(
                "list_play_opponents",
                "begin_play",
                "get_play",
                "move_in_play",
                "undo_in_play",
                "restart_play",
            ),
            *(
                "seat_play",
                "resign_play",
                "ask_hint",
                "get_play_record",
                "get_play_file",
                "list_next_positions",
            ),
            "get_play_analysis",
        ),
        EVERYBODY,
    ),
    **dict.fromkeys(
        (
            *("who_am_i", "list_own_tokens", "make_own_token", "revoke_own_token", "list_own_sessions"),
            *("end_own_session", "end_own_sessions", "set_own_password", "list_members", "estimate_plan"),
            *("list_own_passkeys", "remove_own_passkey"),
            *("list_own_identities", "unlink_own_identity", "ask_analysis"),
            *("ask_play_analysis", "list_followed", "begin_following", "end_following"),
            *("list_news", "mark_news_seen", "get_training_parts"),
        ),
        SIGNED_IN,
    ),
    **dict.fromkeys(
        (
            *("submit_version", "get_archive", "check_again", "cancel_check", "enter_bot", "withdraw_bot"),
            *("enter_when_checked", "withdraw_pending_entry"),
            "set_bot_scrimmages",
        ),
        OWNERS,
    ),
    **dict.fromkeys(("list_team_codes", "make_team_code", "revoke_team_code", "remove_member"), LEADERS),
    **dict.fromkeys(
        (
            *("list_users", "list_classes", "create_class", "create_tournament", "list_own_tournaments"),
            *("get_queue", "list_parked", "list_lost", "list_checks", "list_questions"),
            "list_given_up_analyses",
            *("create_season", "list_own_seasons"),
        ),
        STAFF,
    ),
    **dict.fromkeys(
        (
            *(
                "get_user",
                "disable_user",
                "enable_user",
                "retry_matches",
                "create_user",
                "issue_token",
                "revoke_tokens",
                "make_link",
                "import_roster",
            ),
            *("list_class_users", "add_organiser", "remove_organiser", "set_class_scrimmages"),
            "submit_reference",
            *("list_class_codes", "make_class_code", "revoke_class_code"),
            *("open_tournament", "start_tournament", "pause_tournament"),
            *("resume_tournament", "end_tournament", "cancel_tournament", "disqualify_bot", "enter_class"),
            *("get_analyses", "ask_analyses", "call_off_analyses"),
            *("rerun_round", "rerun_match", "set_result", "retry_match", "drop_match", "show_log"),
            *("set_timetable", "freeze_tournament", "get_reveal", "step_reveal", "reveal_tournament"),
            *("verify_totals", "get_class_report", "get_class_report_csv", "announce"),
            *("list_tournament_questions", "answer_question", "close_question", "announce_in_tournament"),
            *("list_class_announcements", "announce_to_class"),
            *("submit_class", "list_class_bots", "get_class_likeness", "get_class_side_by_side"),
            *("get_likeness", "get_side_by_side"),
            *("get_grading", "set_grading", "preview_grading", "release_grades", "get_grades_csv"),
            *("set_title", "list_pending_entries"),
            *("get_story", "get_act", "get_story_csv", "change_season", "remove_season"),
        ),
        RUNNERS,
    ),
    **dict.fromkeys(
        (
            *("create_experiment", "create_sweep"),
            *("list_own_bots", "list_openings", "list_own_matches", "list_opponents", "list_own_grades"),
            *("list_scrimmages", "ask_scrimmage", "get_scrimmage", "cancel_scrimmage", "get_scrimmage_game"),
            *(
                "get_scrimmage_record",
                "get_scrimmage_file",
                "get_scrimmage_analysis",
                "ask_scrimmage_analysis",
            ),
            *("list_own_questions", "ask_question", "list_plays"),
        ),
        PLAYERS,
    ),
    **dict.fromkeys(
        (
            *("create_solve", "pause_solve", "resume_solve", "cancel_solve"),
            *("create_training", "pause_training", "resume_training", "cancel_training"),
            *("cancel_experiment", "cancel_sweep", "list_webhooks", "create_webhook", "get_webhook"),
            *("list_workers", "get_worker", "drain_worker", "resume_worker", "forget_worker"),
            *("purge_worker", "set_worker_trust", "choose_environment"),
            *("list_failed_experiments", "retry_experiment", "get_storage", "set_role"),
            *("make_worker_code", "list_worker_keys", "revoke_worker_key", "list_set_aside"),
            *("remove_webhook", "stop_webhook", "start_webhook", "list_deliveries", "retry_delivery"),
        ),
        ADMINS,
    ),
}
"""Who may do every operation, by its id: the bot is the team `red`'s, class and tournament `teacher`'s,
experiment and sweep the administrators'. Only an administrator announces what is about no tournament."""

SOLVE = TRAINING = {"game": "reversed_reversi", "params": {"size": 4}}
SWEEP = {"name": "grid", "vary": {"seed_of": [1, 2]}, "each": LAB_PLAN | {"seed": "{seed_of}"}}
PLACES = {
    "season": SEASON,
    "first": "red",
    "second": "blue",
    "bot": "red",
    "team": "blue",
    "game": "1",
    "host": "pc-7",
    "user": "elsewhere",
    "code": "conflict",
    "start": "0",
    "delivery": "1",
    "address": "AAAAAAAAAAAAAAAAAAAAAA",
    "document": "nim",
}
BODIES: dict[str, dict[str, Any]] = {
    "submit_version": {"files": {"file": ("bot.py", b"print('hello')")}},
    "submit_reference": {"json": {"reference": "random"}},
    "set_bot_scrimmages": {"json": {"allowed": True}},
    "set_class_scrimmages": {"json": {"allowed": True}},
    "ask_scrimmage": {"json": {"bot": "nobody", "opponent": "@random"}},
    "begin_play": {"json": {"game": "heap_nim"}},
    "move_in_play": {"json": {"move": "1:1", "ply": 0}},
    "restart_play": {"json": {}},
    "seat_play": {"json": {"seats": [None, "@random"]}},
    "check_again": {"json": {"games": []}},
    "enter_bot": {"json": {"bot": "red"}},
    "enter_when_checked": {"json": {"bot": "red"}},
    "set_title": {"json": {"title": "Cup"}},
    "enter_class": {"json": {"class_name": CLASS}},
    "withdraw_bot": {"json": {"reason": "ill"}},
    "mark_news_seen": {"json": {}},
    "begin_following": {"json": {"team": "blue"}},
    "ask_question": {"json": {"text": "When?"}},
    "answer_question": {"json": {"text": "Soon."}},
    "announce_in_tournament": {"json": {"text": "hello"}},
    "announce_to_class": {"json": {"text": "hello"}},
    "choose_environment": {"json": {"digest": "0" * 16}},
    "create_season": {"json": {"name": "autumn"}},
    "change_season": {"json": {}},
    "set_grading": {"json": {"base": 1}},
    "preview_grading": {"json": {"base": 1}},
    "release_grades": {"json": {}},
    "announce": {"json": {"text": "hello", "tournament": "cup"}},
    "set_timetable": {"json": {}},
    "freeze_tournament": {"json": {}},
    "step_reveal": {"json": {"at": 0, "to": 1}},
    "make_team_code": {"json": {}},
    "set_own_password": {"json": {"password": "blue horse 7 lamps"}},
    "create_user": {"json": {"name": "green", "class_name": CLASS}},
    "create_solve": {"json": SOLVE},
    "create_training": {"json": TRAINING},
    "submit_class": {"files": {"file": ("bots.zip", b"no zip")}},
    "import_roster": {"params": {"class_name": CLASS}, "files": {"file": ("class.csv", b"user\ngreen-2\n")}},
}


@pytest.fixture
def used(site: Site) -> Site:
    """A site with a played tournament, an experiment, a solve, a training, and somebody of every role."""
    start_cup(site)
    play_cup(site)
    Lab(site.world).create(record_games=True)
    assert site.post("/solves", "staff", json=SOLVE).status_code == 201
    assert site.post("/trainings", "staff", json=TRAINING).status_code == 201
    settle(site)
    assert site.post("/sweeps", "staff", json=SWEEP).status_code == 201
    asked = {"text": "Why so?", "tournament": "cup", "match": 1}
    assert site.post("/me/questions", "ruby", json=asked).json()["number"] == 1
    return site


def _operations(site: Site) -> Iterator[tuple[str, str, str]]:
    """The id, method and address of every operation."""
    for path, operations in site.get("/openapi.json").json()["paths"].items():
        for method, operation in operations.items():
            yield operation["operationId"], method, path


def _ask(site: Site, name: str, method: str, path: str, user: str | None) -> int:
    kind = path.removeprefix(API).split("/")[1]
    named = {"tournaments": "cup", "games": "heap_nim", "classes": CLASS, "me": "ruby", "sweeps": "grid"}
    number = "999" if kind == "me" else "1"  # who revokes the token that they show is nobody afterwards
    name_there = "red" if path.startswith(f"{API}/me/bots/") else named.get(kind, "red")
    address = path.format(name=name_there, number=number, **PLACES)
    if name.startswith("follow_"):
        method = "head"  # what it answers otherwise has no end
    return site.client.request(
        method, address, headers=site.headers(user), **BODIES.get(name, {})
    ).status_code


def test_the_table_is_whole(site: Site) -> None:
    """No operation is without a line in the table, and none is there that does not exist."""
    assert {name for name, _, _ in _operations(site)} == MAY.keys()


@pytest.mark.parametrize("role", each_role())
def test_every_operation_by_role(used: Site, role: str) -> None:
    """Whoever may not is refused, the public with 401 and users with 403; nobody else is."""
    for name, method, path in _operations(used):
        status = _ask(used, name, method, path, WHO[role])
        if role in MAY[name]:
            assert status not in REFUSED, (name, status)
            assert status < 500 or name == "health", (name, status)
        else:
            assert status == (401 if role == PUBLIC else 403), (name, status)


@pytest.mark.parametrize(("scope", "more"), [("read", frozenset()), ("submit", permissions.SUBMITS)])
def test_every_operation_by_scope(used: Site, scope: str, more: frozenset[str]) -> None:
    """A token of an administrator's with a narrow scope reads all, and does only what that names."""
    made = used.post("/me/tokens", "staff", json={"scope": scope}).json()
    assert made["scope"] == scope
    used.tokens["narrow"] = made["token"]
    for name, method, path in _operations(used):
        if ADMIN not in MAY[name] or (PUBLIC in MAY[name] and method != "get"):
            continue  # it is others' anyway, or nobody looks at a token there
        good = method == "get" or name in more | permissions.READS
        assert (_ask(used, name, method, path, "narrow") != 403) == good, name


def test_a_feeds_token_is_good_for_no_operation(used: Site) -> None:
    """Whatever asks who somebody is refuses a token whose scope is a feed, an administrator's too."""
    used.tokens["feed"] = used.post("/me/tokens", "staff", json={"scope": "feed"}).json()["token"]
    for name, method, path in _operations(used):
        if PUBLIC not in MAY[name]:
            assert _ask(used, name, method, path, "feed") == 403, name


def test_a_reader_submits_nothing_under_any_name(used: Site) -> None:
    """Players may submit bots of new names, as which they own them; a reader may not."""
    for role in PLAYERS:
        assert used.submit(f"new-{role}", WHO[role]).status_code == 201, role
        owner = {"member": "red"}.get(role, WHO[role])
        assert used.get(f"/bots/new-{role}").json()["owner"] == owner
    assert used.submit("new-reader", "looker").status_code == 403


def test_the_document_names_the_token(site: Site) -> None:
    """Operations that need a token say so, and those for everybody do not ask for one."""
    for path, operations in site.get("/openapi.json").json()["paths"].items():
        for operation in operations.values():
            asked = operation.get("security", [{}])
            assert ({} in asked) == (PUBLIC in MAY[operation["operationId"]]), path


def test_an_organiser_sees_their_own(used: Site) -> None:
    """Users and classes are listed for who runs them, and of a match's evidence the same holds."""
    names = {
        role: [user["name"] for user in used.get("/users", role).json()["items"]]
        for role in ("teacher", "elsewhere")
    }
    assert names == {"teacher": ["red", "ruby"], "elsewhere": []}
    assert [each["name"] for each in used.get("/classes", "teacher").json()["items"]] == [CLASS]
    assert used.get("/classes", "elsewhere").json()["items"] == []
    seen = {
        role: used.get("/tournaments/cup/matches/1", role).json()["staff"] is not None
        for role in ("teacher", "elsewhere", "red", "staff")
    }
    assert seen == {"teacher": True, "elsewhere": False, "red": False, "staff": True}


def test_an_organiser_makes_no_staff(used: Site) -> None:
    """An organiser lets in teams and readers of their classes, and manages no one of the staff."""
    for new in ({"name": "x"}, {"name": "x", "role": "admin", "class_name": CLASS}):
        assert used.post("/users", "teacher", json=new).status_code == 403
    assert used.post("/users", "elsewhere", json={"name": "x", "class_name": CLASS}).status_code == 403
    for name in ("staff", "elsewhere", "teacher", "blue"):
        assert used.post(f"/users/{name}/tokens", "teacher").status_code == 403, name
    staff = {"files": {"file": ("class.csv", b"user,role\nx,admin\n")}}
    for dry_run in ("true", "false"):
        answer = used.post(f"/roster?class_name={CLASS}&dry_run={dry_run}", "teacher", **staff)
        assert answer.status_code == 403
    roster = {"files": {"file": ("class.csv", b"user\nblue\n")}}
    answer = used.post(f"/roster?class_name={CLASS}", "teacher", **roster)
    assert "in no class of yours" in answer.json()["detail"]


def test_a_tournament_is_its_makers(used: Site) -> None:
    """Whoever of the staff makes a tournament runs it; a class makes its organisers run it, too."""
    plan = {"game": "heap_nim"}
    assert used.post("/tournaments", "elsewhere", json=plan | {"name": "own"}).status_code == 201
    assert used.post("/tournaments/own/open", "teacher").status_code == 403
    assert used.post("/tournaments/own/open", "elsewhere").status_code == 200
    foreign = plan | {"name": "foreign", "class_name": CLASS}
    assert used.post("/tournaments", "elsewhere", json=foreign).status_code == 403
    assert used.post("/tournaments", "staff", json=foreign).status_code == 201
    assert used.post("/tournaments/foreign/open", "teacher").status_code == 200
    assert (
        used.post("/tournaments", "staff", json=plan | {"name": "z", "class_name": "9z"}).status_code == 404
    )
