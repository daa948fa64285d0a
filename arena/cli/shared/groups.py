"""Options that belong together, as one parameter of a command: a dataclass whose fields are the options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The same command for Typer, which takes every option as a parameter of its own.

    A parameter that is a dataclass gives way to that one's fields; their annotations are the options, and
    their defaults the options' defaults. The command itself is called with the dataclass.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        own = _options(groups[name]) if name in groups else [parameter.replace(annotation=hints[name])]
        parameters.extend(own)

    @wraps(command)
    def flat(**given: Any) -> None:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    flat.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what `inspect` looks for first
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return flat


def _options(group: type[Any]) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
