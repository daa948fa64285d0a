"""Who may do what: every operation of the interface against the public, a team and the staff."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.arena.lab import Lab
from tests.integration.arena.site import API, Site, play_cup, start_cup

PUBLIC, TEAM, OWNER, STAFF = "public", "team", "owner", "staff"
REFUSED = {401, 403}
LEAST = {
    **dict.fromkeys(
        (
            *("health", "list_games", "get_game", "list_languages", "list_problems", "get_problem"),
            *("list_bots", "get_bot", "list_versions"),
            *("list_tournaments", "get_tournament", "list_entries", "get_leaderboard", "get_crosstable"),
            *("get_balance", "get_head_to_head", "get_bot_numbers", "get_ratings", "get_history"),
            *("get_estimate", "get_eta", "export_tournament", "list_matches", "get_match", "get_record"),
            *("list_experiments", "get_experiment", "get_experiment_results", "export_experiment"),
            "get_check",
        ),
        PUBLIC,
    ),
    **dict.fromkeys(("who_am_i", "estimate_plan"), TEAM),
    **dict.fromkeys(
        ("submit_version", "get_archive", "check_again", "cancel_check", "enter_bot", "withdraw_bot"), OWNER
    ),
    **dict.fromkeys(
        (
            *("list_users", "create_user", "issue_token", "revoke_tokens", "import_roster"),
            *("create_tournament", "open_tournament", "start_tournament", "pause_tournament"),
            *("resume_tournament", "end_tournament", "cancel_tournament", "disqualify_bot"),
            *("rerun_round", "rerun_match", "set_result", "retry_match", "drop_match", "show_log"),
            *("verify_totals", "get_class_report", "get_class_report_csv"),
            *("create_experiment", "cancel_experiment"),
        ),
        STAFF,
    ),
}
"""The least that every operation asks for, by its id. A bot's owner is the team `red`."""

WHO = {PUBLIC: None, TEAM: "blue", OWNER: "red", STAFF: "staff"}
PLACES = {"bot": "red", "number": "1", "code": "conflict"}
BODIES: dict[str, dict[str, Any]] = {
    "submit_version": {"files": {"file": ("bot.py", b"print('hello')")}},
    "check_again": {"json": {"games": []}},
    "enter_bot": {"json": {"bot": "red"}},
    "withdraw_bot": {"json": {"reason": "ill"}},
}


@pytest.fixture
def used(site: Site) -> Site:
    """A site with a tournament that was played and an experiment."""
    start_cup(site)
    play_cup(site)
    Lab(site.world).create(record_games=True)
    return site


def _operations(site: Site) -> Iterator[tuple[str, str, str]]:
    """The id, method and address of every operation."""
    for path, operations in site.get("/openapi.json").json()["paths"].items():
        for method, operation in operations.items():
            yield operation["operationId"], method, path


def _ask(site: Site, name: str, method: str, path: str, user: str | None) -> int:
    kind = path.removeprefix(API).split("/")[1]
    named = {"tournaments": "cup", "games": "heap_nim"}.get(kind, "red")
    address = path.format(name=named, **PLACES)
    return site.client.request(
        method, address, headers=site.headers(user), **BODIES.get(name, {})
    ).status_code


def test_the_table_is_whole(site: Site) -> None:
    """No operation is without a line in the table, and none is there that does not exist."""
    assert {name for name, _, _ in _operations(site)} == LEAST.keys()


@pytest.mark.parametrize("role", WHO)
def test_every_operation_by_role(used: Site, role: str) -> None:
    """Whoever is less is refused, the public with 401 and users with 403; nobody else is."""
    roles = list(WHO)
    for name, method, path in _operations(used):
        status = _ask(used, name, method, path, WHO[role])
        if roles.index(role) < roles.index(LEAST[name]):
            assert status == (401 if role == PUBLIC else 403), (name, status)
        else:
            assert status not in REFUSED, (name, status)


def test_the_document_names_the_token(site: Site) -> None:
    """Operations that need a token say so, and those for everybody do not ask for one."""
    for path, operations in site.get("/openapi.json").json()["paths"].items():
        for operation in operations.values():
            asked = operation.get("security", [{}])
            assert ({} in asked) == (LEAST[operation["operationId"]] == PUBLIC), path


@pytest.mark.parametrize(
    "page",
    ["", "/crosstable", "/ratings", "/ratings/history", "/balance", "/matches", "/matches/1"],
)
def test_pages_are_for_everybody_and_only_to_read(used: Site, page: str) -> None:
    """A page asks for no token and shows no more with one; no page changes anything."""
    address = f"/tournaments/cup{page}"
    answer = used.client.get(address)
    assert answer.status_code == 200
    assert used.client.get(address, headers=used.headers("staff")).text == answer.text
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert used.client.request(method, address).status_code == 405


def test_no_page_puts_a_class_together_for_grading(used: Site) -> None:
    """The class report is for the staff, who cannot sign in on pages: there is none, and no link to one."""
    assert used.client.get("/tournaments/cup/report", headers=used.headers("staff")).status_code == 404
    assert "/report" not in used.client.get("/tournaments/cup").text
