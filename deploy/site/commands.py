"""The pages of the command line, from the commands themselves, as the manual pages are."""

from __future__ import annotations

from collections.abc import Iterator

from arena.cli.shared.commands import Page
from arena.core.words import say
from deploy.man import Main, languages, mains, spoken
from deploy.site.markdown import ORPHAN, code, index, plain, table

FOLDERS = {None: "commands", "zh_TW": "zh-Hant-TW/commands"}
"""Where the pages of a language are."""
INTRO = {
    None: (
        "Commands",
        "Every command with its options, as `--help` and the manual pages tell them.",
        "Meaning",
    ),
    "zh_TW": ("指令", "每一個指令及其選項，內容與 `--help` 及說明頁（man page）相同。", "說明"),
}


def pages() -> Iterator[tuple[str, str]]:
    """A page of `arena` and of each group, in each language; by their paths."""
    for language in (None, *languages()):
        folder = FOLDERS[language]
        title, intro, meaning = INTRO[language]
        with spoken(language):
            found = list(mains())
            for main in found:
                yield f"{folder}/{main.title}.md", ORPHAN + "\n\n".join(_page(main, meaning)) + "\n"
        listed = ((f"{main.title}.md", _name(main), plain(main.page.paragraphs[0])) for main in found)
        yield f"{folder}/index.md", index(title, intro, listed)


def _page(main: Main, meaning: str) -> Iterator[str]:
    yield f"# {_name(main)}"
    yield from _body(main.page, meaning)
    for name, page in main.below:
        yield f"## arena {name}"
        yield from _body(page, meaning)


def _name(main: Main) -> str:
    return main.title.replace("-", " ", 1)


def _body(page: Page, meaning: str) -> Iterator[str]:
    yield from map(plain, page.paragraphs)
    yield f"```text\n{page.usage}\n```"
    for heading, rows in page.sections:
        yield table((heading.rstrip(":："), meaning), ((code(name), plain(words)) for name, words in rows))
    yield say("Examples:")
    yield "```text\n" + "\n".join(page.examples) + "\n```"
