"""What the forms share by which the workers' work is asked for: reading it, and saying what is wrong."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Form
from pydantic import BaseModel, ValidationError

from arena.core.errors import ArenaError, InvalidError, Worded
from arena.core.validation import refusal
from arena.web.pages.wording import N_

PARAMS = N_("Parameters")
Written = Annotated[str, Form(max_length=1000)]
Plan = TypeVar("Plan", bound=BaseModel)


class Fault(NamedTuple):
    """Why something was refused: the field's label if it is one field's, or where it stands in a grid."""

    error: Worded
    label: str = ""
    place: str = ""


class FaultyError(InvalidError):
    """What was typed makes no plan; `faults` are all that is wrong."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(str(fault.error) for fault in faults))
        self.faults = faults


def planned(
    plan: type[Plan], told: Mapping[str, Any], labels: Mapping[str, str], faults: Sequence[Fault] = ()
) -> Plan:
    """What is asked for, where nothing was found wrong with it before.

    Raises:
        FaultyError: it cannot be; with all that is wrong, at the labels of its fields.
    """
    try:
        made = plan.model_validate(told)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        more = [Fault(refusal(each), _label(each, labels)) for each in found]
        raise FaultyError([*faults, *more]) from None
    if faults:
        raise FaultyError(faults)
    return made


def faults_of(error: ArenaError, labels: Mapping[str, str]) -> Sequence[Fault]:
    """What to say at which field of why a form was refused, as far as the error names its field."""
    if isinstance(error, FaultyError):
        return error.faults
    field = "params" if "parameter" in error.values else str(error.values.get("field", ""))
    return [Fault(error, labels.get(field, ""))]


def _label(error: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """What the field is called that an error of a plan is about."""
    *_, last = error["loc"] or ("",)
    return labels.get(str(last), "")


def plain(text: str) -> str:
    """What was typed, with the digits and signs of Chinese as those of ASCII."""
    return unicodedata.normalize("NFKC", text).replace("、", ",").strip()


def params_of(text: str) -> tuple[dict[str, Any], list[Fault]]:
    """Parameters as they were typed, ``rows=5`` or more of them with semicolons between; what is none."""
    read, faults = {}, []
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, value = map(str.strip, part.partition("="))
        try:
            read[name] = _value(value)
        except (ValueError, RecursionError):
            error = InvalidError("%(part)r is no parameter; write such as rows=5", part=part[:40])
            faults.append(Fault(error, PARAMS))
    return read, faults


def _value(text: str) -> Any:
    """A value in JSON, and a list also without its brackets.

    Raises:
        ValueError, RecursionError: it is none.
    """
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text.lower()) if "," not in text else json.loads(f"[{text}]")
