"""The pages of the site as Markdown, in one folder: those of `docs/`, and those that are made."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from deploy.site import api, commands
from deploy.site.markdown import ORPHAN, index

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIRST = Path(__file__).with_name("index.md")
OF_THE_PROJECT = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
NOTEBOOK_PAGE = "research-notebook.md"
FENCE = "```"
INDENT = "    "
TO_A_PAGE = re.compile(r"`docs/(?P<page>[\w/-]+\.md)`")
TO_A_DECISION = re.compile(r"(?<!\[)\b(?P<words>[Dd]ecision (?P<number>\d+))\b(?!\])")
CHINESE = "zh-Hant-TW"
BETWEEN_CHINESE = re.compile("(?<=[\u3001-\uffef])\n(?=[\u3001-\uffef])")
LINK = re.compile(r"\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def gather(folder: Path) -> None:
    """Write every page of the site below `folder`."""
    shutil.copytree(DOCS, folder)
    shutil.copy(FIRST, folder)
    for name in OF_THE_PROJECT:
        text = (ROOT / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace("](docs/", "]("), encoding="utf-8")
    _write(folder / "decisions" / "index.md", _index_of_decisions(folder / "decisions"))
    _write(folder / NOTEBOOK_PAGE, _notebook(folder / "research.ipynb"))
    for name, text in (*api.pages(), *commands.pages()):
        _write(folder / name, text)
    decisions = {int(path.name[:4]): path for path in (folder / "decisions").glob("[0-9]*.md")}
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        if CHINESE in page.parts:
            text = BETWEEN_CHINESE.sub("", text)  # where a line ends nothing stands, not a space
        page.write_text(linked(text, page, folder, decisions), encoding="utf-8")


def linked(text: str, page: Path, folder: Path, decisions: dict[int, Path]) -> str:
    """The text of a page of which each path of a page, and each decision that is named, is a link.

    What leads to a folder or out of `docs/`, as on a forge, leads to the page of it on the site.
    """

    def to(path: Path) -> str:
        return Path(os.path.relpath(path, page.parent)).as_posix()

    def page_named(found: re.Match[str]) -> str:
        path = folder / found["page"]
        return f"[{found[0]}]({to(path)})" if path.exists() else found[0]

    def decision(found: re.Match[str]) -> str:
        path = decisions.get(int(found["number"]))
        return f"[{found['words']}]({to(path)})" if path and path != page else found[0]

    def target(found: re.Match[str]) -> str:
        path = page.parent / found["target"]
        if path.suffix == ".ipynb":
            path = folder / NOTEBOOK_PAGE
        elif path.is_dir() and (path / "index.md").exists():
            path /= "index.md"
        elif not path.exists() and (folder / path.name).exists():
            path = folder / path.name
        return f"]({to(path)}{found['anchor'] or ''})"

    def words(line: str) -> str:
        return LINK.sub(target, TO_A_DECISION.sub(decision, TO_A_PAGE.sub(page_named, line)))

    return "\n".join(words(line) if is_prose else line for line, is_prose in _lines(text)) + "\n"


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Every line, and whether it is prose: neither a heading nor code."""
    fenced = False
    for line in text.splitlines():
        fence = line.lstrip().startswith(FENCE)
        fenced ^= fence
        yield line, not (fenced or fence or line.startswith((INDENT, "#")))


def _index_of_decisions(folder: Path) -> str:
    found = []
    for path in sorted(folder.glob("[0-9]*.md"), reverse=True):
        text = path.read_text(encoding="utf-8")
        path.write_text(f"{ORPHAN}{text}", encoding="utf-8")
        found.append((path.name, text.partition("\n")[0].removeprefix("# "), ""))
    return index("Decisions", "Why things are as they are; the newest first.", iter(found))


def _notebook(path: Path) -> str:
    """The cells of a notebook without outputs, and the notebook itself to be taken along."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"{FENCE}python\n{text}\n{FENCE}")
    return "\n\n".join([*parts, f"This page is a notebook: {{download}}`{path.name}`."]) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
