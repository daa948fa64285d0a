"""Settings of `arena.toml`: after the environment, before the defaults, and never with a slip in a name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import arena.core.settings
from arena.client.credentials import find_credentials
from arena.core.folder import DataFolder
from arena.supervisor.plans import plan_setup
from arena.supervisor.surroundings import check_settings
from workers.core.config_file import as_variables, config_file, file_values, for_all
from workers.core.configuration import read_settings
from workers.core.errors import SettingsError
from workers.core.settings import WorkerSettings, check_names


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder that is in use, and nothing of the user's."""
    monkeypatch.setenv("ARENA_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    return tmp_path


def write(folder: Path, text: str) -> Path:
    """A file with settings in that folder."""
    path = folder / "arena.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_setting_of_the_file_is_in_force(folder: Path) -> None:
    """Both sides read it, in TOML's own kinds of values; what is not there keeps its default."""
    write(folder, 'window = 5\ncgroups = false\ntimezone = "Asia/Taipei"\nlease_seconds = 45.5\n')
    settings = arena.core.settings.read()
    assert (settings.window, settings.lease_seconds, settings.max_lost) == (5, 45.5, 4)
    assert str(settings.timezone) == "Asia/Taipei"
    assert read_settings(WorkerSettings).cgroups is False


def test_a_file_of_windows_is_read_or_told_what_it_is(folder: Path) -> None:
    """A mark before UTF-8 is no part of the first key, and of UTF-16 it is said who writes that."""
    path = write(folder, "\ufeffwindow = 5\n")
    assert file_values() == {"window": 5}
    path.write_text("window = 5\n", encoding="utf-16")
    with pytest.raises(SettingsError, match=r"arena\.toml is not UTF-8 \(PowerShell's > writes UTF-16"):
        file_values()


def test_the_environment_goes_before_it_and_an_option_before_both(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable wins over the file, and what is asked for by an option over the variable."""
    write(folder, "window = 5\nmax_lost = 9\n")
    monkeypatch.setenv("ARENA_WINDOW", "6")
    assert (arena.core.settings.read().window, arena.core.settings.read().max_lost) == (6, 9)
    other = folder / "other"
    other.mkdir()
    write(other, "window = 7\nmax_lost = 8\n")
    assert arena.core.settings.read(other).max_lost == 8


def test_a_variable_names_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """ARENA_CONFIG goes before the data folder's; where it names nothing that is an error."""
    write(folder, "window = 5\n")
    monkeypatch.setenv("ARENA_CONFIG", str(write(tmp_path_factory.mktemp("etc"), "window = 8\n")))
    assert arena.core.settings.read().window == 8
    monkeypatch.setenv("ARENA_CONFIG", str(folder / "none.toml"))
    with pytest.raises(SettingsError, match=r"none\.toml cannot be used: there is no such file"):
        arena.core.settings.read()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("windw = 5", r"arena\.toml: windw is no setting of the arena; did you mean window\?"),
        ("ARENA_WINDOW = 5", r"ARENA_WINDOW is no setting of the arena; did you mean window\?"),
        ("moonlight = 5", "moonlight is no setting of the arena; `arena config` lists the settings"),
        ('data_dir = "x"', "data_dir cannot stand in the file; set ARENA_DATA_DIR"),
        ("window = 0", r"arena\.toml: window=0 cannot be used: it should be greater than or equal to 1"),
        ("window = [", r"arena\.toml is not TOML"),
    ],
)
def test_what_cannot_be_used_is_told(folder: Path, text: str, fault: str) -> None:
    """Unknown keys, values out of range and broken files are told with the file and the likeliest meant."""
    write(folder, text)
    with pytest.raises(SettingsError, match=fault):
        arena.core.settings.read()


def test_workers_refuse_a_slip_too(folder: Path) -> None:
    """A process that reads the workers' settings only does not pass it over."""
    write(folder, "match_corse = 2")
    with pytest.raises(SettingsError, match="did you mean match_cores"):
        check_names()


def test_the_arenas_processes_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`arena up` uses the file's broker, and gives workers what is theirs of the file and no secret."""
    write(
        folder,
        'broker_url = "redis://there:1/0"\nslot_uid = 70000\ncgroups = false\n'
        'oidc_client_secret = "hush"\ndatabase_url = "postgresql://u@there/arena"\n',
    )
    monkeypatch.setenv("ARENA_SLOT_UID", "80000")
    setup = plan_setup(DataFolder.at(None), "127.0.0.1", 8080, 1)
    assert (setup.broker_url, setup.socket) == ("redis://there:1/0", None)
    told = setup.worker_environment()
    assert (told["ARENA_SLOT_UID"], told["ARENA_CGROUPS"]) == ("80000", "false")
    assert not {"ARENA_OIDC_CLIENT_SECRET", "ARENA_DATABASE_URL"} & told.keys()
    assert told["ARENA_CONFIG"] == ""
    monkeypatch.setenv("ARENA_CONFIG", "")
    assert file_values(folder) == {}
    monkeypatch.delenv("ARENA_CONFIG")
    assert setup.environment()["ARENA_OIDC_CLIENT_SECRET"] == "hush"


def test_a_secret_in_a_file_goes_before_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a variable names as a file is a variable, too; no process is told both."""
    write(folder, 'database_url = "postgresql://u@there/arena"\n')
    (folder / "secret").write_text(f"sqlite:///{folder}/a.sqlite3")
    monkeypatch.setenv("ARENA_DATABASE_URL_FILE", str(folder / "secret"))
    assert arena.core.settings.read().database_url == f"sqlite:///{folder}/a.sqlite3"
    assert as_variables(folder) == {}


def test_the_command_line_finds_its_arena_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """URL, token and CA are those of the file, whose folder the CA lies in, and are for that arena only."""
    path = write(folder, 'url = "http://arena.test"\ntoken = "kept"\nca = "ca.pem"\n')
    assert find_credentials() == ("http://arena.test", "kept", str(path), folder / "ca.pem")
    monkeypatch.setenv("ARENA_URL", "http://arena.test/")
    assert find_credentials()[1:3] == ("kept", "ARENA_URL")
    monkeypatch.setenv("ARENA_URL", "http://other.test")
    assert find_credentials() == ("http://other.test", None, "ARENA_URL", None)


def test_a_token_that_is_no_text_is_told_without_it(folder: Path) -> None:
    """The message names the key and the file, and not what was written there."""
    path = write(folder, "token = 77000\n")
    with pytest.raises(SettingsError) as refusal:
        find_credentials()
    assert str(refusal.value) == f"{path}: token must be text, between quotes"


@pytest.fixture
def found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in an `arena-data` below the working folder, which nobody has named."""
    (folder / "arena-data").mkdir()
    monkeypatch.delenv("ARENA_DATA_DIR")
    monkeypatch.chdir(folder)
    lines = ('bot_python = "sh -c"', 'url = "http://evil.test"', 'token = "x"', 'ca = "x"', "window = 5")
    return write(folder / "arena-data", "\n".join((*lines, 'database_url = "postgresql://evil.test/arena"')))


def test_a_folder_that_is_only_found_says_nothing(found: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes with somebody's bot as `arena-data` is read by nobody, until the folder is named."""
    monkeypatch.setenv("HOME", str(found.parent))
    assert file_values() == {}
    assert "sh -c" not in read_settings(WorkerSettings).bot_python
    assert find_credentials()[:3] == ("http://127.0.0.1:8080", None, "default")
    settings = arena.core.settings.read(DataFolder.at(None).named)
    assert (settings.window, settings.data_dir) == (None, found.parent)
    setup = plan_setup(DataFolder.at(None), "127.0.0.1", 8080, 1)
    for told in (setup.environment(), setup.worker_environment()):
        assert "ARENA_BOT_PYTHON" not in told
        assert told["ARENA_CONFIG"] == ""
    assert setup.environment()["ARENA_DATA_DIR"] == str(found.parent)
    for named in (Path("arena-data"), found.parent):
        assert DataFolder.at(named).named == found.parent
        assert file_values(named)["window"] == 5
    monkeypatch.chdir(found.parent)
    assert file_values(Path())["window"] == 5
    monkeypatch.setenv("ARENA_DATA_DIR", ".")
    assert file_values()["window"] == 5


def test_the_users_own_file_is_read_where_no_folder_is_named(
    found: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is beside the saved login; where a folder is named it says nothing about that."""
    home = tmp_path / "config"
    (home / "arena").mkdir(parents=True)
    path = write(home / "arena", "window = 7\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    assert (config_file(), arena.core.settings.read().window) == (path, 7)
    (tmp_path / "other").mkdir()
    assert file_values(tmp_path / "other") == {}
    monkeypatch.setenv("ARENA_DATA_DIR", str(found.parent))
    assert file_values()["window"] == 5


def test_only_the_named_folders_file_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing of another folder's file is in force, nor a reason to refuse, whatever a variable names."""
    write(folder, "slot_uid = 70000\nheartbeat_seconds = 14.5\nwindow = 6\n")
    (tmp_path / "other").mkdir()
    other = DataFolder.at(write(tmp_path / "other", "window = 7\n").parent)
    settings = check_settings(other)
    assert (settings.window, settings.data_dir) == (7, other.root)
    assert read_settings(WorkerSettings, other.named).slot_uid == 64_100
    assert read_settings(WorkerSettings, other.named).heartbeat_seconds == 10
    write(folder, "slot_uid = [")
    assert check_settings(other).window == 7
    with for_all(other.named):
        assert file_values() == {"window": 7}
    monkeypatch.setenv("ARENA_DATA_DIR", "")
    assert arena.core.settings.read().data_dir == Path("arena-data").absolute()


@pytest.mark.parametrize(
    "line",
    [
        "oidc_client_secret = 77000",
        'database_url = "host=there password = hu5h"',
        'database_url = "postgresql://u:hu5h/arena"',
        'database_url = "postgres://there/arena?PASSWORD=hu5h"',
        'broker_url = "redis://:hu5h/0"',
        'broker_url = "hu5h"',
        'broker_url = "redis://u:hu5h@there/0?db=2"',
    ],
)
def test_what_may_be_a_secret_is_not_told(folder: Path, line: str) -> None:
    """A setting that cannot be used is named, and why, without what could be a password in it."""
    path = write(folder, line + "\n")
    with pytest.raises(SettingsError) as refusal:
        arena.core.settings.read()
    assert str(refusal.value).startswith(f"{path}: {line.partition(' ')[0]}=")
    assert not {"77000", "hu5h"} & set(re.findall(r"\w+", str(refusal.value)))


def test_no_file_is_nothing(folder: Path) -> None:
    """A folder without a file of settings sets nothing."""
    assert file_values(folder) == {}
