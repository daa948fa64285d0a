"""What workers say of a bot, known again by its English, so that it can be said in any language.

Reports, records and the database have these sentences as they were said, also by hosts of other versions;
only whoever reads them gets them in their language. What is not known here stays English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from arena.core.errors import AnyOf, Worded
from arena.core.words import say, say_named

MAX_CHARS = 2000
"""Longer texts are no sentences of ours, and would take long to compare."""
NUMBERS = frozenset({"at", "bytes", "count", "entries", "ms", "seconds", "status", "took", "whole"})
"""The names of values that are numbers."""
EITHER = "either"
"""The name of values of which one would do."""
PLACE = re.compile(r"%\((\w+)\)s")


class Saying:
    """A sentence with names for its values."""

    def __init__(self, message: str) -> None:
        self.message = message

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = PLACE.split(self.message)
        return re.compile("".join(map(_part, range(len(parts)), parts)), re.DOTALL)

    def values_in(self, text: str) -> dict[str, str] | None:
        """The values that make this sentence `text`; None where none do."""
        found = self._pattern.fullmatch(text)
        return found.groupdict() if found else None


def _part(number: int, part: str) -> str:
    """A part of a message as a pattern: text, or every second one the name of a value."""
    if number % 2 == 0:
        return re.escape(part)
    return rf"(?P<{part}>[\d.]+)" if part in NUMBERS else f"(?P<{part}>.+?)"


_REFEREE = (
    Saying("closed its input or output but did not end"),
    Saying("ended by itself with exit status %(status)s"),
    Saying("was ended by %(signal)s: it used too much %(what)s"),
    Saying("was ended by %(signal)s"),
    Saying("CPU time"),
    Saying("file size"),
    Saying("memory or CPU"),
    Saying("was not ready after %(seconds)s s"),
    Saying("the answer to hello is no ready: %(why)s"),
    Saying("the answer is malformed: %(why)s"),
    Saying("the answer does not fit the request: %(why)s"),
    Saying("used more than %(seconds)s s of processor time in one match"),
    Saying("took more than %(seconds)s s for its answers in one match"),
    Saying("wrote a line of more than %(bytes)s bytes"),
    Saying("wrote more than %(bytes)s bytes in one match"),
    Saying("did not read its input"),
    Saying("wrote before it was asked"),
    Saying("sent no answer in time"),
    Saying("answered too late"),
    Saying("%(what)s: %(took)s ms had passed, %(ms)s ms were allowed, %(extended)s"),
    Saying("%(what)s: %(took)s ms had passed, %(ms)s ms and what its bank held were allowed, %(extended)s"),
    Saying("even with one of its extensions (%(ms)s ms in all)"),
    Saying("and none of its %(count)s extensions was left"),
    Saying("not a move of this game: %(why)s"),
    Saying("%(move)s is not allowed here"),
)
"""How a game was lost: `workers.play`."""
_ADDED = (
    Saying("%(what)s; %(ms)s ms of it were lost to others on its host"),
    Saying("%(what)s; %(ms)s ms of processor time between its turns were charged"),
    Saying(
        "%(what)s; it looks like a bot for %(title)s: with a bot.toml that says protocol = %(name)s it plays "
        "here as it is (docs/adapters.md)"
    ),
)
"""What stands behind another sentence."""
_ANSWERS = (
    Saying("starts with a byte order mark"),
    Saying("not valid UTF-8 at byte %(at)s"),
    Saying("contains a NUL character"),
    Saying("contains an escaped NUL character"),
    Saying("contains a lone surrogate"),
    Saying("must be a JSON object, not %(kind)s"),
    Saying("an array"),
    Saying("a string"),
    Saying("a number"),
    Saying("true or false"),
    Saying("not JSON: %(reason)s at character %(at)s"),
    Saying("nested deeper than %(count)s"),
    Saying("has the key %(key)s twice"),
    Saying("has a number of more than %(count)s digits"),
    Saying("has a number that is not finite"),
    Saying("has %(literal)s, which is not JSON"),
    Saying('"type" must be %(either)s, not %(got)s'),
    Saying("%(key)s must be true or false"),
    Saying("%(key)s must be a string of 1 to %(count)s characters, not %(got)s"),
    Saying("%(key)s must be a string of at most %(count)s characters"),
    Saying("%(key)s must be a string of at most %(count)s bytes"),
    Saying("%(key)s must be %(wanted)s, not %(got)s"),
)
"""What is wrong with a line of a bot's: `bots.protocol`."""
_BUILDS = (
    Saying("the build of this %(language)s bot was stopped: %(why)s"),
    Saying("it took more than %(seconds)s s"),
    Saying("it wrote more than %(bytes)s bytes"),
    Saying("the build of this %(language)s bot ended with status %(status)s"),
    Saying("the build made more than %(bytes)s bytes"),
    Saying("the build made no program %(name)s"),
    Saying("the build left a folder that cannot be read: %(why)s"),
    Saying("the build left folders more than %(count)s deep"),
)
"""Why a bot was not built: `workers.programs.builds`."""
_FILES = (
    Saying("bot.toml has %(bytes)s bytes; at most %(count)s are taken"),
    Saying("a line of bot.toml has more than %(count)s dots; break it up"),
    Saying("bot.toml is not TOML in UTF-8: %(why)s"),
    Saying("bot.toml is wrong at %(where)s: %(why)s; it knows %(known)s"),
    Saying("Extra inputs are not permitted"),
    Saying("Input should be a valid string"),
    Saying("Input should be a valid list"),
    Saying("Input should be a valid integer"),
    Saying("Input should be %(either)s"),
    Saying("bot.toml names the language %(language)s; there are %(known)s"),
    Saying(
        "bot.toml names the environment %(environment)s; a name has at most %(count)s characters a-z, 0-9 "
        "and -, such as numpy"
    ),
    Saying("bot.toml names the protocol %(protocol)s; there are %(known)s"),
    Saying("bot.toml says %(option)s, which goes with the protocol %(either)s"),
    Saying("bot.toml names the protocol lines, and has no template in [lines]"),
    Saying("bot.toml names %(game)s, and %(protocol)s is for %(known)s"),
    Saying("there is no game %(game)s; there are %(known)s"),
    Saying("bot.toml names the protocol %(protocol)s, which is for Python; %(entry)s is %(language)s"),
    Saying(
        "bot.toml names the environment %(environment)s, and the bot is in %(language)s; only Python bots "
        "have one"
    ),
    Saying("bot.toml names the entry %(entry)s, and there is no such file"),
    Saying(
        "bot.toml says %(language)s, but there is no %(either)s; give the file that starts your bot that "
        "name, or name it as the entry in bot.toml"
    ),
    Saying(
        "there is no file that starts a bot at the top: %(known)s; name yours so, or write a bot.toml with "
        "its language and entry"
    ),
    Saying("each of %(names)s could start the bot; say which in a bot.toml: language = ..."),
    Saying("what language %(entry)s is in cannot be told; add language = ... to bot.toml"),
    Saying("%(name)s is no 64-bit Linux program (ELF)"),
    Saying("%(name)s is a damaged program"),
    Saying("%(name)s is built for another machine than %(machine)s"),
    Saying("%(name)s needs shared libraries; link it with -static"),
    Saying("the upload is empty; send one source file, or a .zip of your bot's files"),
    Saying("the upload has %(bytes)s bytes; at most %(count)s are taken"),
    Saying("%(name)s is neither a .zip nor a source file; the languages are %(known)s"),
    Saying("%(name)s is not Python source: it is no text in UTF-8 or in the encoding it names"),
    Saying("the file is not a readable zip: %(why)s"),
    Saying("the zip has %(entries)s entries; at most %(count)s are taken"),
    Saying("the zip holds %(name)s twice, or names that some systems take for the same"),
    Saying("the zip has the name %(name)s; use plain relative names with /"),
    Saying("the zip has %(name)s, which is a link or a device; only files are taken"),
    Saying("the zip has %(name)s encrypted; send it without a password"),
    Saying("the zip has %(name)s compressed in a rare way; use the usual one (deflate)"),
    Saying(
        "the zip has the name %(name)s…, which is too long: at most %(bytes)s bytes of UTF-8 for a file or "
        "folder, %(whole)s for the whole path, %(count)s names in it"
    ),
    Saying(
        "the zip unpacks to more than is taken (%(bytes)s bytes, and at most %(count)s times its own size)"
    ),
    Saying("the zip's entry %(name)s cannot be read: %(why)s"),
    Saying("the zip uses a part of %(name)s both as a file and as a folder"),
)
"""Why files are no bot: `workers.programs.archives`, `runtimes`."""
_WAITING = (
    Saying("waiting for a worker host that runs %(able)s and checks bots; none is there now"),
    Saying(
        "waiting for a worker host that runs %(able)s, starts bots by adapters and checks bots; none is "
        "there now"
    ),
)
"""What a check waits for: `arena.submissions.hosts`."""
SAYINGS = (*_ADDED, *_REFEREE, *_ANSWERS, *_BUILDS, *_FILES, *_WAITING[::-1])
"""All of them; of two that are alike the first."""


def worded(text: str) -> Worded:
    """That text as a message with its values, which may be such themselves; or as it stands."""
    return _known(text) or Worded(text)


def said(text: str) -> str:
    """That text in the language of whoever sits at the terminal."""
    return _said(worded(text))


def _known(text: str) -> Worded | None:
    if len(text) > MAX_CHARS:
        return None
    for saying in SAYINGS:
        values = saying.values_in(text)
        if values is not None:
            return Worded(saying.message, **dict(_within(values)))
    return None


def _within(values: dict[str, str]) -> Iterator[tuple[str, object]]:
    for name, value in values.items():
        yield name, AnyOf(value.split(" or ")) if name == EITHER else _known(value) or value


def _said(words: Worded) -> str:
    def value(each: object) -> object:
        if isinstance(each, AnyOf):
            return say(" or ").join(map(str, each))
        return _said(each) if isinstance(each, Worded) else each

    return say_named(words.message, {name: value(each) for name, each in words.values.items()})
