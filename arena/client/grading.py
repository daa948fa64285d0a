"""What a client asks for of grades, of seasons, and of what was done to a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.client.connection import Connection, quoted
from arena.schemas.grading import GradingOut, OwnGradeOut
from arena.schemas.paging import Page
from arena.schemas.seasons import SeasonListed, SeasonTable
from arena.schemas.story import ActOut


class GradingClient(Connection):
    """The part of the client that is about grades, seasons and stories. Methods raise `ClientError`."""

    def story(self, name: str, which: str = "all") -> Iterator[ActOut]:
        """What was done to a tournament, the last first."""
        return self._pages(Page[ActOut], f"/tournaments/{quoted(name)}/story", which=which)

    def story_csv(self, name: str, which: str = "all") -> Iterator[bytes]:
        """The same for a spreadsheet, the first first."""
        return self._stream(f"/tournaments/{quoted(name)}/story.csv", which=which)

    def grading(self, name: str) -> GradingOut:
        """How a tournament is graded, and who gets what."""
        return self._ask(GradingOut, "GET", f"/tournaments/{quoted(name)}/grading")

    def set_grading(self, name: str, scheme: Mapping[str, Any], *, only_look: bool = False) -> GradingOut:
        """Set how a tournament is graded, or only look who would get what."""
        path = f"/tournaments/{quoted(name)}/grading"
        if only_look:
            return self._ask(GradingOut, "POST", f"{path}/preview", json=dict(scheme))
        return self._ask(GradingOut, "PUT", path, json=dict(scheme))

    def release_grades(self, name: str, reason: str | None) -> GradingOut:
        """Tell every team its grade."""
        path = f"/tournaments/{quoted(name)}/grading/release"
        return self._ask(GradingOut, "POST", path, json={"reason": reason})

    def grades_csv(self, name: str) -> Iterator[bytes]:
        """The grades for a spreadsheet."""
        return self._stream(f"/tournaments/{quoted(name)}/grading.csv")

    def own_grades(self) -> Iterator[OwnGradeOut]:
        """What one's team was told."""
        return self._pages(Page[OwnGradeOut], "/me/grades")

    def seasons(self) -> Iterator[SeasonListed]:
        """All seasons, newest first."""
        return self._pages(Page[SeasonListed], "/seasons")

    def season(self, name: str) -> SeasonTable:
        """A season and its table."""
        return self._ask(SeasonTable, "GET", f"/seasons/{quoted(name)}")

    def season_csv(self, name: str) -> Iterator[bytes]:
        """The table for a spreadsheet."""
        return self._stream(f"/seasons/{quoted(name)}/table.csv")

    def create_season(self, new: Mapping[str, Any]) -> SeasonTable:
        """Make a season."""
        return self._ask(SeasonTable, "POST", "/seasons", json=dict(new))

    def change_season(self, name: str, wanted: Mapping[str, Any]) -> SeasonTable:
        """Give a season another title, other tournaments, or another way of counting."""
        return self._ask(SeasonTable, "PUT", f"/seasons/{quoted(name)}", json=dict(wanted))

    def remove_season(self, name: str) -> None:
        """Remove a season; its tournaments stay."""
        self._check(self._send("DELETE", f"/seasons/{quoted(name)}"))
