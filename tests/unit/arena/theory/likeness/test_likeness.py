"""Winnowing, and what it finds: copies that were changed, and not what was written apart."""

from __future__ import annotations

import ast
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import bots.reference
import engines.strategies
from arena.theory.likeness import comparison, tokens
from arena.theory.likeness.comparison import compare, compare_two, given_code
from arena.theory.likeness.tokens import BREAK, Code, read_code
from arena.theory.likeness.winnowing import CERTAIN, GRAM, grams, winnow
from bots import sdk

SOURCES = sorted(
    path
    for package in (bots.reference, engines.strategies)
    for path in Path(package.__path__[0]).glob("*.py")
    if path.stat().st_size > 3000
)
THRESHOLD = 0.6


def _code(text: str, name: str = "main.py") -> Code:
    return read_code({name: text.encode()})


class _Renamed(ast.NodeTransformer):
    """Other names for all that a program names itself, and other numbers."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def _other(self, name: str) -> str:
        return self._names.setdefault(name, f"thing_{len(self._names)}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._other(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._other(node.arg)
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._other(node.name)
        self.generic_visit(node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            node.value += 7
        return node


def _renamed(text: str) -> str:
    return ast.unparse(_Renamed().visit(ast.parse(text)))


def _reordered(text: str) -> str:
    tree = ast.parse(text)
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)]
    shuffled = iter(random.Random(3).sample(functions, len(functions)))
    tree.body = [
        next(shuffled) if isinstance(each, ast.FunctionDef | ast.ClassDef) else each for each in tree.body
    ]
    return ast.unparse(tree)


def _commented(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            node.body[0] = ast.Expr(ast.Constant("something else altogether"))
    return "\n".join(f"{line}  # {number}" for number, line in enumerate(ast.unparse(tree).splitlines()))


@pytest.mark.parametrize(
    "disguise", [_renamed, _reordered, _commented, lambda text: _renamed(_reordered(text))]
)
def test_copies_are_found_and_nothing_else(disguise: Callable[[str], str]) -> None:
    """Copies of programs with names, order or comments changed are above the threshold; no other pair is."""
    texts = [path.read_text() for path in SOURCES]
    copied = [number for number, text in enumerate(texts) if len(_code(text).kinds) > 300]
    works = [(f"team {at}", _code(text)) for at, text in enumerate(texts)]
    works += [(f"copy of {at}", _code(disguise(texts[at]))) for at in copied]
    found = {(pair.first, pair.second) for pair in compare(works, frozenset(), THRESHOLD)}
    assert len(copied) >= 8
    assert found == {(at, len(texts) + place) for place, at in enumerate(copied)}


def test_what_is_the_same_for_long_enough_leaves_a_fingerprint() -> None:
    """Winnowing's guarantee: whatever is around it, a passage of that length is found in both."""
    draw = random.Random(5)
    for _ in range(50):
        shared = [draw.choice("abcdef") for _ in range(CERTAIN)]
        sides = []
        for side in "xy":
            before, after = ([draw.choice("abc") + side for _ in range(draw.randrange(60))] for _ in "ba")
            hashes = grams([*before, *shared, *after])
            sides.append({hashes[at] for at in winnow(hashes)})
        assert sides[0] & sides[1]


def test_what_is_short_is_not_found() -> None:
    """What is the same for fewer tokens than a gram has leaves nothing in common."""
    shared = [f"s{number}" for number in range(GRAM - 1)]
    prints = [
        {hashes[at] for at in winnow(hashes)}
        for side in "xy"
        if (hashes := grams([f"{side}{at}" for at in range(50)] + shared))
    ]
    assert not prints[0] & prints[1]


def test_nothing_goes_from_one_file_into_another() -> None:
    """A program of two files has no gram of both, and is as like as its files are."""
    code = read_code({"a.py": b"x = 1\n" * 10, "b.py": b"print(y)\n" * 10, "notes.txt": b"no code"})
    assert [name for name, _ in code.files] == ["a.py", "b.py"]
    first = code.kinds.index(BREAK)
    assert all(value is None for value in grams(code.kinds)[first - GRAM + 1 : first + 1])


@pytest.mark.parametrize(("name", "piece"), [("a.c", "\n"), ("A.java", "a ")])
def test_what_a_lexer_cannot_make_out_takes_no_hour(
    monkeypatch: pytest.MonkeyPatch, name: str, piece: str
) -> None:
    """Of a program that is made to keep it busy the end is not looked at, and that is told."""
    monkeypatch.setattr(tokens, "MAX_SECONDS", 0.2)
    before = time.thread_time()
    code = read_code({name: piece.encode() * (tokens.MAX_CHARS // len(piece)), "b.py": b"x = 1"})
    assert time.thread_time() - before < 20
    assert (code.cut, code.kinds[-2:]) == (True, [BREAK, BREAK])


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("a.py", 'def f(x):\n    """doc"""\n    return x + 1', "def g(y):  # comment\n    return y + 22"),
        ("a.c", "int f(int a) { return a * 2; } // one", "int  g(int b)\n{ return b * 3; } /* two */"),
        ("a.java", 'class A { String s = "a\\n"; }', 'class B { String t = "other"; }'),
        ("a.js", "const f = (a) => `x${a}`;", "const g = (b) => `y${b}`;"),
        ("a.rs", "fn f(a: u8) -> u8 { a + 1 }", "fn g(b: u8) -> u8 { b + 2 }"),
        (
            "a.ts",
            "function f(a: number): number { return a + 1; }",
            "function g(b: number): number { return b + 2; }",
        ),
        ("a.cs", "class A { int F(int a) { return a + 1; } }", "class B { int G(int b) { return b + 2; } }"),
        ("a.go", "func f(a int) int { return a + 1 }", "func g(b int) int { return b + 2 }"),
        ("a.cpp", "auto f(int a) { return a + 0x1; }", "auto g(int b) { return b + 27; }"),
    ],
)
def test_names_literals_comments_and_layout_do_not_count(name: str, one: str, other: str) -> None:
    """In every language that bots are written in, what is only called otherwise is the same."""
    assert _code(one, name).kinds == _code(other, name).kinds
    assert len(_code(one, name).kinds) > 5


def test_what_everybody_was_given_does_not_count() -> None:
    """Two teams that share the kit only are not alike; a team's own code is all that is counted."""
    kit = (Path(sdk.__path__[0]) / "arena_bot.py").read_text()
    own = [path.read_text() for path in SOURCES[:2]]
    works = [(f"team {at}", _code(kit + "\n" + text)) for at, text in enumerate(own)]
    given = given_code([_code(kit)])
    assert compare(works, frozenset(), 0.1)
    assert compare(works, given, 0.5) == []
    bare = len(_code(own[0]).kinds)
    assert (
        abs(compare_two(works, given, 0, 1).own[0] - bare) <= 3 * GRAM
    )  # as what begins every program is in the kit too


def test_what_most_teams_have_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of more than half of the teams is nobody's own; of fewer it counts."""
    shared = SOURCES[0].read_text()
    others = [path.read_text() for path in SOURCES[1:7]]
    all_have = [(f"team {at}", _code(shared + "\n" + text)) for at, text in enumerate(others)]
    two_have = [(f"team {at}", _code(shared if at < 2 else text)) for at, text in enumerate(others)]
    assert compare(all_have, frozenset(), 0.5) == []
    assert [(pair.first, pair.second) for pair in compare(two_have, frozenset(), 0.5)] == [(0, 1)]
    monkeypatch.setattr(comparison, "MIN_COMMON", 100)
    monkeypatch.setattr(comparison, "MAX_COMMON", 1)
    assert compare(two_have[:2], frozenset(), 0.5)


def test_one_teams_own_are_not_compared() -> None:
    """Two programs of a team are no pair, however alike."""
    text = SOURCES[0].read_text()
    assert compare([("red", _code(text)), ("red", _code(text))], frozenset(), 0.1) == []
    (pair,) = compare([("red", _code(text)), ("blue", _code(text))], frozenset(), 0.1)
    assert pair.likeness > 0.99


def _covered(passages: Sequence[tuple[int, int]]) -> int:
    return len({at for start, length in passages for at in range(start, start + length)})


def test_passages_are_the_same_on_both_sides_and_do_not_overlap() -> None:
    """Every passage has the same tokens in both, and no token is in two."""
    text = SOURCES[0].read_text()
    works = [("red", _code(text)), ("blue", _code(_reordered(text)))]
    pair = compare_two(works, frozenset(), 0, 1)
    assert len(pair.passages) > 1
    for first, second, length in pair.passages:
        assert works[0][1].kinds[first : first + length] == works[1][1].kinds[second : second + length]
    assert _covered([(each.first, each.length) for each in pair.passages]) == pair.tokens
    assert _covered([(each.second, each.length) for each in pair.passages]) == pair.tokens


def test_what_is_hostile_ends() -> None:
    """Programs of one token over and over, of no text at all, or endless, are bounded and say so."""
    long = _code("x = x + 1\n" * 100_000)
    assert long.cut
    assert len(long.kinds) <= 20_000
    noise = _code("\x00\xff(((((((" * 1000)
    works = [("red", long), ("blue", _code("x = x + 1\n" * 5000)), ("green", noise), ("empty", _code(""))]
    assert [(pair.first, pair.second) for pair in compare(works, frozenset(), 0.5)] in ([], [(0, 1)])
