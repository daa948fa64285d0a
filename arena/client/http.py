"""A client of the arena's API, as the command line uses it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from arena.client.errors import (
    BusyError,
    ForeignError,
    RefusedError,
    SilentError,
    TokenError,
    UnreachableError,
    UrlError,
)

TIMEOUT = httpx.Timeout(30.0, connect=5.0)
LONG = httpx.Timeout(600.0, connect=5.0)
PAGE_SIZE = 100
FINAL_STATES = frozenset({"finished", "cancelled", "failed"})
CHECKED_STATES = frozenset({"passed", "failed", "unchecked"})


class ArenaClient:
    """Talks to one arena with one token. Every method raises `ClientError` when it cannot do its work."""

    def __init__(
        self, url: str, token: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.url = url.rstrip("/")
        if token and not (token.isascii() and token.isprintable() and " " not in token):
            raise TokenError(
                "the token has characters that no token has; log in again, or set ARENA_TOKEN anew"
            )
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            parts = httpx.URL(self.url)
        except httpx.InvalidURL as error:
            raise UrlError(f"{url!r} is not a URL: {error}") from None
        if parts.scheme not in {"http", "https"} or not parts.host:
            raise UrlError(f"{url!r} is not an arena's URL; it looks like http://127.0.0.1:8080")
        self._http = httpx.Client(
            base_url=f"{self.url}/api/v1", headers=headers, timeout=TIMEOUT, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def health(self) -> dict[str, Any]:
        """How the arena's parts are; a failing arena is an answer too, not an error."""
        response = self._send("GET", "/health")
        return self._object(response)

    def me(self) -> dict[str, Any]:
        """Whose token this is."""
        return self._ask("GET", "/me")

    def create_user(self, name: str, role: str) -> dict[str, Any]:
        """Let somebody in; the answer holds their token, shown this once."""
        return self._ask("POST", "/users", json={"name": name, "role": role})

    def issue_token(self, name: str) -> dict[str, Any]:
        """Give a user another token; the answer holds it, shown this once."""
        return self._ask("POST", f"/users/{_quoted(name)}/tokens")

    def revoke_tokens(self, name: str) -> dict[str, Any]:
        """Make all tokens of a user worthless, except the one of this client; the answer says how many."""
        return self._ask("DELETE", f"/users/{_quoted(name)}/tokens")

    def submit(
        self, bot: str, filename: str, data: bytes, owner: str | None = None, games: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Submit a bot's files as a new version, which will be checked in `games`."""
        form: dict[str, Any] = {"owner": owner} if owner else {}
        return self._ask(
            "POST",
            f"/bots/{_quoted(bot)}/versions",
            files={"file": (filename, data)},
            data=form | ({"game": list(games)} if games else {}),
        )

    def bot(self, name: str) -> dict[str, Any]:
        """One bot with its newest version."""
        return self._ask("GET", f"/bots/{_quoted(name)}")

    def check(self, bot: str, version: int) -> dict[str, Any]:
        """The submission check of a version."""
        return self._ask("GET", f"/bots/{_quoted(bot)}/versions/{version}/check")

    def check_again(self, bot: str, version: int, games: Sequence[str] = ()) -> dict[str, Any]:
        """Have a version checked once more, in other games if any are named."""
        path = f"/bots/{_quoted(bot)}/versions/{version}/check"
        return self._ask("POST", path, json={"games": list(games)})

    def cancel_check(self, bot: str, version: int) -> dict[str, Any]:
        """Call off a version's check that is not over."""
        return self._ask("POST", f"/bots/{_quoted(bot)}/versions/{version}/check/cancel")

    def await_check(
        self, bot: str, version: int, pause: float = 0.3, patience: float = 30.0
    ) -> dict[str, Any]:
        """The check of a version when it is over; an arena that is silent is asked again for a while."""
        *_, last = _again_and_again(lambda: self.check(bot, version), pause, patience, CHECKED_STATES)
        return last

    def bots(self) -> Iterator[dict[str, Any]]:
        """All bots."""
        return self._pages("/bots")

    def create_tournament(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """Plan a tournament; drawing openings may take a while."""
        return self._ask("POST", "/tournaments", json=dict(plan), timeout=LONG)

    def tournaments(self) -> Iterator[dict[str, Any]]:
        """All tournaments, newest first."""
        return self._pages("/tournaments")

    def tournament(self, name: str) -> dict[str, Any]:
        """One tournament and how far it is."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}")

    def change(self, name: str, action: str) -> dict[str, Any]:
        """Move a tournament on: `open`, `start` (it may take a while), `pause`, `resume`, `end`, `cancel`."""
        return self._ask("POST", f"/tournaments/{_quoted(name)}/{action}", timeout=LONG)

    def enter(self, name: str, bot: str, version: int | None = None) -> dict[str, Any]:
        """Enter a bot, its newest version unless another is named."""
        entry = {"bot": bot} | ({} if version is None else {"version": version})
        return self._ask("POST", f"/tournaments/{_quoted(name)}/entries", json=entry)

    def matches(self, name: str, state: str) -> Iterator[dict[str, Any]]:
        """A tournament's matches in that state."""
        return self._pages(f"/tournaments/{_quoted(name)}/matches", state=state)

    def retry(self, name: str, number: int) -> dict[str, Any]:
        """Give a parked match another chance."""
        return self._ask("POST", f"/tournaments/{_quoted(name)}/matches/{number}/retry")

    def drop(self, name: str, number: int, reason: str) -> dict[str, Any]:
        """Call a parked match off; it counts for nobody."""
        return self._ask(
            "POST", f"/tournaments/{_quoted(name)}/matches/{number}/drop", json={"reason": reason}
        )

    def withdraw(self, name: str, bot: str, reason: str) -> dict[str, Any]:
        """Take a bot out; its opponents win what it has not played yet."""
        return self._ask("POST", self._entry(name, bot) + "/withdraw", json={"reason": reason}, timeout=LONG)

    def disqualify(self, name: str, bot: str, reason: str, *, annul: bool) -> dict[str, Any]:
        """Expel a bot; with `annul` none of its games counts."""
        why = {"reason": reason, "annul": annul}
        return self._ask("POST", self._entry(name, bot) + "/disqualify", json=why, timeout=LONG)

    def _entry(self, name: str, bot: str) -> str:
        return f"/tournaments/{_quoted(name)}/entries/{_quoted(bot)}"

    def rerun(self, name: str, number: int, reason: str) -> dict[str, Any]:
        """Have a finished match played again."""
        path = f"/tournaments/{_quoted(name)}/matches/{number}/rerun"
        return self._ask("POST", path, json={"reason": reason})

    def rerun_round(self, name: str, number: int, reason: str) -> dict[str, Any]:
        """Have all matches of a round played again."""
        path = f"/tournaments/{_quoted(name)}/rounds/{number}/rerun"
        return self._ask("POST", path, json={"reason": reason}, timeout=LONG)

    def set_result(self, name: str, number: int, winner: str, reason: str) -> dict[str, Any]:
        """Decide a match: `first`, `second`, `draw` or `nobody`."""
        path = f"/tournaments/{_quoted(name)}/matches/{number}/result"
        return self._ask("POST", path, json={"winner": winner, "reason": reason})

    def log(self, name: str) -> Iterator[dict[str, Any]]:
        """What was done to a tournament, newest first."""
        return self._pages(f"/tournaments/{_quoted(name)}/log")

    def verification(self, name: str) -> dict[str, Any]:
        """Whether a tournament's totals are those that its results add up to."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/verification", timeout=LONG)

    def leaderboard(self, name: str) -> dict[str, Any]:
        """The standings."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/leaderboard")

    def crosstable(self, name: str) -> dict[str, Any]:
        """Everybody against everybody."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/crosstable")

    def bot_numbers(self, name: str, bot: str) -> dict[str, Any]:
        """One bot's numbers."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/bots/{_quoted(bot)}")

    def head_to_head(self, name: str, one: str, other: str) -> dict[str, Any]:
        """Two bots' games with each other."""
        two = {"one": one, "other": other}
        return self._ask("GET", f"/tournaments/{_quoted(name)}/head-to-head", params=two, timeout=LONG)

    def balance(self, name: str) -> dict[str, Any]:
        """The audit of seats and openings."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/balance")

    def ratings(self, name: str, **wish: int | bool | str) -> dict[str, Any]:
        """How strong the bots are; `wish` may have `resamples`, `seed`, `pairwise` and `model`."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/ratings", params=wish, timeout=LONG)

    def rating_history(self, name: str, kind: str, points: int) -> dict[str, Any]:
        """How the ratings came about; `kind` is `likelihood`, or `online`, which depends on the order."""
        wish = {"kind": kind, "points": points}
        return self._ask("GET", f"/tournaments/{_quoted(name)}/ratings/history", params=wish, timeout=LONG)

    def export(self, name: str, form: str) -> Iterator[bytes]:
        """A tournament's matches in that format, in pieces as they arrive."""
        return self._stream(f"/tournaments/{_quoted(name)}/export", format=form)

    def class_report(self, name: str, thresholds: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
        """What every bot of a class made; thresholds are written `BOT=SHARE`."""
        wish = {"threshold": list(thresholds), "reference": list(references)}
        return self._ask("GET", f"/tournaments/{_quoted(name)}/report", params=wish, timeout=LONG)

    def class_report_csv(
        self, name: str, thresholds: Sequence[str], references: Sequence[str]
    ) -> Iterator[bytes]:
        """The same as CSV, in pieces as they arrive."""
        wish = {"threshold": list(thresholds), "reference": list(references)}
        return self._stream(f"/tournaments/{_quoted(name)}/report.csv", **wish)

    def import_roster(self, filename: str, data: bytes, *, dry_run: bool, encoding: str) -> dict[str, Any]:
        """Let everybody in whom a roster names; the answer holds the new users' tokens, shown this once."""
        wish = {"dry_run": dry_run, "encoding": encoding}
        return self._ask("POST", "/roster", params=wish, files={"file": (filename, data)}, timeout=LONG)

    def estimate(self, name: str, **asked: int | str) -> dict[str, Any]:
        """How long a tournament will take; `asked` may have `bots`, `workers`, `start` and `until`."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/estimate", params=asked, timeout=LONG)

    def eta(self, name: str) -> dict[str, Any]:
        """How long a running tournament still takes."""
        return self._ask("GET", f"/tournaments/{_quoted(name)}/eta", timeout=LONG)

    def watch(self, name: str, pause: float = 1.0, patience: float = 30.0) -> Iterator[dict[str, Any]]:
        """The tournament again and again, every `pause` seconds, the last time when it is over.

        An arena that does not answer is asked again for `patience` seconds.
        """
        return _again_and_again(lambda: self.tournament(name), pause, patience)

    def create_experiment(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """Have many games played on the workers; drawing openings may take a while."""
        return self._ask("POST", "/experiments", json=dict(plan), timeout=LONG)

    def experiments(self) -> Iterator[dict[str, Any]]:
        """All experiments, newest first."""
        return self._pages("/experiments")

    def experiment(self, number: int) -> dict[str, Any]:
        """One experiment and how far it is."""
        return self._ask("GET", f"/experiments/{number}")

    def cancel_experiment(self, number: int) -> dict[str, Any]:
        """End an experiment; what its first games came to stays."""
        return self._ask("POST", f"/experiments/{number}/cancel")

    def experiment_results(self, number: int) -> dict[str, Any]:
        """What an experiment's games come to so far, with every integer."""
        return self._ask("GET", f"/experiments/{number}/results")

    def export_experiment(self, number: int, form: str) -> Iterator[bytes]:
        """An experiment's counts as `csv` or its games as `jsonl`, in pieces as they arrive."""
        return self._stream(f"/experiments/{number}/export", format=form)

    def watch_experiment(
        self, number: int, pause: float = 0.5, patience: float = 30.0
    ) -> Iterator[dict[str, Any]]:
        """The experiment again and again, as `watch` does with a tournament."""
        return _again_and_again(lambda: self.experiment(number), pause, patience)

    def _stream(self, path: str, **wish: str | list[str]) -> Iterator[bytes]:
        try:
            with self._http.stream("GET", path, params=wish, timeout=LONG) as response:
                if response.is_error:
                    response.read()
                self._check(response)
                yield from response.iter_bytes()
        except httpx.TransportError as error:
            raise self._unreachable(error) from None

    def _pages(self, path: str, **chosen: str) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            page = self._ask("GET", path, params={**chosen, "offset": offset, "limit": PAGE_SIZE})
            yield from page["items"]
            offset += len(page["items"])
            if not page["items"] or offset >= page["total"]:
                return

    def _ask(self, method: str, path: str, **content: Any) -> dict[str, Any]:
        response = self._send(method, path, **content)
        self._check(response)
        return self._object(response)

    def _send(self, method: str, path: str, **content: Any) -> httpx.Response:
        try:
            try:
                return self._http.request(method, path, **content)
            except httpx.RemoteProtocolError:  # the arena closed the idle connection at this very moment
                if method != "GET":
                    raise
                return self._http.request(method, path, **content)
        except httpx.TransportError as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: httpx.TransportError) -> UnreachableError:
        if isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout):
            return SilentError(
                f"the arena at {self.url} is busy: it has not answered in time, and may have done what was "
                "asked; look before you repeat it (`arena status` on its machine says what stands still)"
            )
        return UnreachableError(
            f"no arena answers at {self.url} ({error}); start one with `arena up`, or set ARENA_URL"
        )

    def _check(self, response: httpx.Response) -> None:
        if not response.is_error:
            return
        problem = self._object(response)
        title = str(problem.get("title", response.reason_phrase))
        refused = BusyError if response.status_code == httpx.codes.SERVICE_UNAVAILABLE else RefusedError
        raise refused(response.status_code, title, str(problem.get("detail", title)))

    def _object(self, response: httpx.Response) -> dict[str, Any]:
        try:
            value = response.json()
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise ForeignError(
                f"{self.url} answers with status {response.status_code}, but not as an arena would"
            )
        return value


def _again_and_again(
    ask: Callable[[], dict[str, Any]],
    pause: float,
    patience: float,
    final: Collection[str] = FINAL_STATES,
) -> Iterator[dict[str, Any]]:
    last_answer = time.monotonic()
    while True:
        try:
            answer = ask()
        except (UnreachableError, BusyError):
            if time.monotonic() - last_answer > patience:
                raise
        else:
            last_answer = time.monotonic()
            yield answer
            if answer["state"] in final:
                return
        time.sleep(pause)


def _quoted(name: str) -> str:
    return quote(name, safe="")
