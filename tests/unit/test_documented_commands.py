"""Every command that the documents show is one that the programs take."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.cli.app import build
from arena.cli.tree import commands as tree_of_commands
from tests.documents import ROOT, Shown, command_of, commands, documents

TREE = dict(tree_of_commands())
BRACKETS = re.compile(r"\[[^\[\]]*\]")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
NUMBERS = {"N", "DAYS", "DELIVERY"}
"""Placeholders of numbers."""
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
SHOWN = [(document, shown) for document in documents() if (shown := commands(document))]


def _parsed(words: list[str]) -> str:
    """The command that the parser takes these words for, with all of them read; raises where it does not."""
    command: Any = build(words)
    context = command.make_context("arena", words, resilient_parsing=not words or words[0].startswith("-"))
    while getattr(context, "_protected_args", None):
        _, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(command.name, rest, parent=context)
    return str(context.command_path)


def _named(text: str) -> list[str]:
    """The commands that a synopsis tells of, whether there are such or not."""
    bare = text
    while BRACKETS.search(bare):
        bare = BRACKETS.sub("", bare)
    first, *others = [part.split() for part in bare.split(" | ")]
    words = first[first.index("arena") + 1 :]
    size = next(size for size in range(len(words), 0, -1) if " ".join(words[:size]) in TREE)
    above = words[: size - 1]
    return [" ".join(words[:size]), *(" ".join([*above, part[0]]) for part in others if part)]


def _options(name: str) -> set[str]:
    return {option for each in TREE[name].params for option in (*each.opts, *each.secondary_opts)}


@pytest.mark.parametrize(("document", "shown"), SHOWN, ids=[document for document, _ in SHOWN])
def test_every_command_can_be_called(document: str, shown: list[Shown]) -> None:
    """The parser takes each as it stands; of a synopsis, each name and option is there."""
    del document
    for each in shown:
        calls = [call for call in each.calls() if call[0] == "arena"]
        if each.is_synopsis and calls:
            named = _named(each.text)
            assert [name for name in named if name not in TREE] == [], each
            known = {option for name in named for option in _options(name)}
            assert set(OPTION.findall(each.text)) <= known | {"--help"}, each
            continue
        for call in calls:
            words = ["1" if word in NUMBERS else word for word in call[1:]]
            try:
                _parsed(words)
            except Exception as error:  # noqa: BLE001  (whatever the parser has against it)
                pytest.fail(f"{each}: {error}")


@pytest.mark.parametrize(("document", "shown"), SHOWN, ids=[document for document, _ in SHOWN])
def test_every_target_of_make_is_there(document: str, shown: list[Shown]) -> None:
    """What is made by `make` is in the Makefile."""
    del document
    asked = [call[1] for each in shown for call in each.calls() if call[0] == "make"]
    assert [target for target in asked if target not in TARGETS] == []


@pytest.mark.parametrize("name", ["student", "teacher"])
def test_a_tutorial_shows_the_same_in_both_languages(name: str) -> None:
    """Command by command the Chinese one does what the English one does, so that running one judges both."""
    shown = [
        [each.text for each in commands(f"docs/{folder}/{name}.md")] for folder in ("tutorials", "zh-Hant-TW")
    ]
    assert re.sub("停電", "power cut", "\n".join(shown[1])) == "\n".join(shown[0])


@pytest.mark.parametrize(
    ("text", "command", "calls"),
    [
        ("arena up --https      # for all", "arena up --https", [["arena", "up", "--https"]]),
        (
            "arena match show 'a.jsonl#3'  which",
            "arena match show 'a.jsonl#3'",
            [["arena", "match", "show", "a.jsonl#3"]],
        ),
        (
            "X=1 arena down; make man > out",
            "X=1 arena down; make man > out",
            [["arena", "down"], ["make", "man"]],
        ),
    ],
)
def test_a_command_is_read_without_what_explains_it(text: str, command: str, calls: list[list[str]]) -> None:
    """Comments after `#` or two spaces, variables and where the output goes are no words of a command."""
    found = Shown("a document", 1, command_of(text))
    assert (found.text, found.calls()) == (command, calls)


def test_prose_and_pictures_are_no_commands() -> None:
    """A word alone is not, nor what begins with no program."""
    assert [command_of(text) for text in ("arena  ->  workers", "the arena says", "   2--3--4")] == [
        "",
        "",
        "",
    ]
