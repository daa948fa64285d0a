"""The application over a small world: a client, three kinds of users, and a tournament to look at."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from json import dumps
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from arena.coordinator.watch import Watch
from arena.core.settings import Settings
from arena.core.terms import MatchState, Role
from arena.people import users
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.store.models import User
from arena.submissions import versions
from arena.tournaments import lifecycle
from arena.web import app as application
from arena.web.api.openapi import describe
from arena.web.http.calculator import Calculator, Job, LocalCalculator, Start
from arena.web.http.costly import Costly
from engines.games import all_games
from tests.integration.arena.world import GAME, PARAMS, World, issue_matches, play
from workers.core.contract import FaultCode, Forfeit, MatchResult

EVIDENCE = "only for the owner"
API = "/api/v1"
PATIENCE_SECONDS = 300.0
_DOCUMENTS: dict[tuple[str, ...], dict[str, Any]] = {}
PLAN = {"name": "autumn", "game": GAME, "params": PARAMS, "format": "round_robin"}


@dataclass
class Site:
    """The application in a test. `red` and `blue` are teams with a bot of their name each."""

    world: World
    client: TestClient
    tokens: dict[str, str]

    def headers(self, user: str | None) -> dict[str, str]:
        """The headers that `user` sends; the public sends none."""
        return {"Authorization": f"Bearer {self.tokens[user]}"} if user else {}

    def get(self, path: str, user: str | None = None, **headers: str) -> Any:
        """GET an address of the API."""
        return self.client.get(API + path, headers=self.headers(user) | headers)

    def post(self, path: str, user: str | None = None, **more: Any) -> Any:
        """POST to an address of the API; `json` may hold what UTF-8 cannot."""
        headers = self.headers(user)
        if "json" in more:
            more["content"] = dumps(more.pop("json"))
            headers["Content-Type"] = "application/json"
        return self.client.post(API + path, headers=headers, **more)

    def delete(self, path: str, user: str | None = None) -> Any:
        """DELETE an address of the API."""
        return self.client.delete(API + path, headers=self.headers(user))

    def submit(self, bot: str, user: str | None, content: bytes = b"print('hello')", **form: str) -> Any:
        """Submit a bot of one file."""
        return self.post(f"/bots/{bot}/versions", user, files={"file": ("bot.py", content)}, data=form)


def make_site(world: World, client: TestClient) -> Site:
    """The site with its users and bots."""
    return Site(world, client, populate(world))


def populate(world: World) -> dict[str, str]:
    """Let the users and bots of a site in; the users' tokens by their names."""
    tokens = {"staff": world.staff_token}
    with world.database.transaction() as session:
        for name in ("red", "blue"):
            user, tokens[name] = users.create_user(session, name, Role.TEAM)
            world.bot(session, name, user)
    return tokens


class Populated(NamedTuple):
    """An SQLite file to copy, with the users and bots of a site, and the users' tokens by their names."""

    file: Path
    tokens: dict[str, str]


@pytest.fixture(scope="session")
def populated(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Populated:
    """What every site begins with, made once."""
    folder = tmp_path_factory.mktemp("populated")
    file = folder / "arena.sqlite3"
    shutil.copy(sqlite_template, file)
    database = Database(f"sqlite:///{file}", patience_seconds=PATIENCE_SECONDS)
    tokens = populate(World(database, Settings(data_dir=folder)))
    database.close()
    return Populated(file, tokens)


@pytest.fixture
def site(
    populated: Populated, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """The site with its users and bots, and no tournament; what is slow to answer is in no trouble."""
    file = shutil.copy(populated.file, tmp_path / "site.sqlite3")
    database = Database(f"sqlite:///{file}", patience_seconds=PATIENCE_SECONDS)
    world = World(database, settings, staff_token=populated.tokens["staff"])
    with application_over(world, monkeypatch) as client:
        yield Site(world, client, dict(populated.tokens))
    database.close()


@contextmanager
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site over a world."""
    with application_over(world, monkeypatch) as client:
        yield make_site(world, client)


@contextmanager
def application_over(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The application over a world, ready to be asked."""
    monkeypatch.setattr(application, "Watch", partial(Watch, patience_seconds=PATIENCE_SECONDS))
    monkeypatch.setattr(application, "Costly", partial(Costly, patience_seconds=PATIENCE_SECONDS))
    monkeypatch.setattr(application, "describe", described)
    url = world.database.engine.url.render_as_string(hide_password=False)
    settings = world.settings.model_copy(update={"database_url": url})
    app = application.create_app(settings, world.broker, calculator_of(settings, world))
    with TestClient(app, raise_server_exceptions=False, client=("127.0.0.1", 50000)) as client:
        yield client


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, which takes long, made once for all applications with the same games."""
    games = tuple(all_games())
    if games not in _DOCUMENTS:
        _DOCUMENTS[games] = describe(app)
    return _DOCUMENTS[games]


def calculator_of(settings: Settings, world: World) -> Callable[[], Calculator]:
    """Makes what works out costly answers in this process."""
    return lambda: LateCalculator(lambda: application.calculating_app(settings, world.broker))


class LateCalculator:
    """Works out answers in this process by an application that is made when it is first asked: few are."""

    def __init__(self, make: Callable[[], FastAPI]) -> None:
        self._make = make
        self._made: LocalCalculator | None = None

    async def work_out(self, job: Job, started: Callable[[Start], None]) -> float:
        """Answer into the file, as any calculator."""
        if self._made is None:
            self._made = LocalCalculator(self._make())
        return await self._made.work_out(job, started)

    def close(self) -> None:
        """Close what there is to close."""
        if self._made is not None:
            self._made.close()


def start_cup(site: Site, name: str = "cup", **plan: Any) -> None:
    """A running double round robin of `red` and `blue`: two games."""
    world = site.world
    fields = {"game": GAME, "params": PARAMS, "format": "double_round_robin", "seed": 7, **plan}
    with world.database.transaction() as session:
        cup = lifecycle.create(session, world.staff, TournamentPlan(name=name, **fields))
        lifecycle.open_(session, world.staff, cup)
        for bot in ("red", "blue"):
            lifecycle.enter(session, world.staff, cup, versions.get(session, bot))
        lifecycle.start(session, world.staff, cup)


def play_cup(site: Site, *, forfeit: bool = False) -> None:
    """Play what is pending. With `forfeit`, seat 0 loses every game and leaves evidence."""
    world = site.world
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    for message in messages:
        result = play(message.spec)
        world.record(message, _spoiled(result) if forfeit else result)


def _spoiled(result: MatchResult) -> MatchResult:
    fault = Forfeit(
        seat=0,
        code=FaultCode.MALFORMED,
        ply=2,
        id=5,
        detail=EVIDENCE,
        expected=EVIDENCE,
        received=EVIDENCE,
        request=EVIDENCE,
        stderr_tail=EVIDENCE,
        clock_ns=5,
    )
    moves = tuple(replace(move, debug=EVIDENCE if move.seat == 0 else None) for move in result.moves[:2])
    used = [sum(move.wall_ns for move in moves if move.seat == seat) for seat in (0, 1)]
    first, second = (
        use.model_copy(update={"wall_ns": wall}) for use, wall in zip(result.seats, used, strict=True)
    )
    first = first.model_copy(update={"stderr_head": EVIDENCE, "stderr_tail": EVIDENCE, "stderr_bytes": 9})
    return MatchResult(
        match=result.match,
        winner=1,
        reason="malformed",
        score=(16, 0),
        forfeits=(fault,),
        moves=moves,
        seats=(first, second),
        host="worker-7",
    )


def park(site: Site, number: int = 1) -> None:
    """Set a match aside for the staff."""
    match = site.world.match(number)
    with site.world.database.transaction() as session:
        row = session.merge(match)
        row.state = MatchState.PARKED
        row.trouble = "no worker could play it"


def user_named(site: Site, name: str) -> User:
    """A user as the store has it."""
    with site.world.database.reading() as session:
        return users.get(session, name)
