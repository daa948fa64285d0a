"""How long failed attempts make others wait, and what counts as one address."""

from __future__ import annotations

import pytest

from arena.people.attempts import ADDRESS, NAME, network_of


def test_the_first_failures_are_free_and_each_further_one_doubles_the_wait() -> None:
    """Nobody waits before the limit, and nobody longer than the longest wait, however many fail."""
    assert [NAME.wait_seconds(count) for count in range(9)] == [0, 0, 0, 0, 0, 2, 4, 8, 16]
    assert NAME.wait_seconds(10**6) == NAME.longest_seconds
    assert ADDRESS.wait_seconds(ADDRESS.free - 1) == 0
    assert ADDRESS.wait_seconds(10**6) == ADDRESS.longest_seconds


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_an_address_of_ipv6_counts_as_its_network(address: str, network: str) -> None:
    """Whoever has a network of IPv6 has no new attempts with each of its addresses."""
    assert network_of(address) == network
