"""Settings of `arena.toml`: after the environment, before the defaults, and never with a slip in a name."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena.core.settings
from arena.client.credentials import find_credentials
from arena.core.folder import DataFolder
from arena.supervisor.plans import plan_setup
from workers.core.config_file import as_variables, file_values
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
    assert WorkerSettings().cgroups is False


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
    """URL, token and CA are those of the file, after the environment's."""
    path = write(folder, 'url = "http://arena.test"\ntoken = "kept"\nca = "ca.pem"\n')
    assert find_credentials() == ("http://arena.test", "kept", str(path), Path("ca.pem"))
    monkeypatch.setenv("ARENA_URL", "http://other.test")
    assert find_credentials()[:3] == ("http://other.test", "kept", "ARENA_URL")


@pytest.mark.parametrize(
    "line", ['bot_python = "sh -c"', 'url = "http://evil.test"', 'token = "x"', 'ca = "x"']
)
def test_a_folder_that_is_only_found_does_not_say_what_is_started_or_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """What comes with somebody's bot as `arena-data` starts no program of the host, and gets no token."""
    (folder / "arena-data").mkdir()
    path = write(folder / "arena-data", f"window = 5\n{line}\n")
    monkeypatch.delenv("ARENA_DATA_DIR")
    monkeypatch.chdir(folder)
    for read in (WorkerSettings, find_credentials):
        with pytest.raises(SettingsError, match="it may come with somebody's bot"):
            read()
    monkeypatch.setenv("ARENA_CONFIG", str(path))
    assert file_values()["window"] == 5


def test_no_file_is_nothing(folder: Path) -> None:
    """Without one nothing is set."""
    assert file_values(folder) == {}
