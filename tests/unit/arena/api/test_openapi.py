"""The OpenAPI document is complete, and the interface holds to it whatever it is sent."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Any

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

from tests.unit.arena.lab import Lab
from tests.unit.arena.site import API, Site, play_cup, start_cup

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 8
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


def test_who_needs_a_token_is_described(site: Site) -> None:
    """Operations for everybody say so; the others name the token."""
    paths = site.get("/openapi.json").json()["paths"]
    assert paths[f"{API}/tournaments"]["post"]["security"] == [{"token": []}]
    assert {} in paths[f"{API}/tournaments/{{name}}"]["get"]["security"]
    assert "security" not in paths[f"{API}/bots"]["get"]


def test_fuzz(site: Site) -> None:
    """Every operation answers the staff's good and bad input as described, and never with 5xx."""
    start_cup(site)
    play_cup(site, forfeit=True)
    Lab(site.world).create(record_games=True)
    schema = schemathesis.openapi.from_asgi(f"{API}/openapi.json", site.client.app)
    headers = site.headers("staff")
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        for mode in schemathesis.GenerationMode:

            @seed(7)
            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                phases=(Phase.generate,),
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode), known=st.booleans())
            def ask(case: schemathesis.Case[Any], known: bool) -> None:
                if known:
                    for key, value in (("name", "cup"), ("number", 1)):
                        if key in case.path_parameters:
                            case.path_parameters[key] = value
                case.call_and_validate(headers=headers, checks=CHECKS)

            with nullcontext() if mode.is_positive else suppress(Unsatisfiable):  # nothing to get wrong
                ask()
