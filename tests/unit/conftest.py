"""A unit test that starts a process, serves, opens a database or waits fails: it belongs to integration."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from tests.guard import Guard

_GUARD = Guard()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Look at the fixtures too."""
    _GUARD.begin()


@pytest.fixture(autouse=True)
def _nothing_forbidden() -> Iterator[None]:
    """Fail after the test, whatever it made of what it did; not for what ends then that all tests share."""
    yield
    if deeds := _GUARD.end():
        pytest.fail("this is no unit test, for it\n" + "\n".join(deeds), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    """Look no more, also where a fixture has failed before."""
    try:
        return (yield)
    finally:
        _GUARD.end()
