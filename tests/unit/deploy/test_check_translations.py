"""The check of the translations notices every message that a reader would not get in their language."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.check_translations import faults, guide_faults, main

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\nLanguage: zh_Hant_TW\\n"\n\n'
GOOD = """msgid "%(num)s game"
msgid_plural "%(num)s games"
msgstr[0] "%(num)s 局"

msgid "Marked"
msgstr "標記"

msgid "Told by a script"
msgstr "程式說的"
"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Pages that say three messages: in a template, in code and in a script."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(
        "{% trans num=3 %}{{ num }} game{% pluralize %}{{ num }} games{% endtrans %}"
    )
    (tmp_path / "words.py").write_text('NAME = N_("Marked")\n')
    (tmp_path / "static" / "vendor").mkdir(parents=True)
    (tmp_path / "static" / "site.js").write_text('say(_("Told by a script"));\n')
    (tmp_path / "static" / "vendor" / "other.js").write_text('say(_("Of others"));\n')
    return tmp_path


def _translate(pages: Path, messages: str) -> None:
    path = pages / "locale" / "zh_Hant_TW" / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + messages, encoding="utf-8")


def test_the_pages_are_translated() -> None:
    """The catalogues of this checkout pass."""
    assert main() == 0


def test_a_complete_catalogue(pages: Path) -> None:
    """A catalogue with every message passes."""
    _translate(pages, GOOD)
    assert faults(pages) == []


@pytest.mark.parametrize(
    ("before", "after", "message", "fault"),
    [
        ('msgid "Marked"\nmsgstr "標記"\n', "", "Marked", "is missing"),
        ('msgid "Told by a script"\nmsgstr "程式說的"\n', "", "Told by a script", "is missing"),
        ('msgstr "標記"', 'msgstr ""', "Marked", "is not translated"),
        ('msgid "Marked"', '#, fuzzy\nmsgid "Marked"', "Marked", "is fuzzy"),
        ('msgid "Marked"', 'msgid "Gone"\nmsgstr "無"\n\nmsgid "Marked"', "Gone", "is said nowhere"),
        ('"%(num)s 局"', '"%(number)s 局"', "games", "has the placeholders ['number'], not ['num']"),
        ('"%(num)s 局"', '"局"', "games", "has the placeholders [], not ['num']"),
    ],
)
def test_faulty_catalogues(
    *, pages: Path, before: str, after: str, message: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each fault is told with the message that has it, and the check fails."""
    _translate(pages, GOOD.replace(before, after))
    assert main(pages) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert line.endswith(fault)


def test_what_is_refused_is_translated(tmp_path: Path) -> None:
    """A refusal that the catalogue lacks fails, and so does one of a text that no catalogue can have."""
    pages = tmp_path / "web" / "pages"
    (pages / "templates").mkdir(parents=True)
    (tmp_path / "people").mkdir()
    service = tmp_path / "people" / "users.py"
    service.write_text('raise ConflictError("%(user)r is in", user=name)\n')
    _translate(pages, "")
    assert [fault.partition(" (")[0] for fault in faults(pages)] == ["zh_Hant_TW: '%(user)r is in'"]
    _translate(pages, '#, python-format\nmsgid "%(user)r is in"\nmsgstr "「%(user)s」已在"\n')
    assert faults(pages) == []
    service.write_text(
        'raise ConflictError("%(user)r is in", user=name)\nraise NotFoundError(f"no {name}")\n'
    )
    assert len(faults(pages)) == 1
    assert "users.py:2 refuses with a text that cannot be translated" in faults(pages)[0]


def test_what_a_game_refuses_is_translated(tmp_path: Path) -> None:
    """What the rules of a game say of its parameters, beside the package of the pages, is looked at, too."""
    pages = tmp_path / "arena" / "web" / "pages"
    (pages / "templates").mkdir(parents=True)
    (tmp_path / "engines" / "games").mkdir(parents=True)
    rules = tmp_path / "engines" / "games" / "nim.py"
    rules.write_text('raise ParameterError("%(rows)s are too many", rows=rows)\n')
    _translate(pages, "")
    assert [fault.partition(" (")[0] for fault in faults(pages)] == ["zh_Hant_TW: '%(rows)s are too many'"]


@pytest.mark.parametrize(
    ("chinese", "told"),
    [
        ("# 指南\n\n[我的隊伍](/my)\n\n```\nrun\n```\n", []),
        ("# 指南\n\n[我的隊伍](/me)\n\n```\nrun\n```\n", ["a link to /my", "a link to /me"]),
        ("# 指南\n\n## 其一\n\n[我的隊伍](/my)\n\n```\nrun\n```\n", ["h2 1"]),
        ("# 指南\n\n[我的隊伍](/my)\n\n```\nRUN\n```\n", ["run", "RUN"]),
        (None, ["English only"]),
    ],
)
def test_a_guide_has_the_same_in_each_language(pages: Path, chinese: str | None, told: list[str]) -> None:
    """A section, a link or code that one language lacks is named."""
    (pages / "guides").mkdir()
    (pages / "guides" / "student.en.md").write_text("# Guide\n\n[My team](/my)\n\n```\nrun\n```\n")
    if chinese is not None:
        (pages / "guides" / "student.zh-Hant-TW.md").write_text(chinese)
    found = list(guide_faults(pages))
    assert len(found) == bool(told)
    assert all(what in found[0] for what in told)


def test_a_percent_sign_that_begins_nothing_is_noticed(pages: Path) -> None:
    """A page whose message has one cannot be made; where the English has one too, it stands for itself."""
    (pages / "words.py").write_text('NAME = N_("Marked")\nSHARE = N_("Half: 50 %")\n')
    more = '\nmsgid "Half: 50 %"\nmsgstr "一半 50 %"\n'
    _translate(pages, GOOD + more)
    assert faults(pages) == []
    _translate(pages, GOOD.replace("標記", "50% 的") + more)
    assert [fault for fault in faults(pages) if "percent" in fault]
    _translate(pages, GOOD.replace("標記", "50%% 的") + more)
    assert faults(pages) == []
