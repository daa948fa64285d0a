"""What the documents show of commands and files, read as their readers do.

A command stands on a line of its own in a block that is indented or fenced, and what explains it follows
after `#` or two spaces. Words in capitals stand for the reader's own; what has brackets, alternatives or dots
tells of several commands at once and is called a synopsis. A fenced block whose paragraph before ends with a
file's name and a colon is that file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAMS = {
    *("arena", "make", "pip", "curl", "uv", "uvx", "python", "python3", "celery", "eval", "mkdir", "cp"),
    *("docker", "kubectl", "systemctl", "apt-get", "/opt/arena/bin/pip", "pre-commit", "git", "openssl"),
}
"""What a line of a block begins with that is a command, after variables."""
SHELL = ("", "sh", "console")
BLOCK = re.compile(
    r"^```(?P<kind>\w*)[ ]*\n(?P<fenced>.*?)^```[ ]*$|(?<=\n\n)(?P<indented>(?:    [^\n]*\n|\n(?=    ))+)",
    re.MULTILINE | re.DOTALL,
)
FILE = re.compile(r"`(?P<path>[\w./-]+)`[:：]\s*\Z")
EXPLAINED = re.compile(r"""^(?P<command>(?:[^\s'"#]|(?<=\S)#|'[^']*'|"[^"]*"|\s(?![\s#]))*)""")
SYNOPSIS = re.compile(r"\[|…|\.\.\.| \| |\w\|[\w<]")
PLACEHOLDER = re.compile(r"(?<![\w$=.-])[A-Z]{1,12}(?![\w=.-])")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
VARIABLE = re.compile(r"[A-Z_]+=\S* ")


@dataclass(frozen=True)
class Shown:
    """A line with a command, without what explains it."""

    document: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: {self.text}"

    @property
    def is_synopsis(self) -> bool:
        """Whether it tells of several commands, or of parts that may be left out."""
        return bool(SYNOPSIS.search(QUOTED.sub("''", self.text)))

    @property
    def placeholders(self) -> list[str]:
        """The words that stand for the reader's own."""
        return PLACEHOLDER.findall(QUOTED.sub("''", self.text))

    def calls(self) -> list[list[str]]:
        """The words of each program that is called, without variables and where its output goes."""
        found: list[list[str]] = [[]]
        words = shlex.shlex(self.text, posix=True, punctuation_chars=";&|><")
        words.whitespace_split, words.commenters = True, ""
        for word in words:
            if set(word) <= set(";&|"):
                found.append([])
            else:
                found[-1].append(word)
        return [list(_called(call)) for call in found if call]


def _called(call: list[str]) -> Iterator[str]:
    begun, passed = False, False
    for word in call:
        begun |= not VARIABLE.fullmatch(f"{word} ")
        if passed or word in {">", ">>"}:
            passed = not passed
        elif begun:
            yield word


@dataclass(frozen=True)
class Written:
    """A file that the reader is to write."""

    path: str
    text: str


def documents() -> list[str]:
    """The documents, by their paths: what a reader of the repository and of the site has."""
    found = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def story(document: str) -> Iterator[Shown | Written]:
    """The commands and files of a document, in their order."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        kind, indented = block["kind"], block["indented"]
        if indented is None and kind not in SHELL:
            if file := FILE.search(text[: block.start()]):
                yield Written(file["path"], block["fenced"])
            continue
        start = text.count("\n", 0, block.start()) + (1 if indented is not None else 2)
        for number, line in enumerate((indented or block["fenced"] or "").splitlines(), start):
            if shown := command_of(line):
                yield Shown(document, number, shown)


def commands(document: str) -> list[Shown]:
    """The commands alone."""
    return [each for each in story(document) if isinstance(each, Shown)]


def command_of(line: str) -> str:
    """The command on a line, without what explains it; empty where there is none."""
    found = EXPLAINED.match(line.strip())
    text = found["command"].strip() if found else ""
    bare = text
    while variable := VARIABLE.match(bare):
        bare = bare[variable.end() :]
    program, *words = bare.split() or [""]
    return text if program in PROGRAMS and words else ""
