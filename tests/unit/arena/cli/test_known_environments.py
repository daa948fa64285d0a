"""The commands about what environments mean in an arena, against a fake of the API."""

from __future__ import annotations

from arena.schemas.bots import EnvironmentOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]

ONE, TWO = "1" * 16, "2" * 16
KNOWN = sample(
    EnvironmentOut, name="numpy", packages="numpy==2.1.3", digest=ONE, hosts=3, others={TWO: "numpy==1.26.4"}
)


def test_what_names_mean_is_listed_with_what_else_hosts_have(run: Run, api: FakeApi) -> None:
    """The latter gets no work, and is what may be chosen."""
    api.answers["GET", "/environments"] = page(KNOWN)
    told = run("env", "known").out
    assert ("numpy==2.1.3" in told, "not used" in told, TWO in told) == (True, True, True)
    api.answers["PUT", "/environments/numpy"] = KNOWN | {"digest": TWO, "packages": "numpy==1.26.4"}
    assert run("env", "choose", "numpy", TWO).out == f"numpy means numpy==1.26.4 ({TWO}) from now on\n"
    assert api.sent() == {"digest": TWO}
