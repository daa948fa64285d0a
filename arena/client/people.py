"""People: who one is, users, classes, and what lets others in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.client.connection import LONG, Connection, quoted
from arena.schemas.account import CodeOut, MadeToken, TokenOut
from arena.schemas.batches import Batch
from arena.schemas.classes import ClassOut
from arena.schemas.likeness import LikenessOut
from arena.schemas.paging import Page
from arena.schemas.roster import RosterOut
from arena.schemas.users import LinkOut, Revoked, UserOut, UserState, UserWithToken


class PeopleClient(Connection):
    """The part of the client that is about people. Methods raise `ClientError`."""

    def me(self) -> UserOut:
        """Whose token this is."""
        return self._ask(UserOut, "GET", "/me")

    def own_tokens(self) -> Iterator[TokenOut]:
        """One's own tokens that are good now."""
        return self._pages(Page[TokenOut], "/me/tokens")

    def make_own_token(self, name: str, scope: str, days: int | None) -> MadeToken:
        """Another token of one's own; the answer holds its text, shown this once."""
        return self._ask(MadeToken, "POST", "/me/tokens", json={"name": name, "scope": scope, "days": days})

    def revoke_own_token(self, number: int) -> None:
        """Make one of one's own tokens worthless."""
        self._check(self._send("DELETE", f"/me/tokens/{number}"))

    def create_user(self, name: str, role: str, class_name: str | None = None) -> UserWithToken:
        """Let somebody in, into a class if one is named; the answer holds their token, shown this once."""
        wish = {"name": name, "role": role} | ({"class_name": class_name} if class_name else {})
        return self._ask(UserWithToken, "POST", "/users", json=wish)

    def users(self, **wanted: str | bool) -> Iterator[UserState]:
        """The users that one manages; `wanted` may have `name`, `role`, `class_name` and `disabled`."""
        return self._pages(Page[UserState], "/users", **wanted)

    def user(self, name: str) -> UserState:
        """One user, and how they sign in."""
        return self._ask(UserState, "GET", f"/users/{quoted(name)}")

    def set_role(self, name: str, role: str) -> UserState:
        """Give a user another role."""
        return self._ask(UserState, "PUT", f"/users/{quoted(name)}/role", json={"role": role})

    def change_user(self, name: str, action: str) -> UserState:
        """`disable` a user, who signs in no more, or `enable` them again."""
        return self._ask(UserState, "POST", f"/users/{quoted(name)}/{action}")

    def join(self, code: str, name: str, team: str) -> UserWithToken:
        """Join by a code; the answer holds the token, shown this once."""
        return self._ask(UserWithToken, "POST", "/join", json={"code": code, "name": name, "team": team})

    def make_link(self, name: str) -> LinkOut:
        """A link that signs a user in once, shown this once."""
        return self._ask(LinkOut, "POST", f"/users/{quoted(name)}/link")

    def classes(self) -> Iterator[ClassOut]:
        """The classes that one runs."""
        return self._pages(Page[ClassOut], "/classes")

    def create_class(self, name: str) -> ClassOut:
        """Make a class."""
        return self._ask(ClassOut, "POST", "/classes", json={"name": name})

    def add_organiser(self, name: str, user: str) -> ClassOut:
        """Have an organiser run a class, too."""
        return self._ask(ClassOut, "PUT", f"/classes/{quoted(name)}/organisers/{quoted(user)}")

    def make_class_code(self, name: str, uses: int, days: int) -> CodeOut:
        """A code by which so many new teams join a class."""
        wish = {"uses": uses, "days": days}
        return self._ask(CodeOut, "POST", f"/classes/{quoted(name)}/codes", json=wish)

    def issue_token(self, name: str) -> UserWithToken:
        """Give a user another token; the answer holds it, shown this once."""
        return self._ask(UserWithToken, "POST", f"/users/{quoted(name)}/tokens")

    def revoke_tokens(self, name: str) -> Revoked:
        """Make all tokens of a user worthless, except the one of this client; the answer says how many."""
        return self._ask(Revoked, "DELETE", f"/users/{quoted(name)}/tokens")

    def import_roster(
        self, filename: str, data: bytes, *, dry_run: bool, encoding: str, class_name: str | None = None
    ) -> RosterOut:
        """Let everybody in whom a roster names; the answer holds the new users' tokens, shown this once."""
        wish = {"dry_run": dry_run, "encoding": encoding} | ({"class_name": class_name} if class_name else {})
        return self._ask(
            RosterOut, "POST", "/roster", params=wish, files={"file": (filename, data)}, timeout=LONG
        )

    def submit_class(
        self,
        name: str,
        data: bytes,
        *,
        dry_run: bool,
        teams: Mapping[str, str],
        games: Sequence[str],
    ) -> Batch:
        """Hand in the bots of a class, all in one zip; `teams` says whose a part is where no name does."""
        form = {"team": [f"{label}={team}" for label, team in teams.items()], "game": list(games)}
        return self._ask(
            Batch,
            "POST",
            f"/classes/{quoted(name)}/submissions",
            params={"dry_run": dry_run},
            files={"file": ("bots.zip", data)},
            data=form,
            timeout=LONG,
        )

    def class_likeness(self, name: str, threshold: float) -> LikenessOut:
        """The pairs of a class's bots that are alike."""
        path = f"/classes/{quoted(name)}/likeness"
        return self._ask(LikenessOut, "GET", path, params={"threshold": threshold}, timeout=LONG)

    def likeness(self, name: str, threshold: float) -> LikenessOut:
        """The pairs of a tournament's bots that are alike."""
        path = f"/tournaments/{quoted(name)}/likeness"
        return self._ask(LikenessOut, "GET", path, params={"threshold": threshold}, timeout=LONG)
