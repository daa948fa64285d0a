"""The keyed random stream."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.stream import Stream, conceal, derive, game_stream, run_key
from tests.seed_recovery import seeds_behind

VECTORS = [
    ((0, 0, 0), [10348964855992587, 14839459196629196604, 12933873336033453566], [0, 12, 44, 0]),
    ((0, 0, 1), [7947835865589692693, 2314872601972173846, 9118045002578166414], [1, 1, 31, 0]),
    ((7, 3, 10**9), [140242860385846914, 1553372459416831365, 11344172661000774945], [0, 1, 39, 0]),
    ((2**53 - 1, 0, 0), [6509087396950759063, 7922979026418550401, 6514839279116153911], [1, 6, 22, 0]),
]
"""Seed, match and index of a game; its first words; its first choices below 3, 15, 64 and 1."""

KEYS = st.lists(st.integers() | st.text(), max_size=4)


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (
            1234567,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821,
            ],
        ),
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
    ],
)
def test_the_generator_is_splitmix64(seed: int, expected: list[int]) -> None:
    """The first numbers of two seeds are the published ones (Rosetta Code; Vigna's splitmix64.c)."""
    stream = Stream.from_state(seed)
    assert [stream.word() for _ in expected] == expected


def test_keyed_numbers_never_change() -> None:
    """What a tournament drew once, it draws for ever: these numbers are part of the interface."""
    assert derive() == 0xE220A8397B1DCDAF >> 11
    assert derive("openings", 7) == 4680717796515949
    assert derive(-1, "é", 2**70) == 5801335503103219


@given(keys=KEYS)
def test_equal_keys_give_equal_numbers(keys: list[int | str]) -> None:
    """A stream depends on its keys alone, and a derived seed is its first 53 bits."""
    first, second = Stream(*keys), Stream(*keys)
    words = [first.word() for _ in range(3)]
    assert words == [second.word() for _ in range(3)]
    assert derive(*keys) == words[0] >> 11
    assert 0 <= derive(*keys) < 2**53


@given(one=KEYS, other=KEYS)
def test_different_keys_give_different_numbers(one: list[int | str], other: list[int | str]) -> None:
    """Streams of different keys differ."""
    assert (one == other) == (Stream(*one).word() == Stream(*other).word())


def test_keys_are_not_run_together() -> None:
    """Neither kinds nor borders of keys are lost, nor zero bytes at an end."""
    spellings: list[tuple[int | str, ...]] = [
        ("ab", "c"), ("a", "bc"), ("abc",), ("1",), (1,), (0,), ("",), (), ("", ""), (-1,), (255,), (65535,),
        ("a\0",), ("a",), ("\0",), (2**64,), (0, 0), (0, 0, 0), ("12345678", ""), ("12345678",),
    ]  # fmt: skip
    assert len({derive(*keys) for keys in spellings}) == len(spellings)


@pytest.mark.parametrize("key", [True, 1.0, None, b"x", ("a",)])
def test_other_kinds_of_keys_are_refused(key: object) -> None:
    """A float, a boolean or bytes as a key is a mistake in the program."""
    with pytest.raises(TypeError, match="key is an int or a str"):
        Stream(key)  # type: ignore[arg-type]  # the mistake under test


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 64])
def test_numbers_below_a_bound_are_even(bound: int) -> None:
    """Every number below the bound is drawn about equally often, and no other (5 standard errors)."""
    draws = 2000 * bound
    stream = Stream("even", bound)
    counts = Counter(stream.below(bound) for _ in range(draws))
    assert set(counts) == set(range(bound))
    assert all(abs(count - 2000) < 5 * 2000**0.5 for count in counts.values())


def test_unfair_words_are_redrawn() -> None:
    """A bound just over half of 2**32 rejects almost every second word instead of favouring any number."""
    bound = 2**31 + 1
    drawn, words = Stream("half"), Stream("half")
    redrawn = 0
    for _ in range(50):
        number = drawn.below(bound)
        while (product := (words.word() >> 32) * bound) % 2**32 < 2**32 % bound:
            redrawn += 1
        assert number == product >> 32
    assert redrawn > 20


class Scripted(Stream):
    """A stream whose words are told beforehand."""

    def __init__(self, *words: int) -> None:
        super().__init__()
        self.words = list(words)

    def word(self) -> int:
        """The next word told."""
        return self.words.pop(0)


def test_only_the_upper_half_of_a_word_counts_and_only_the_unfair_are_redrawn() -> None:
    """For a bound of 3 a word whose upper half is 0 is redrawn, and one with 1 is not."""
    assert Scripted(2**32 - 1, 2**63).below(3) == 1
    assert Scripted(2**32, 2**63).below(3) == 0
    assert Scripted(2**64 - 1).below(2**32) == 2**32 - 1


@pytest.mark.parametrize(("keys", "words", "choices"), VECTORS)
def test_game_streams_are_the_published_ones(
    keys: tuple[int, int, int], words: list[int], choices: list[int]
) -> None:
    """The words and choices of a game's stream are those that `docs/simulation.md` publishes."""
    seed, match, index = keys
    one, other = game_stream(run_key(seed, match), index), game_stream(run_key(seed, match), index)
    assert [one.word() for _ in words] == words
    assert [other.below(bound) for bound in (3, 15, 64, 1)] == choices


def test_what_is_concealed_cannot_be_taken_back() -> None:
    """From a number that is derived its seed is found in a moment, from one that is concealed it is not."""
    seed = 4_765_357_857_681_231
    assert seeds_behind(derive(seed, "match", 17, 0), "match", 17, 0) == {seed}
    assert seed not in seeds_behind(conceal(seed, "match", 17, 0), "match", 17, 0)


@given(KEYS, KEYS)
def test_other_keys_conceal_as_other_numbers(one: list[int | str], other: list[int | str]) -> None:
    """Equal keys give equal numbers of 53 bits, and different keys different ones."""
    assert (conceal(*one) == conceal(*other)) == (one == other)
    assert 0 <= conceal(*one) < 2**53


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_impossible_bounds_are_refused(bound: int) -> None:
    """There is no number below 0, and no single draw above 2**32."""
    with pytest.raises(ValueError, match="between 1 and"):
        Stream().below(bound)


def test_a_choice_from_nothing_is_refused() -> None:
    """An empty sequence has nothing to choose."""
    with pytest.raises(ValueError, match="between 1 and"):
        Stream().choice([])


def test_a_choice_is_one_of_the_items() -> None:
    """Every item is chosen sooner or later."""
    stream = Stream("choice")
    assert {stream.choice("abc") for _ in range(50)} == set("abc")


def test_shuffling_gives_every_order_equally() -> None:
    """All orders of three items come about equally often (5 standard errors)."""
    stream = Stream("shuffle")
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        items = [1, 2, 3]
        stream.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations([1, 2, 3]))
    assert all(abs(count - 1000) < 5 * 1000**0.5 for count in counts.values())
