"""Files of `deploy/` as the programs that read them see them."""

from __future__ import annotations

import hashlib
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from arena.core.worker_environment import read_environment
from arena.supervisor.joining import PROGRAMS, UNITS
from workers.core.signing import read_key

DEPLOY = Path(__file__).parents[3] / "deploy"
SH = shutil.which("sh") or "sh"


def test_units_are_ones_to_systemd(tmp_path: Path) -> None:
    """It knows every word of them, and finds nothing to object to."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze here")
    for unit in UNITS.iterdir():
        text = unit.read_text(encoding="utf-8").replace(f"{PROGRAMS}python", sys.executable)
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    command = [analyze, "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (judged.returncode, judged.stderr) == (0, "")


def test_secrets_fit_together(tmp_path: Path) -> None:
    """All that compose needs is made, once; addresses have the passwords of the broker's users."""
    for name in ("compose/make-secrets.sh", "redis/users.acl"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(DEPLOY / name, tmp_path / name)
    script = [SH, str(tmp_path / "compose" / "make-secrets.sh")]
    subprocess.run(script, check=True, capture_output=True)
    made = tmp_path / "compose" / "secrets"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text(encoding="utf-8"))
    files = {each["file"] for each in compose["secrets"].values()}
    files |= {file for each in compose["services"].values() for file in each.get("env_file", ())}
    assert {f"secrets/{path.name}" for path in made.iterdir()} == files
    rights = (made / "users-acl").read_text(encoding="utf-8")
    for role in ("api", "coordinator", "worker"):
        address = urlsplit((made / f"broker-{role}-url").read_text(encoding="utf-8").strip())
        hashed = hashlib.sha256((address.password or "").encode()).hexdigest()
        assert re.search(rf"^user {address.username} on #{hashed} ", rights, re.MULTILINE)
        assert (address.username, address.hostname) == (role, "broker")
    assert "change-" not in rights
    password = (made / "database-password").read_text(encoding="utf-8")
    assert f"arena:{password}@database/arena" in (made / "database-url").read_text(encoding="utf-8")
    assert len(read_key(made / "signing-key").public) == 64
    assert read_environment(made / "worker-env") == {}
    again = subprocess.run(script, capture_output=True, text=True, check=False)
    assert (again.returncode, "secrets/ is there" in again.stderr) == (1, True)
