"""Ratings over the API: what they rest on, and that they follow from the recorded games alone."""

from __future__ import annotations

import random

import pytest

from arena.results import ratings
from arena.store import tournaments as tournament_store
from tests.integration.arena.site import Site, play_cup, site, start_cup
from tests.integration.arena.world import World, issue_matches, play

__all__ = ["site"]


def _counted(site: Site) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Wins, draws and losses of the first mover by the two bots' names, from the matches shown."""
    counts: dict[tuple[str, str], list[int]] = {}
    for match in site.get("/tournaments/cup/matches?state=finished&limit=500").json()["items"]:
        first, second = (seat["bot"] for seat in match["seats"])
        winner = match["result"]["winner"]
        column = 1 if winner is None else 2 * winner
        counts.setdefault((first, second), [0, 0, 0])[column] += 1
    return {names: (ends[0], ends[1], ends[2]) for names, ends in counts.items()}


def test_ratings_of_two_games_need_a_prior(site: Site) -> None:
    """Two bots with two games are rated provisionally, around a mean of 0, and the answer says why."""
    start_cup(site)
    play_cup(site)
    table = site.get("/tournaments/cup/ratings").json()
    assert table["anchor"] == "mean 0"
    assert table["prior"]["reason"] in {"not connected", "separated"}
    assert sum(line["rating"] for line in table["items"]) == pytest.approx(0)
    assert [line["games"] for line in table["items"]] == [2, 2]
    assert all(line["resampled_error"] is line["stronger_than"] is None for line in table["items"])


def test_before_the_first_game_nobody_is_rated(site: Site) -> None:
    """Entries without games stand on the table, with nothing but their names."""
    start_cup(site)
    table = site.get("/tournaments/cup/ratings").json()
    assert [(line["rank"], line["rating"], line["games"]) for line in table["items"]] == [(None, None, 0)] * 2


def test_games_that_both_forfeit_are_not_rated(site: Site) -> None:
    """A game that both lost counts on the leaderboard, and says nothing about who is stronger."""
    start_cup(site)
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for message in messages:
        site.world.record(message, play(message.spec, forfeits=(0, 1)))
    assert [line["games"] for line in site.get("/tournaments/cup/leaderboard").json()["items"]] == [2, 2]
    assert [line["games"] for line in site.get("/tournaments/cup/ratings").json()["items"]] == [0, 0]


def test_resampled_errors_and_pairs_come_when_asked_for(site: Site) -> None:
    """The same seed gives the same errors, and everybody is set against everybody."""
    start_cup(site, openings=5, opening_plies=2)
    play_cup(site)
    path = "/tournaments/cup/ratings?resamples=20&seed=3&pairwise=true"
    table = site.get(path).json()
    assert table == site.get(path).json()
    assert table["resamples"] == 20
    assert all(line["resampled_error"] is not None for line in table["items"])
    over = [line["stronger_than"] for line in table["items"]]
    assert (over[0][0], over[1][1]) == (None, None)
    assert over[0][1] + over[1][0] == pytest.approx(1)


def test_ratings_by_the_models_of_other_programs(site: Site) -> None:
    """The answer names the model and has its figures; resamples are of our own model alone."""
    start_cup(site, openings=5, opening_plies=2)
    play_cup(site)
    table = site.get("/tournaments/cup/ratings?model=bayeselo-plain").json()
    assert table["model"] == "bayeselo-plain"
    assert (table["first_move"], table["draws"]["value"]) == ({"value": 32.8, "error": 0.0}, 97.3)
    assert table["items"][0]["rating"] == -table["items"][1]["rating"] != 0
    answer = site.get("/tournaments/cup/ratings?model=ordo&resamples=20")
    assert answer.status_code == 422
    assert "resamples are by the model davidson" in answer.json()["detail"]


def test_games_without_ratings_by_another_model(site: Site) -> None:
    """Two bots of whom one won all cannot be rated by Ordo, and the answer says so."""
    start_cup(site)
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    site.world.record(messages[0], play(messages[0].spec, forfeits=(0,)))
    site.world.record(messages[1], play(messages[1].spec, forfeits=(1,)))
    answer = site.get("/tournaments/cup/ratings?model=ordo")
    assert answer.status_code == 409
    assert "no ratings by Ordo" in answer.json()["detail"]


@pytest.mark.parametrize(
    "query", ["resamples=1001", "resamples=-1", "seed=-1", "pairwise=perhaps", "model=elostat"]
)
def test_impossible_wishes_are_refused(site: Site, query: str) -> None:
    """Numbers out of range are refused with a problem."""
    start_cup(site)
    assert site.get(f"/tournaments/cup/ratings?{query}").status_code == 422


def test_too_many_bots_are_not_resampled(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resampling is refused where it would take long, with what to do."""
    monkeypatch.setattr(ratings, "MAX_RESAMPLED", 1)
    start_cup(site)
    refused = site.get("/tournaments/cup/ratings?resamples=2")
    assert refused.status_code == 409
    assert "ask without resamples" in refused.json()["detail"]


def test_the_counts_are_those_of_the_matches(site: Site) -> None:
    """What the fit is made from is what the list of matches says about who moved first and won."""
    start_cup(site, openings=5, opening_plies=2)
    play_cup(site)
    with site.world.database.reading() as session:
        entries = {each.id: each.version.bot.name for each in site.world.get(session).entries}
        kept = {
            (entries[each.entry_id], entries[each.other_id]): (
                each.first_wins,
                each.first_draws,
                each.first_losses,
            )
            for each in tournament_store.encounters(session, site.world.get(session))
        }
    assert kept == _counted(site)


def _rated(world: World, order: int) -> str:
    """The whole table as text, after all games came in shuffled by `order`."""
    world.tournament(bots=5, openings=3, opening_plies=2)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    random.Random(order).shuffle(messages)
    for message in messages:
        world.record(message)
    with world.database.reading() as session:
        return repr(ratings.ratings(session, world.get(session), resamples=5, pairwise=True))


def test_no_order_of_arrival_changes_the_table(sqlite_world: object) -> None:
    """Results that arrive in two orders give the same table, byte for byte."""
    assert callable(sqlite_world)
    assert _rated(sqlite_world(), 1) == _rated(sqlite_world(), 2)
