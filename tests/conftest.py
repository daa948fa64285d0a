"""What all tests share: Hypothesis does not judge by the clock, and repeats itself where CI runs it."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("house")
