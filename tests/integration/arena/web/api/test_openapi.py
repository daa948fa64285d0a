"""The OpenAPI document is complete, and the interface holds to it whatever it is sent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.integration.arena.lab import Lab
from tests.integration.arena.site import API, Site, play_cup, served, start_cup
from tests.integration.arena.world import World

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
RULED = re.compile(
    "is above this host's maximum|an extended answer would have|increment_ms adds to|a gauntlet has heroes"
    "|elo0 is less than elo1|exchanges the seats|has no player|there is no game|has no parameter"
    "|has no option|resamples are by the model|is not entered|upload is empty|neither a .zip nor|line \\d+ "
    "|openings|the first that others would try|characters; take a longer one"
    "|first place is worth|no place may be worth more|columns have parts of a size"
    "|is no address to POST to|is a private address|there are no events of kind"
    "|a sweep's name is not a number|vary|these are .* simulations|each has|^each\\."
    "|^the moment to|there is a moment to reveal|has no reference bot"
    "|digits in total|decimal places|could be a bot|was sent twice|says of no part|has no team"
    "|nothing is learned about|is learned on square boards|it must be from 64"
    "|is not solved by positions|is cut up on boards|where rows are given"
    "|cannot be gone on from|board must be|to_move must be"
    "|a team's games have at most"
    "|character that no text has"
    "|not a readable zip|nothing was sent|at least one seat is|params must be a JSON object"
)
"""Why the schema's allowance may be refused: by what fields are to each other, what there is, or files."""
EXAMPLES = 5
ALWAYS_DOCUMENTED = {"summary", "operationId", "tags", "responses"}


def test_every_operation_is_described(site: Site) -> None:
    """Every operation has a summary, a tag, its own id, and problem details for its errors."""
    document = site.get("/openapi.json").json()
    operations = [
        operation
        for path in document["paths"].values()
        for operation in path.values()
        if "responses" in operation
    ]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    for operation in operations:
        assert operation.keys() >= ALWAYS_DOCUMENTED
        for status, response in operation["responses"].items():
            if status.startswith("4"):
                assert list(response["content"]) == ["application/problem+json"], operation["operationId"]


def test_others_are_answered_while_the_document_is_made(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a second or two, for which the event loop of all requests does not stand still."""

    def describe() -> dict[str, Any]:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        return {"made": True}

    monkeypatch.setattr(site.client.app, "openapi", describe)
    assert site.get("/openapi.json").json() == {"made": True}


def test_an_address_may_lead_nowhere(site: Site) -> None:
    """Every operation with a name or number in its path says that it may answer 404."""
    for path, operations in site.get("/openapi.json").json()["paths"].items():
        if "{" in path:
            told = [each["responses"] for each in operations.values() if "responses" in each]
            assert all("404" in responses for responses in told), path


def test_every_model_has_a_name_of_its_own(site: Site) -> None:
    """No two share one, which would be told apart by their modules, and none is described twice."""
    names = site.get("/openapi.json").json()["components"]["schemas"]
    assert [name for name in names if not re.fullmatch(r"[A-Za-z]+(_[A-Za-z]+)*_?", name)] == []


def test_who_needs_a_token_is_described(site: Site) -> None:
    """Operations for everybody say so; the others name the token."""
    paths = site.get("/openapi.json").json()["paths"]
    assert paths[f"{API}/tournaments"]["post"]["security"] == [{"token": []}]
    assert {} in paths[f"{API}/tournaments/{{name}}"]["get"]["security"]
    assert "security" not in paths[f"{API}/bots"]["get"]


def test_the_allow_header_names_every_method(site: Site) -> None:
    """A method that an address does not take is answered with all those that it does take."""
    for path, operations in site.get("/openapi.json").json()["paths"].items():
        taken = {method.upper() for method in operations} & {"GET", "POST", "PUT", "DELETE"}
        answer = site.client.patch(re.sub(r"{\w+}", "1", path))
        told = set(answer.headers["allow"].split(", "))
        assert (answer.status_code, told) == (405, taken | ({"HEAD"} if "GET" in taken else set())), path
    assert site.client.post("/static/site.css").headers["allow"] == "GET, HEAD"


@pytest.fixture
def tireless(sqlite_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The site, where one may ask as often as one likes."""
    world = sqlite_world()
    unbounded = {"rate_reads": 0, "rate_writes": 0, "rate_address_reads": 0, "rate_address_writes": 0}
    world.settings = world.settings.model_copy(update=unbounded)
    with served(world, monkeypatch) as site:
        yield site


@pytest.mark.parametrize(
    ("user", "examples", "modes"),
    [
        ("red", 1, 1),
        pytest.param("staff", EXAMPLES, 2, marks=pytest.mark.long),
        pytest.param("red", 2, 2, marks=pytest.mark.long),
        pytest.param(None, 2, 2, marks=pytest.mark.long),
    ],
)
def test_fuzz(tireless: Site, user: str | None, examples: int, modes: int) -> None:
    """Every operation answers anybody's good and bad input as described, and never with 5xx.

    What the schema allows is refused only for reasons that no schema can tell.
    """
    site = tireless
    start_cup(site)
    play_cup(site, forfeit=True)
    Lab(site.world).create(record_games=True)
    schema = schemathesis.openapi.from_asgi(f"{API}/openapi.json", site.client.app)
    headers = site.headers(user)
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        if operation.path.endswith("/me/tokens/{number}"):
            continue  # the token that is shown would be worthless for what follows
        if operation.path.endswith("/events"):  # a stream, which has no end
            continue
        for mode in list(schemathesis.GenerationMode)[:modes]:

            @seed(7)
            @settings(
                max_examples=examples,
                deadline=None,
                database=None,
                phases=(Phase.generate,),
                suppress_health_check=list(HealthCheck),
            )
            @given(
                case=operation.as_strategy(generation_mode=mode),
                known=st.booleans(),
                allowed=st.just(mode.is_positive),
            )
            def ask(case: schemathesis.Case[Any], known: bool, allowed: bool) -> None:
                if known:
                    for key, value in (("name", "cup"), ("number", 1)):
                        if key in case.path_parameters:
                            case.path_parameters[key] = value
                answer = case.call_and_validate(headers=headers, checks=CHECKS, timeout=600)
                if allowed and answer.status_code == 422:
                    detail = answer.json()["detail"]
                    assert RULED.search(detail), f"{case.method} {case.path}: {detail}"

            with nullcontext() if mode.is_positive else suppress(Unsatisfiable):  # nothing to get wrong
                ask()
