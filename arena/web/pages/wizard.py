"""The form by which a tournament is made: what stands in it, and the plan that this becomes."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from pydantic import ValidationError

from arena.core.errors import InvalidError
from arena.core.names import MAX_CHARS
from arena.core.terms import Act
from arena.planning import local_time
from arena.schemas.plans import TournamentPlan
from arena.submissions import reference
from arena.theory.pairing.contract import FormatName
from arena.theory.pairing.formats import FORMATS
from arena.web.pages.forms import words
from arena.web.pages.wizard_faults import (
    AT_LEAST,
    AT_MOST,
    LABELS,
    LIMITS,
    SECONDS,
    Fault,
    Label,
    RefusedError,
    faults_of,
)
from arena.web.pages.wizard_templates import TEMPLATES
from arena.web.pages.wording import ACTS, N_
from engines import USUAL_GAME
from engines.games import all_games, find_game, find_presentation
from workers.core.contract import Limits, TimeControl

MAX_FIELD_CHARS = 1000
NOT_OPTIONS = frozenset({"openings", "heroes"})
"""Of a format's fields those that the plan itself names."""

MOMENTS = {
    Act.OPEN: "opens",
    Act.CLOSE: "close",
    Act.START: "start",
    Act.FREEZE: "freeze",
    Act.REVEAL: "reveal",
}
"""What the fields are called that say when something happens by itself; the forecast begins at the start."""

REFERENCE = "reference-"
"""What the boxes of reference bots are called, before the bot's name."""

OPTIONS = {
    "cycles": N_("How often everybody meets everybody"),
    "rounds": N_("Rounds"),
    "seeding": N_("Initial order"),
    "first_colour": N_("First seat of the first pairing"),
    "best_of": N_("Games of a pairing"),
    "tie_breaks": N_("Further pairs of games where it is level"),
    "third_place": N_("A match for the third place"),
    "groups": N_("Groups"),
    "qualifiers": N_("Who goes on from each group"),
    "newcomer_games": N_("Games of a newcomer at least"),
}
CHOICES = {
    "number": N_("by the order of entering"),
    "lot": N_("by lot"),
    "first": N_("the first seat for the best"),
    "second": N_("the second seat for the best"),
}


class Control(NamedTuple):
    """A field of the form that depends on the game or the format: how it is typed, and its bounds."""

    name: str
    label: Label
    kind: str
    value: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()


class Draft:
    """What stands in the form: what was typed, a template's values, or the usual ones."""

    def __init__(self, typed: Mapping[str, str]) -> None:
        chosen = TEMPLATES.get(typed.get("template", ""))
        self.typed = {**_usual(), **(chosen.values if chosen else {}), **typed}
        if self.typed["game"] not in all_games():
            self.typed["game"] = USUAL_GAME
        if self.typed["format"] not in FORMATS:
            self.typed["format"] = FormatName.ROUND_ROBIN
        self._ticked = "shown_format" in typed

    def __getitem__(self, name: str) -> str:
        """What stands in a field."""
        return self.typed.get(name, "")

    def ticked(self, name: str, *, usually: bool) -> bool:
        """Whether a box is ticked; a box that is not is not sent."""
        return name in self.typed if self._ticked else usually or name in self.typed

    @property
    def params(self) -> list[Control]:
        """The fields of the game's parameters."""
        defaults = find_game(self["game"]).parameters
        same = self["shown_game"] == self["game"]
        return [self._param(name, value, same=same) for name, value in defaults.items()]

    def _param(self, name: str, default: Any, *, same: bool) -> Control:
        field = f"param-{name}"
        label = find_presentation(self["game"]).parameter(name)
        if isinstance(default, bool):
            on = field in self.typed if same else default
            return Control(field, label, "checkbox", "on" if on else "")
        if default is None:
            return Control(field, label, "text", self._typed(field, "", same=same))
        text = ", ".join(map(str, default)) if isinstance(default, list) else _json(default)
        is_number = isinstance(default, int)
        least, most = find_game(self["game"]).bounds.get(name, (None, None)) if is_number else (None, None)
        return Control(
            field,
            label,
            "number" if is_number else "text",
            self._typed(field, text, same=same),
            least,
            most,
        )

    @property
    def options(self) -> list[Control]:
        """The fields of the format's options."""
        same = self["shown_format"] in {"", self["format"]}
        properties = FORMATS[self["format"]].model_json_schema()["properties"]
        controls = [
            self._option(name, schema, same=same)
            for name, schema in properties.items()
            if name not in NOT_OPTIONS
        ]
        return [control for control in controls if control.least is None or control.least != control.most]

    def _option(self, name: str, schema: Mapping[str, Any], *, same: bool) -> Control:
        field, default = f"option-{name}", schema.get("default")
        label = OPTIONS.get(name, name.replace("_", " "))
        if schema.get("type") == "boolean":
            on = field in self.typed if same else bool(default)
            return Control(field, label, "checkbox", "on" if on else "")
        choices = tuple(schema.get("enum", ()))
        kinds: list[dict[str, Any]] = schema.get("anyOf", [schema])
        bounds = next((each for each in kinds if each.get("type") == "integer"), {})
        text = "" if default is None else str(default)
        return Control(
            field,
            label,
            "select" if choices else "number",
            self._typed(field, text, same=same),
            bounds.get("minimum"),
            bounds.get("maximum"),
            choices,
        )

    @property
    def reference(self) -> tuple[str, ...]:
        """The reference bots that are ticked, of those that play the game, and those that are typed."""
        ticked = (name for name in self.references if f"{REFERENCE}{name}" in self.typed)
        return (*ticked, *words(self["other_references"]))

    @property
    def references(self) -> list[str]:
        """The reference bots that play the game, and their levels."""
        return reference.listed(find_game(self["game"]))

    def _typed(self, field: str, usual: str, *, same: bool) -> str:
        return self.typed.get(field, usual) if same else usual

    def plan(self, name: str | None = None) -> TournamentPlan:
        """The plan; `name` where none is typed.

        Raises:
            RefusedError: it is none.
        """
        reading = _Reading(self)
        fields = reading.fields(self["name"].strip() or name or "")
        if reading.faults:
            raise RefusedError(reading.faults)
        try:
            return TournamentPlan.model_validate(fields)
        except ValidationError as error:
            raise RefusedError([fault for each in error.errors() for fault in faults_of(each)]) from None

    def moments(self, now: dt.datetime, zone: dt.tzinfo) -> dict[Act, dt.datetime]:
        """When what is to happen by itself; nothing of what is left empty.

        Raises:
            RefusedError: a field has no moment.
        """
        found, faults = dict[Act, dt.datetime](), list[Fault]()
        for act, name in MOMENTS.items():
            try:
                if self[name].strip():
                    found[act] = local_time.moment(self[name], now, zone).astimezone(dt.UTC)
            except InvalidError as error:
                faults.append(Fault(ACTS[act], error=error))
        if faults:
            raise RefusedError(faults)
        return found


class _Reading:
    """Reads what stands in a form, and collects what cannot be read."""

    def __init__(self, draft: Draft) -> None:
        self.faults: list[Fault] = []
        self._draft = draft

    def fields(self, name: str) -> dict[str, Any]:
        """The fields of a plan; what is left empty is left out."""
        draft = self._draft
        given = {
            "name": name,
            "title": draft["title"].strip(),
            "class_name": draft["class_name"],
            "game": draft["game"],
            "params": self._params(),
            "format": draft["format"],
            "options": self._options(),
            "heroes": words(draft["heroes"]) if draft["format"] == FormatName.GAUNTLET else (),
            "standings_order": words(draft["standings_order"]),
            "reference_bots": draft.reference,
            "time": self._time(),
            "limits": self._limits(),
            "reuse": draft.ticked("reuse", usually=False),
            **{name: self._integer(name) for name in ("openings", "opening_plies", "seed")},
        }
        return {name: value for name, value in given.items() if value not in (None, "", {}, ())} | {
            "name": name
        }

    def _time(self) -> dict[str, int]:
        found = {SECONDS[name]: self._milliseconds(name) for name in SECONDS}
        found["extensions"] = self._integer("extensions")
        return {name: value for name, value in found.items() if value is not None}

    def _limits(self) -> dict[str, int]:
        found = {name: self._integer(f"limit-{name}", LIMITS[name]) for name in LIMITS}
        return {name: value for name, value in found.items() if value is not None}

    def _options(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for each in self._draft.options:
            name = each.name.removeprefix("option-")
            if each.kind == "checkbox":
                found[name] = bool(each.value)
            elif each.value:
                found[name] = each.value if each.choices else self._bounded(each)
        return {name: value for name, value in found.items() if value is not None}

    def _params(self) -> dict[str, Any]:
        """The game's parameters; one that may be left unsaid is, where its field is empty."""
        read: dict[str, Any] = {}
        for name, default in find_game(self._draft["game"]).parameters.items():
            control = next(each for each in self._draft.params if each.name == f"param-{name}")
            if default is not None or control.value.strip():
                read[name] = self._param(control, default)
        return read

    def _param(self, control: Control, default: Any) -> Any:
        if control.kind == "checkbox":
            return bool(control.value)
        if control.kind == "number":
            return self._bounded(control)
        if isinstance(default, list):
            return [self._number(word, control.label) for word in words(control.value)]
        try:
            return json.loads(control.value)
        except (ValueError, RecursionError):
            return control.value

    def _integer(self, name: str, label: str = "") -> int | None:
        text = self._draft[name].strip()
        return self._number(text, label or LABELS[name]) if text else None

    def _number(self, text: str, label: Label) -> int | None:
        if re.fullmatch(r"[+-]?[0-9]{1,18}", text.strip()):
            return int(text)
        self.faults.append(Fault(label, N_("Write a whole number.")))
        return None

    def _bounded(self, control: Control) -> int | None:
        number = self._number(control.value, control.label)
        if number is not None and control.least is not None and number < control.least:
            self.faults.append(Fault(control.label, AT_LEAST, {"least": control.least}))
        if number is not None and control.most is not None and number > control.most:
            self.faults.append(Fault(control.label, AT_MOST, {"most": control.most}))
        return number

    def _milliseconds(self, name: str) -> int | None:
        text = self._draft[name].strip()
        if not text:
            return None
        try:
            seconds = Decimal(text)
        except InvalidOperation:
            seconds = Decimal("NaN")
        if not (seconds.is_finite() and -(10**9) <= seconds <= 10**9):
            self.faults.append(Fault(LABELS[name], N_("Write a number of seconds.")))
            return None
        return round(seconds * 1000)


def made_name(draft: Draft, day: str, taken: frozenset[str]) -> str:
    """A name for a tournament that was given none: of the title's letters, else of the game and the day."""
    title = re.sub(r"[^a-z0-9]+", "-", draft["title"].lower()).strip("-") if draft["title"].isascii() else ""
    stem = (title or f"{draft['game'].replace('_', '-')}-{day}")[: MAX_CHARS - 4]
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1000)))
    return next((name for name in names if name not in taken), stem)


def _usual() -> dict[str, str]:
    """What stands in the form at first."""
    time, limits = TimeControl(), Limits()
    fields = TournamentPlan.model_fields
    return {
        "game": USUAL_GAME,
        "format": FormatName.ROUND_ROBIN,
        "openings": str(fields["openings"].default),
        "opening_plies": str(fields["opening_plies"].default),
        "extensions": str(time.extensions),
        **{name: _seconds(getattr(time, field)) for name, field in SECONDS.items()},
        **{f"limit-{name}": str(getattr(limits, name)) for name in LIMITS},
    }


def _seconds(milliseconds: int | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:g}"


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
