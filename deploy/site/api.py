"""The pages of the API, from the description that the application gives of itself."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import Any

from arena.core.settings import Settings
from arena.web.app import create_app
from deploy.site.markdown import ORPHAN, code, index, plain, table

SCHEMAS = "schemas"
FOLDER = "api"
REFERENCE = "#/components/schemas/"
BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
"""What a schema says of a number, and its sign."""


def pages() -> Iterator[tuple[str, str]]:
    """A page for each subject and one with all schemas, by their paths; and the document itself."""
    document = description()
    told = {tag["name"]: tag["description"] for tag in document["tags"]}
    subjects: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            text = "\n\n".join(part for part in _operation(method.upper(), path, operation) if part)
            subjects.setdefault(operation["tags"][0], []).append(text)
    for subject, operations in subjects.items():
        head = f"{ORPHAN}# {subject.capitalize()}\n\n{told.get(subject, '')}\n\n"
        yield f"{FOLDER}/{_slug(subject)}.md", head + "\n\n".join(operations) + "\n"
    components = document["components"]["schemas"]
    schemas = "\n\n".join(part for each in components.items() for part in _schema(*each))
    yield f"{FOLDER}/{SCHEMAS}.md", f"{ORPHAN}# Schemas\n\nWhat is sent and answered, as JSON.\n\n{schemas}\n"
    listed = ((f"{_slug(each)}.md", each.capitalize(), told.get(each, "")) for each in sorted(subjects))
    schemas_too = (f"{SCHEMAS}.md", "Schemas", "What is sent and answered, as JSON.")
    yield f"{FOLDER}/index.md", index("The HTTP API", _intro(document), chain(listed, [schemas_too]))
    yield f"{FOLDER}/openapi.json", json.dumps(document, indent=1, ensure_ascii=False)


def description() -> dict[str, Any]:
    """The OpenAPI document, of an application in which there is nothing."""
    with tempfile.TemporaryDirectory() as folder:
        document: dict[str, Any] = create_app(Settings(data_dir=Path(folder))).openapi()
    return document


def _intro(document: Mapping[str, Any]) -> str:
    clients = (
        "Every arena has this description at `/api/v1/openapi.json`, here it is {download}`openapi.json`. "
        "Clients in other languages are generated from it ([installing](../installing.md))."
    )
    return f"{document['info']['description'].strip()}\n\n{clients}"


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {operation['summary']}"
    yield f"```text\n{method} {path}\n```"
    yield from map(plain, operation.get("description", "").split("\n\n"))
    parameters = (
        (code(each["name"]), each["in"], _type(each["schema"]), plain(each.get("description", "")))
        for each in operation.get("parameters", ())
    )
    yield table(("Parameter", "In", "Type", "Meaning"), parameters)
    if body := operation.get("requestBody"):
        yield f"Body: {_content(body)}."
    answers = (
        (f"{status} {HTTPStatus(int(status)).phrase}", _content(each) or plain(each["description"]))
        for status, each in sorted(operation["responses"].items())
    )
    yield table(("Answer", "With"), answers)


def _content(told: Mapping[str, Any]) -> str:
    kinds = ((kind, _type(each.get("schema", {}))) for kind, each in told.get("content", {}).items())
    return ", or ".join(f"{shown} as {code(kind)}" if shown else code(kind) for kind, shown in kinds)


def _schema(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"(schema-{_slug(name)})=\n## {plain(name)}"
    yield from map(plain, schema.get("description", "").split("\n\n"))
    needed = schema.get("required", ())
    fields = (
        (code(field), _type(each), "" if field in needed else "no", plain(each.get("description", "")))
        for field, each in schema.get("properties", {}).items()
    )
    yield table(("Field", "Type", "Required", "Meaning"), fields) or _type(schema)


def _type(schema: Mapping[str, Any]) -> str:
    """What a value is, in some words, with links to the schemas that it names."""
    if reference := schema.get("$ref"):
        name = reference.removeprefix(REFERENCE)
        return f"[{plain(name)}](#schema-{_slug(name)})"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[several])))
    if "enum" in schema or "const" in schema:
        return ", ".join(code(json.dumps(value)) for value in schema.get("enum", [schema.get("const")]))
    kind = str(schema.get("type", ""))
    if kind == "array":
        return f"array of {_type(schema.get('items', {})) or 'anything'}"
    if kind == "object" and isinstance(each := schema.get("additionalProperties"), dict):
        return f"object of {_type(each) or 'anything'}"
    bounds = [f"{sign} {schema[bound]}" for bound, sign in BOUNDS.items() if bound in schema]
    if "maxLength" in schema:
        bounds.append(f"at most {schema['maxLength']} characters")
    return plain(", ".join([kind, *bounds]))


def _slug(name: str) -> str:
    return "".join(each if each.isalnum() else "-" for each in name).strip("-").lower()
