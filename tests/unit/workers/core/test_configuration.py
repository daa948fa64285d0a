"""Settings that cannot be used are refused with one sentence each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import arena.core.settings
import workers.core.settings
from workers.core.configuration import or_exit, read_settings
from workers.core.errors import SettingsError
from workers.core.settings import ELSEWHERE, TRUSTED_SIDE, WorkerSettings, check_names

WRONG = {
    "ARENA_MATCH_CORES": ["0", "-1", "many"],
    "ARENA_SLOT_UID": ["-5", "0", "root"],
    "ARENA_MOST_MEMORY_MB": ["1"],
    "ARENA_HEARTBEAT_SECONDS": ["0", "nan", "inf", "1e300"],
    "ARENA_CGROUPS": ["maybe"],
    "ARENA_CONFINEMENT": ["docker", "Landlock"],
    "ARENA_BOT_PYTHON": ["/no/such", "", "'unclosed"],
    "ARENA_CORES_DIR": ["/proc/nowhere", "/etc/passwd", "", "relative"],
    "ARENA_CACHE_DIR": ["/proc/nowhere", "/etc/passwd", "", "relative"],
    "ARENA_LEAST_SPEED": ["-1", "inf"],
    "ARENA_LEASE_SECONDS": ["abc", "1e300", "0", "-1", "nan"],
    "ARENA_TICK_SECONDS": ["1e9", "0"],
    "ARENA_WINDOW": ["1.5", "0", "10000"],
    "ARENA_TIMEZONE": ["Mars"],
    "ARENA_DATABASE_URL": [
        "mysql://u:secret@h/x",
        "nonsense",
        "sqlite+aiosqlite:///x",
        "postgresql+asyncpg://h/x",
        "mysql://u:secr/secret@h/x",
        "u:secr@et@h/x",
        "postgresql://h/x?password=secret&other=1",
        *("sqlite://", "sqlite:///:memory:", "sqlite:///relative.db", "sqlite:////x?mode=ro", "sqlite://h/x"),
    ],
    "ARENA_BROKER_URL": [
        *("amqp://h", "foo", "redis://h:port", "redis://:secr/secret@h", "redis://h/0?password=secret"),
        *("redis://127.0.0.1:1/0?foo=bar", "redis://h/0?socket_timeout=abc", "redis://h/0?db=2"),
        *("redis://h/abc", "redis://h/1/2", "redis://h:99999/0", "rediss://h/0?ssl_cert_reqs=maybe"),
        *("redis+socket://", "redis+socket://relative/path", "redis+socket:///path?db=2"),
    ],
    "ARENA_ARCHIVE_URL": [
        *("archives", "ftp://h/x", "file://relative", "s3:///x", "s3:// /x", "file:///tmp?x", "file://"),
        *("file:///etc/passwd", "file:///proc/nowhere"),
    ],
}


@pytest.mark.parametrize(
    ("name", "what"), [("ARENA_RECORDS_URL", "recorded games"), ("ARENA_ARCHIVE_URL", "archives")]
)
def test_a_store_s_address_is_told_from_the_other_one_s(
    monkeypatch: pytest.MonkeyPatch, name: str, what: str
) -> None:
    """Whoever mistypes one of the two reads what is kept there."""
    monkeypatch.setenv(name, "ftp://h/x")
    for model in (arena.core.settings.Settings, WorkerSettings):
        with pytest.raises(SettingsError, match=f"{what} are kept in file:///FOLDER or s3://BUCKET/PATH"):
            read_settings(model)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_each_is_told_in_one_line_with_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The variable as it was written, why it cannot be used, and nothing of how settings are read."""
    monkeypatch.setenv(name, value)
    field = name.removeprefix("ARENA_").lower()
    models = [each for each in (arena.core.settings.Settings, WorkerSettings) if field in each.model_fields]
    for model in models:
        with pytest.raises(SettingsError) as refusal:
            read_settings(model)
        (line,) = str(refusal.value).splitlines()
        assert line.startswith(f"{name}=")
        assert " cannot be used: " in line
        assert not any(word in line.lower() for word in ("pydantic", "input", "validation", "secr"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARENA_BROKER_URL", "redis://user:p%40ss@h:6379/2"),
        ("ARENA_BROKER_URL", "rediss://h/0?ssl_cert_reqs=none"),
        ("ARENA_BROKER_URL", "redis+socket:///run/valkey.sock"),
        ("ARENA_ARCHIVE_URL", "s3://bucket/path"),
        ("ARENA_DATABASE_URL", "postgresql+psycopg://u:p@h:5432/x?sslmode=require"),
        ("ARENA_DATABASE_URL", "sqlite:////data/arena.db"),
    ],
)
def test_what_the_documents_name_is_taken(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """Every kind of address, as it was written."""
    monkeypatch.setenv(name, value)
    settings = arena.core.settings.Settings()
    assert getattr(settings, name.removeprefix("ARENA_").lower()) == value


def test_nothing_is_made_by_reading(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Folders that can be made are taken, and are made by who uses them."""
    for name, value in (("CORES_DIR", "a/b"), ("CACHE_DIR", "c"), ("DATA_DIR", "d")):
        monkeypatch.setenv(f"ARENA_{name}", str(tmp_path / value))
    monkeypatch.setenv("ARENA_ARCHIVE_URL", (tmp_path / "e" / "f").as_uri())
    assert read_settings(WorkerSettings).cores_dir == tmp_path / "a" / "b"
    read_settings(arena.core.settings.Settings)
    assert not list(tmp_path.iterdir())


def test_the_documents_list_every_variable() -> None:
    """Whoever is told that a name is none of ours finds there which there are."""
    lines = (Path(__file__).parents[4] / "docs" / "architecture.md").read_text().splitlines()
    first = [line.split("|")[1] for line in lines if line.startswith("| `ARENA_")]
    listed = [name for cell in first for name in re.findall(r"`ARENA_(\w+)`", cell)]
    assert sorted(listed) == sorted(name.upper() for name in workers.core.settings.known_names())


def test_several_have_a_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever corrects one does not come back for the next."""
    monkeypatch.setenv("ARENA_MATCH_CORES", "0")
    monkeypatch.setenv("ARENA_CGROUPS", "maybe")
    with pytest.raises(SettingsError) as refusal:
        read_settings(WorkerSettings)
    assert [line.partition("=")[0] for line in str(refusal.value).splitlines()] == [
        "ARENA_MATCH_CORES",
        "ARENA_CGROUPS",
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ARENA_LEASE_SECOND", "did you mean ARENA_LEASE_SECONDS?"),
        ("arena_match_core", "did you mean ARENA_MATCH_CORES?"),
        ("ARENA_FOO", "docs/architecture.md"),
    ],
)
def test_a_name_that_nobody_reads_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, meant: str) -> None:
    """A slip in a name would leave the default in force without a word."""
    monkeypatch.setenv(name, "5")
    with pytest.raises(SettingsError, match=f"{name.upper()} is no setting of the arena; .*{meant[:-1]}"):
        check_names()


def test_what_others_tell_every_process_is_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kubernetes names the addresses of services called arena or arena-api in variables of our form."""
    for service in ("ARENA", "ARENA_API"):
        for name in ("SERVICE_HOST", "SERVICE_PORT_HTTP", "PORT", "PORT_80_TCP", "PORT_80_TCP_ADDR"):
            monkeypatch.setenv(f"{service}_{name}", "10.0.0.1")
    check_names()


def test_workers_know_the_names_that_only_the_other_side_reads() -> None:
    """One list of environment variables can be given to every process."""
    assert set(TRUSTED_SIDE) == set(arena.core.settings.Settings.model_fields) - set(
        WorkerSettings.model_fields
    )
    assert not set(ELSEWHERE) & set(WorkerSettings.model_fields)


def test_a_process_ends_with_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a traceback, and not with success."""
    monkeypatch.setenv("ARENA_WINDOW", "0")
    with pytest.raises(SystemExit, match="ARENA_WINDOW=0 cannot be used"):
        or_exit(lambda: read_settings(arena.core.settings.Settings))


@pytest.mark.parametrize("name", ["BROKER_URL", "DATABASE_URL"])
def test_a_secret_may_stand_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """What the file says is used, without the end of its line, and shown nowhere where it cannot be."""
    value = {"BROKER_URL": "redis://worker:secret@h:6379/0", "DATABASE_URL": "postgresql://u:secret@h/x"}[
        name
    ]
    file = tmp_path / "secret"
    file.write_text(f"{value}\n")
    monkeypatch.setenv(f"ARENA_{name}_FILE", str(file))
    assert getattr(arena.core.settings.read(), name.lower()) == value
    file.write_text("amqp:secret")
    with pytest.raises(SettingsError, match=f"ARENA_{name}_FILE={file} cannot be used") as refusal:
        arena.core.settings.read()
    assert "amqp:" not in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"\xff\xfe", "cannot be read: it is no text"),
        (b"\n", "cannot be used: the file is empty"),
        (b"x" * 4097, "cannot be used: it has over 4096 characters"),
    ],
)
def test_a_file_without_a_secret_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, words: str
) -> None:
    """In one sentence that names the variable and the file, before anything starts."""
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("ARENA_BROKER_URL_FILE", str(file))
    with pytest.raises(SettingsError, match=f"^ARENA_BROKER_URL_FILE={file} {words}$"):
        read_settings(WorkerSettings)


def test_a_secret_is_said_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody has to find out which of two is meant."""
    monkeypatch.setenv("ARENA_BROKER_URL", "redis://h/0")
    monkeypatch.setenv("ARENA_BROKER_URL_FILE", str(tmp_path / "secret"))
    with pytest.raises(SettingsError, match="give ARENA_BROKER_URL or ARENA_BROKER_URL_FILE, and not both"):
        read_settings(WorkerSettings)
