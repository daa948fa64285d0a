"""Scrimmages in the tests' small world: teams of two classes that ask for them, and workers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from arena.coordinator import leases, scrimmages
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.messages import ScrimmageMessage
from arena.core.terms import MatchState
from arena.people import classes, users
from arena.schemas.scrimmages import NewScrimmage
from arena.scrimmages import asking, consent
from arena.store.models import Bot, Scrimmage, ScrimmageGame, User
from arena.submissions import hosts, versions
from tests.integration.arena.world import GAME, World, play, taken
from workers.core.contract import MatchResult
from workers.programs.archive_store import ArchiveStore

MAX_GAMES = 20
TEAMS = {"red": "7a", "blue": "7a", "green": "7b", "grey": None}
"""The teams and their classes; each has a bot of its name, with two versions."""


@dataclass
class Ring:
    """A world with four teams, whose bots play each other where they may."""

    world: World
    archives: ArchiveStore = field(init=False)

    def __post_init__(self) -> None:
        self.archives = ArchiveStore(self.world.settings.archive_url)
        made = {name: self.world.team(name) for name in TEAMS}
        with self.world.database.transaction() as session:
            for name in sorted({each for each in TEAMS.values() if each}):
                classes.create(session, self.world.staff, name)
            for name, class_name in TEAMS.items():
                if class_name:
                    users.get(session, name).class_id = classes.get(session, class_name).id
                self.world.bot(session, name, made[name], versions=2)
            hosts.register(session, "second-host", {"python": "3.12"}, 1.0, process="a", takes=["scrimmages"])

    def user(self, name: str) -> User:
        """A user as they are now."""
        with self.world.database.reading() as session:
            user = users.get(session, name)
            session.refresh(user, ["team", "school_class"])
            return user

    def ask(self, team: str = "red", opponent: str = "@random", *, most: int = MAX_GAMES, **wish: Any) -> int:
        """Ask for a scrimmage of a team's bot; its number."""
        told = {"bot": team, "opponent": opponent, "game": GAME, **wish}
        with self.world.database.transaction() as session:
            actor = users.get(session, team)
            asked = NewScrimmage.model_validate({key: each for key, each in told.items() if each})
            return asking.ask(session, self.archives, actor, asked, most).id

    def let(self, bot: str, *, takes: bool = True) -> None:
        """Let a bot take scrimmages, or not, in its owner's name."""
        with self.world.database.transaction() as session:
            found = self.bot(session, bot)
            consent.set_bot(session, found.owner, found, takes=takes)

    def bot(self, session: Any, name: str) -> Bot:
        """A bot by its name."""
        return versions.get(session, name)

    def get(self, number: int) -> Scrimmage:
        """A scrimmage with its games, as it is in the database now."""
        with self.world.database.reading() as session:
            found = asking.get(session, self.world.staff, number)
            session.expunge_all()
            return found

    def game(self, number: int, game: int = 1) -> ScrimmageGame:
        """One of its games."""
        return asking.get_game(self.get(number), game)

    def states(self, number: int) -> list[MatchState]:
        """How its games stand."""
        return [game.state for game in self.get(number).games]

    def issue(self) -> list[ScrimmageMessage]:
        """Give out what can be given out."""
        with self.world.database.transaction() as session:
            return leases.issue(scrimmages.WORK, session, self.world.settings)

    def heartbeat(self, message: ScrimmageMessage, host: str = "test-host") -> Verdict:
        """Report that a game is alive."""
        return self._report(leases.heartbeat, message, host=host)

    def lose(self, message: ScrimmageMessage, **told: Any) -> Verdict:
        """Report that a game could not be played."""
        return self._report(leases.lost, message, host="test-host", trouble="no room", **told)

    def record(self, message: ScrimmageMessage, result: MatchResult | None = None) -> Verdict:
        """Report a result; a fitting one unless another is given."""
        told = play(message.spec) if result is None else result
        return self._report(leases.record, message, report=told.model_dump(mode="json"))

    def play_all(self) -> int:
        """Play all that waits; how many games that were."""
        count = 0
        while messages := self.issue():
            for message in messages:
                assert self.heartbeat(message) == Verdict.TAKEN
                assert self.record(message) == Verdict.TAKEN
                count += 1
        return count

    def _report(self, step: leases.Step, message: ScrimmageMessage, **told: Any) -> Verdict:
        about = Attempt((int(message.spec.match),), message.attempt, message.token)
        with self.world.database.transaction() as session:
            return taken(step, scrimmages.WORK, session, about, settings=self.world.settings, **told)
