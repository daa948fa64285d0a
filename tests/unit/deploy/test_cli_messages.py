"""The checks of the command line's catalogue find what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy import cli_messages

USUAL = cli_messages.CATALOGUES / "zh_TW" / "LC_MESSAGES" / "arena.po"


def test_nothing_is_wrong() -> None:
    """The catalogue that there is has all that the command line says, and nothing else."""
    assert list(cli_messages.faults()) == []


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('msgid "nothing was done"', 'msgid "something was done"', "'nothing was done' (arena/cli"),
        ('msgid "nothing was done"', 'msgid "something was done"', "'something was done' is said nowhere"),
        ('msgstr "什麼都沒有做"', 'msgstr ""', "is not translated"),
        ('msgid "nothing was done"', '#, fuzzy\nmsgid "nothing was done"', "is fuzzy"),
        ('msgstr "{name} 已取消"', 'msgstr "{game} 已取消"', "fills other braces than ['name']"),
        ('msgstr "{name} 已取消"', 'msgstr "{name 已取消"', "fills other braces than ['name']"),
        ('須為 %(sizes)s 之一，不是 %(size)r"', '須為 %(sizes)s 之一"', "braces than ['size', 'sizes']"),
        ('msgstr[0] "{number} 天"', 'msgstr[0] "天"', "fills other braces than ['number']"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, before: str, after: str, fault: str) -> None:
    """What is missing, said nowhere, empty, fuzzy or filled otherwise is told with the message."""
    text = USUAL.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path = tmp_path / "zh_TW" / "LC_MESSAGES" / "arena.po"
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(before, after), encoding="utf-8")
    found = list(cli_messages.faults(tmp_path))
    assert any(fault in line for line in found), found
    assert len(found) <= 2


def test_a_refusal_that_no_catalogue_can_have_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the games and solvers refuse by is a constant, or what another error has said."""
    path = tmp_path / "rules.py"
    path.write_text(
        'raise SolverError(f"{game} is too large")\n'
        "raise ProofError(7, error.message, **error.values)\n"
        'raise ProofError(7, "the proof ends before its end")\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(cli_messages, "ROOT", tmp_path)
    monkeypatch.setattr(cli_messages, "RULES", (path,))
    found = list(cli_messages.faults(tmp_path))
    assert found == ["rules.py:1 refuses with a text that cannot be translated; name its values"]
