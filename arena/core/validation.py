"""What pydantic has refused, in sentences that can be said in any language; its own ones are English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.core.errors import InvalidError, Worded

_WHOLE = InvalidError("write a whole number")
_NUMBER = InvalidError("write a number")
_SWITCH = InvalidError("it is true or false")
_LIST = InvalidError("it has to be a list")
_OBJECT = InvalidError("it has to be an object: names with their values in braces")
_MISSING = InvalidError("it is missing")
_CHOICE = InvalidError("it has to be %(expected)s")
_SAID: Mapping[str, Worded] = {
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float", "int_parsing_size"), _WHOLE),
    **dict.fromkeys(("float_parsing", "float_type", "finite_number"), _NUMBER),
    **dict.fromkeys(("bool_parsing", "bool_type"), _SWITCH),
    **dict.fromkeys(("tuple_type", "list_type"), _LIST),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), _OBJECT),
    **dict.fromkeys(("missing", "string_too_short"), _MISSING),
    **dict.fromkeys(("literal_error", "enum"), _CHOICE),
    "greater_than_equal": InvalidError("it has to be at least %(ge)s"),
    "less_than_equal": InvalidError("it can be at most %(le)s"),
    "greater_than": InvalidError("it has to be more than %(gt)s"),
    "less_than": InvalidError("it has to be less than %(lt)s"),
    "string_too_long": InvalidError("it can have at most %(max_length)s characters"),
    "too_long": InvalidError("it can have at most %(max_length)s of them"),
    "too_short": InvalidError("it has to have at least %(min_length)s of them"),
    "string_type": InvalidError("it has to be a text"),
    "string_pattern_mismatch": InvalidError("it has to match %(pattern)s"),
    "extra_forbidden": InvalidError("there is no field of this name"),
    "json_invalid": InvalidError("this is no JSON: %(error)s"),
}
"""By pydantic's types of errors, with its names for the values."""


def refusal(error: Mapping[str, Any]) -> Worded:
    """Why a field was refused, by one of pydantic's `errors()`, without the field."""
    context = error.get("ctx", {})
    found = context.get("error")
    if isinstance(found, Worded):
        return found
    said = _SAID.get(error["type"])
    if said is None:
        return Worded(str(error["msg"]).removeprefix("Value error, "))
    return Worded(said.message, **context)
