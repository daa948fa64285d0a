"""The commands about laboratory PCs, against a fake of the API."""

from __future__ import annotations

import datetime as dt

from arena.schemas.staff import HostOut, KeptMatch, Purged, RepeatsOut, TellingMatch, WorkerKeyOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]

SINCE = "2026-11-20T08:00:00Z"


def test_a_host_is_enrolled_as_a_laboratory_pc(run: Run, api: FakeApi) -> None:
    """Its share is sent, the usual one or another; other hosts are trusted."""
    api.answers["POST", "/worker-codes"] = {"code": "x", "expires_at": SINCE, "repeat_share": None}
    for words, share in ((("--laboratory",), 0.05), (("--laboratory", "--share", "1"), 1.0), ((), None)):
        assert "arena worker join x" in run("worker", "enrol", *words).out
        assert api.sent() == {"repeat_share": share}


def test_trust_is_told(run: Run, api: FakeApi) -> None:
    """Distrusting says the share, trusting ends it."""
    address = "PUT", "/worker-keys/pc-7/trust"
    api.answers[address] = sample(WorkerKeyOut, host="pc-7", repeat_share=0.2)
    said = run("worker", "distrust", "pc-7", "--share", "0.2").out
    assert (said, api.sent()) == (
        "20% of the matches of pc-7 are played again on trusted hosts\n",
        {"repeat_share": 0.2},
    )
    api.answers[address] = sample(WorkerKeyOut, host="pc-7", repeat_share=None)
    assert run("worker", "trust", "pc-7").out == "pc-7 is trusted\n"
    assert api.sent() == {"repeat_share": None}


def test_a_host_is_purged_until_nothing_is_left(run: Run, api: FakeApi) -> None:
    """It asks until nothing is done any more, from the same moment on, and names what stands."""
    told = {"host": "pc-7", "since": SINCE, "withdrawn": 1, "kept_total": 0, "kept": []}
    stands = {"kept_total": 1, "kept": [sample(KeptMatch, tournament="cup", number=3)]}
    parts = [
        sample(Purged, **told | {"again": 100, "left": 7}),
        sample(Purged, **told | {"again": 7, "left": 0, "withdrawn": 0} | stands),
        sample(Purged, **told | {"again": 0, "left": 0, "withdrawn": 0} | stands),
    ]
    words = "worker", "purge", "pc-7", "--reason", "was changed"
    assert run(*words).code == 2
    assert api.asked == []
    api.answers["POST", "/workers/pc-7/purge"] = list(parts)
    said = run(*words, "--yes").out
    assert "played again of it: 107 matches" in said
    assert "cup" in said
    assert [api.sent(each)["since"] for each in range(3)] == [None, *["2026-11-20T08:00:00+00:00"] * 2]
    api.answers["POST", "/workers/pc-7/purge"] = list(parts)
    done = run(*words, "--since", "2026-11-20", "--yes", "--json").json()
    assert (done["again"], done["withdrawn"], done["kept_total"]) == (107, 1, 1)
    assert dt.datetime.fromisoformat(api.sent(3)["since"]).tzinfo is not None


def test_what_is_recorded_while_a_host_is_purged_is_asked_for(run: Run, api: FakeApi) -> None:
    """Where there was nothing at first it asks once more, as a result may just have been written."""
    told = {"host": "pc-7", "since": SINCE, "withdrawn": 0, "left": 0, "kept_total": 0, "kept": []}
    parts = [sample(Purged, **told | {"again": again}) for again in (0, 1, 0)]
    api.answers["POST", "/workers/pc-7/purge"] = parts
    said = run("worker", "purge", "pc-7", "--reason", "was changed", "--yes").out
    assert said.startswith("pc-7 is not believed any more; played again of it: 1 match")


def test_what_differs_is_shown(run: Run, api: FakeApi) -> None:
    """The list counts it, the host's own view names the matches and the p-values."""
    telling = [sample(TellingMatch, tournament="cup", match=3, outcome="different", ply=4, counts=False)]
    counts = {"total": 3, "open": 0, "same": 1, "late": 0, "different": 2, "undecided": 0, "given_up": 0}
    repeats = sample(RepeatsOut, **counts, p_different=0.002, p_late=None, telling=telling)
    host = sample(HostOut, name="pc-7", enrolled=True, repeat_share=0.05, repeats=repeats, processes=[])
    api.answers["GET", "/workers"] = page(host)
    api.answers["GET", "/workers/pc-7"] = host
    assert "5% repeated, 2 differ" in run("worker", "list").out
    shown = run("worker", "show", "pc-7").out
    assert "another (p 0.002 against the other hosts)" in shown
    assert "played again since" in shown
    assert "nothing to compare with" in shown
    assert "different" in shown
