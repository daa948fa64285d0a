"""A disk that is soon full, for tests that may mount one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

DEVICE = "small-disk-of-a-test"
"""How such a disk is called among the mounts of this host, which other test processes see too."""


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[None]:
    """A file system of that `size` (as `mount` writes it) at `folder`; skips the test where none may be."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() or mount is None or umount is None:
        pytest.skip("only root may mount a small disk")
    command = [mount, "-t", "tmpfs", "-o", f"size={size}", DEVICE, str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run([umount, "-l", str(folder)], check=True)
