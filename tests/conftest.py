"""What all tests share: Hypothesis does not judge by the clock, and repeats itself where CI runs it.

Packed tables go to a folder of the run's own, so that no test depends on what was solved before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def _tables_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_TABLES_DIR", str(tmp_path_factory.mktemp("tables")))
        yield
