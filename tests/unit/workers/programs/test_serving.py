"""Needs of work, and the queues that a host takes from."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from celery import Celery
from celery.signals import celeryd_after_setup

from workers.app import app, create_app
from workers.core.errors import LaunchError, LodgingError
from workers.core.settings import get_settings
from workers.host import registration
from workers.host.cores import match_cores
from workers.programs.runtimes.languages import environment_of, exact, title_of
from workers.programs.serving import environments_in, needs, queue_name, queue_names, served_needs, words_in
from workers.sandbox import levels


def test_needs_are_a_word_for_a_set_of_languages() -> None:
    """Neither the order nor a repetition matters."""
    assert needs(["python", "c"]) == needs(["c", "python", "c"]) == "c+python"
    assert needs([]) == ""
    assert queue_name("matches", "c+python") == "matches.c+python"
    assert queue_name("simulations", "") == "simulations"


def test_a_host_serves_what_it_can_run_and_nothing_else() -> None:
    """Every pair of its languages is served, and no work that needs another one."""
    assert served_needs(["c", "python", "a language of tomorrow"]) == ["", "c", "python", "c+python"]
    assert set(queue_names("matches", ["c"])) == {"matches", "matches.c"}
    everything = set(queue_names("matches"))
    assert {"matches.go", "matches.c+rust", "matches.java+static"} < everything
    assert len(everything) == 1 + 2 * (10 + 45)


def test_bots_that_adapters_start_need_a_host_that_lets_them() -> None:
    """Work with one of them has queues of its own, which other hosts, and older ones, do not look into."""
    assert needs(["c!", "python"]) == needs(["python!", "c", "c!"]) == "c+python!"
    assert served_needs(["c", "adapters"]) == ["", "c", "c!"]
    assert needs(["c!", "c"]) in served_needs(["adapters", "c", "python"])
    assert needs(["c!"]) not in served_needs(["c", "python"])
    assert served_needs(["adapters"]) == [""]
    assert words_in("c+python!") == ["c", "python", "adapters"]
    assert (words_in("c"), words_in("")) == (["c"], [])
    word = "python:numpy@0123456789abcdef!"
    assert environments_in(f"matches.c+{word}") == {"numpy": "0123456789abcdef"}
    assert (environment_of(word), exact(word)[0], title_of(word)) == (
        "numpy",
        "python:numpy",
        "Python + numpy",
    )


def test_an_environment_is_one_more_language_in_the_form_that_a_host_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its queues say which form, and the work in them so too; what was removed is offered no more."""
    word = "python:numpy@0123456789abcdef"
    assert served_needs(["c", word]) == ["", "c", word, f"c+{word}"]
    assert environments_in(f"matches.c+{word}") == {"numpy": "0123456789abcdef"}
    assert environments_in("matches.c+python:numpy") == environments_in("simulations") == {}
    assert (environment_of(word), exact(word)[0], title_of(word)) == (
        "numpy",
        "python:numpy",
        "Python + numpy",
    )
    monkeypatch.setattr(registration, "toolchains", lambda: {"c": "gcc", word: "numpy==2"})
    monkeypatch.setattr(registration, "environments", list)
    assert registration.still_here() == {"c": "gcc"}
    built = SimpleNamespace(word=word)
    monkeypatch.setattr(registration, "environments", lambda: [built])
    assert registration.still_here() == {"c": "gcc", word: "numpy==2"}


@pytest.mark.parametrize("may", [True, False])
def test_a_host_tries_whether_bots_may_start_processes(monkeypatch: pytest.MonkeyPatch, *, may: bool) -> None:
    """Where they may it says that it has adapters, beside its languages; without Python it has none."""
    registration.toolchains.cache_clear()
    monkeypatch.setattr(registration, "level_in_use", lambda: "bubblewrap")
    monkeypatch.setattr(registration, "offered", lambda *_: {})
    monkeypatch.setattr(registration, "starts_processes", lambda _: may)
    for found in ({"python": "3.11", "c": "gcc"}, {"c": "gcc"}):
        monkeypatch.setattr(registration, "find_toolchains", lambda *_, found=found: found)
        told = registration.toolchains().get("adapters", "")
        assert ("gtp" in told, "kaggle" in told) == (may and "python" in found, False)
        registration.toolchains.cache_clear()


def test_a_worker_takes_from_the_queues_that_it_can_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kinds of work it was started for become queues; what else it was told to take stays."""
    monkeypatch.setattr(registration, "toolchains", lambda: {"c": "gcc", "go": "go"})
    fresh: Celery = create_app("test", "redis://localhost:1/0")
    fresh.amqp.queues.select(["checks", "matches", "other"])
    registration.expand(fresh.amqp.queues)
    served = {f"{kind}{rest}" for kind in ("checks", "matches") for rest in ("", ".c", ".go", ".c+go")}
    assert set(fresh.amqp.queues.consume_from) == {*served, "other"}
    fresh.close()


@pytest.mark.parametrize("fails", [1, 3, 4])
def test_a_worker_that_cannot_find_out_what_runs_here_asks_again_or_ends(
    monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    """Celery goes on where a receiver of its signals fails, with queues that nobody fills."""
    troubles = iter([LodgingError("no slot"), OSError("no room"), LaunchError("too slow")] * 2)
    asked: list[None] = []

    def ask() -> dict[str, str]:
        asked.append(None)
        if len(asked) <= fails:
            raise next(troubles)
        return {"c": "gcc"}

    monkeypatch.setattr(registration, "toolchains", ask)
    monkeypatch.setattr(registration, "ASKING_PAUSES_SECONDS", (0.0, 0.0, 0.0))
    fresh: Celery = create_app("test", "redis://localhost:1/0")
    fresh.amqp.queues.select(["matches"])
    tell = partial(celeryd_after_setup.send, sender="worker", instance=SimpleNamespace(app=fresh), conf=None)
    if fails > 3:
        with pytest.raises(SystemExit, match="no slot"):
            tell()
    else:
        tell()
        assert set(fresh.amqp.queues.consume_from) == {"matches", "matches.c"}
    fresh.close()


@pytest.mark.parametrize(("kind", "can"), [("solves", "can_search"), ("trainings", "can_learn")])
@pytest.mark.parametrize("compiled", [True, False])
def test_what_takes_compiled_code_is_for_hosts_that_have_it(
    monkeypatch: pytest.MonkeyPatch, kind: str, can: str, *, compiled: bool
) -> None:
    """Without it a process does not take from the queue of the kind, and does not say that it does."""
    monkeypatch.setattr(registration, "toolchains", lambda: {"c": "gcc"})
    monkeypatch.setattr(registration, can, lambda: compiled)
    fresh: Celery = create_app("test", "redis://localhost:1/0")
    fresh.amqp.queues.select(["matches", kind])
    registration.expand(fresh.amqp.queues)
    assert set(fresh.amqp.queues.consume_from) == {"matches", "matches.c", *([kind] if compiled else [])}
    assert registration.taken(fresh.amqp.queues) == {"matches", *([kind] if compiled else [])}
    fresh.close()


def test_a_process_that_only_checks_gives_way_and_is_no_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    """It makes itself nice and says that it takes checks only; what takes nothing of ours is silent."""
    monkeypatch.setattr(registration, "toolchains", lambda: {"c": "gcc"})
    nice, registered = list[int](), queue.Queue[set[str]]()
    monkeypatch.setattr(os, "nice", nice.append)
    monkeypatch.setattr(registration, "_register_again_and_again", lambda _, kinds: registered.put(kinds))
    for kinds, plays in (
        (["checks"], False),
        (["matches", "simulations"], True),
        (["checks", "matches"], True),
        (["other"], False),
    ):
        fresh: Celery = create_app("test", "redis://localhost:1/0")
        fresh.amqp.queues.select(kinds)
        nice.clear()
        sender = SimpleNamespace(app=fresh, hostname="worker@here")
        registration._choose_queues(instance=sender)
        registration._keep_registered(sender=sender)
        if kinds == ["other"]:
            assert registered.empty()
        else:
            assert registered.get(timeout=300) == set(kinds)
        assert nice == ([] if plays else [registration.GIVING_WAY])
        fresh.close()


def test_a_host_says_what_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registration names host and process, languages with their versions, speed and cores."""
    sent: dict[str, object] = {}

    def send_task(name: str, kwargs: dict[str, object], **options: object) -> None:
        assert options["kwargsrepr"] == "{}", "Celery would spell it out for monitors"
        sent.update(kwargs, task=name)

    monkeypatch.setattr(app, "send_task", send_task)
    monkeypatch.setattr(registration, "toolchains", lambda: {"c": "gcc 12"})
    registration.register("checker@here", {"checks"})
    assert (sent["takes"], sent["speed"]) == (["checks"], None)
    registration.register("worker-1@here", {"simulations", "matches"})
    assert sent["takes"] == ["matches", "simulations"]
    assert (sent["task"], sent["languages"]) == ("arena.host", {"c": "gcc 12"})
    assert sent["host"]
    assert sent["process"] == "worker-1@here"
    assert sent["cores"] == len(match_cores(get_settings().match_cores))
    assert isinstance(sent["speed"], float)


@pytest.mark.parametrize(
    ("asked", "broken", "told"),
    [
        ("", [], ("info", {"level": "bubblewrap"})),
        ("", ["bubblewrap"], ("warning", {"level": "landlock", "bubblewrap": "it is broken"})),
        ("landlock", [], ("info", {"level": "landlock"})),
        ("", ["bubblewrap", "landlock"], ("warning", None)),
    ],
)
def test_a_worker_tells_its_log_how_bots_are_confined(
    asked: str,
    broken: list[str],
    told: tuple[str, dict[str, str] | None],
    environment: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once, at which level, and why at no stronger one; where at none, why."""
    if asked:
        environment(confinement=asked)
    lines: list[tuple[str, dict[str, str]]] = []
    for module in (levels, registration):
        monkeypatch.setattr(module, "trouble_with", lambda name: "it is broken" if name in broken else None)
    for kind in ("info", "warning"):
        monkeypatch.setattr(registration.log, kind, lambda _, kind=kind, **more: lines.append((kind, more)))
    monkeypatch.setattr(registration, "find_toolchains", lambda *_: {})
    registration.toolchains.cache_clear()
    for _ in range(2):
        registration.toolchains()
    registration.toolchains.cache_clear()
    ((kind, more),) = lines
    assert kind == told[0]
    assert more == told[1] or (told[1] is None and "bubblewrap: it is broken" in more["reason"])
