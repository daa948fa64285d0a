"""`arena config`: what is in force, where it comes from, and no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run

SECRETS = ("hush", "sesame", "knock")


def test_every_setting_with_its_source(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable, the file, and the default are told apart; the value is the one that is in force."""
    (tmp_path / "arena-data").mkdir()
    path = tmp_path / "arena-data" / "arena.toml"
    path.write_text("window = 5\nmax_lost = 9\n")
    monkeypatch.setenv("ARENA_DATA_DIR", "arena-data")
    monkeypatch.setenv("ARENA_MAX_LOST", "7")
    found = {each["name"]: each for each in run("config", "--json").json()["settings"]}
    assert found["window"] == {"name": "window", "value": "5", "source": str(path)}
    assert found["max_lost"] == {"name": "max_lost", "value": "7", "source": "ARENA_MAX_LOST"}
    assert found["cgroups"] == {"name": "cgroups", "value": "true", "source": "default"}
    assert found["config"]["value"] == str(path)
    assert {"url", "token", "match_cores", "oidc_issuer", "tables_dir"} <= found.keys()
    assert "window" in run("config").out


def test_an_option_goes_before_all(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --data it is the other folder's file alone, and the source says so."""
    monkeypatch.setenv("ARENA_DATA_DIR", str(tmp_path / "one"))
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "arena.toml").write_text('match_cores = 1\nurl = "http://one.test"\n')
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "arena.toml").write_text("window = 6\nslot_uid = 70000\n")
    ran = run("config", "--data", str(tmp_path / "two"), "--json")
    found = {each["name"]: (each["value"], each["source"]) for each in ran.json()["settings"]}
    assert found["data_dir"] == (str(tmp_path / "two"), "--data")
    assert found["window"] == ("6", str(tmp_path / "two" / "arena.toml"))
    assert found["slot_uid"][0] == "70000"
    assert found["match_cores"] == (None, "default")
    assert found["url"] == ("http://127.0.0.1:8080", "default")
    assert found["archive_url"][0] == (tmp_path / "two" / "archives").as_uri()


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_secrets_are_masked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Passwords in addresses, the provider's secret and the token are not shown, wherever they come from."""
    (tmp_path / "arena-data").mkdir()
    text = 'broker_url = "redis://u:hush@there:1/0"\ntoken = "knock"\noidc_client_secret = "sesame"\n'
    text += 'oidc_issuer = "https://id.example"\noidc_client_id = "arena"\noidc_name = "School"\n'
    (tmp_path / "arena-data" / "arena.toml").write_text(text)
    monkeypatch.setenv("ARENA_DATA_DIR", str(tmp_path / "arena-data"))
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://u:hush@there/arena")
    ran = run("config", *words)
    assert ran.code == 0, ran.err
    assert not [secret for secret in SECRETS if secret in ran.out]
    assert ran.out.count("***") >= 4


def test_a_slip_is_told(run: Run, tmp_path: Path) -> None:
    """An unknown key is an error that names the nearest."""
    (tmp_path / "arena-data").mkdir()
    (tmp_path / "arena-data" / "arena.toml").write_text("lease_second = 5\n")
    ran = run("config", "--data", "arena-data")
    assert (ran.code, ran.out) == (2, "")
    assert "lease_second is no setting of the arena; did you mean lease_seconds?" in ran.err


def test_a_file_that_is_not_read_is_told(run: Run, tmp_path: Path) -> None:
    """Where nobody named the usual folder, a note tells of its file, and nothing of it is in force."""
    (tmp_path / "arena-data").mkdir()
    (tmp_path / "arena-data" / "arena.toml").write_text("window = 5\nmoonlight = 1\n")
    ran = run("config", "--json")
    found = {each["name"]: each["value"] for each in ran.json()["settings"]}
    assert (ran.code, found["window"], found["config"]) == (0, None, None)
    assert "arena.toml is not read, as nobody named its folder" in ran.err
