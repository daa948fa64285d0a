"""Bots of other protocols, written after the protocols' public texts, strict about what they are told."""

from __future__ import annotations

from typing import Final

OTHELLO: Final = '''
import random
import sys

DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


class Othello:
    """The usual game: white on d4 and e5, black moves first."""

    def __init__(self):
        self.board = {(3, 3): "w", (4, 4): "w", (4, 3): "b", (3, 4): "b"}

    def turned(self, x, y, color):
        if (x, y) in self.board:
            return []
        found = []
        for dx, dy in DIRECTIONS:
            line, at = [], (x + dx, y + dy)
            while self.board.get(at, color) != color:
                line.append(at)
                at = at[0] + dx, at[1] + dy
            if at in self.board:
                found += line
        return found

    def legal(self, color):
        return [(x, y) for y in range(8) for x in range(8) if self.turned(x, y, color)]

    def play(self, x, y, color):
        turned = self.turned(x, y, color)
        assert turned, f"{color} cannot play on column {x}, row {y}"
        for at in [(x, y), *turned]:
            self.board[at] = color


def name(x, y):
    return "abcdefgh"[x] + str(y + 1)


def place(text):
    return "abcdefgh".index(text[0].lower()), int(text[1]) - 1


def other(color):
    return "w" if color == "b" else "b"
'''

KAGGLE: Final = """
def dropped(board, column, mark, config):
    row = max(r for r in range(config.rows) if board[r * config.columns + column] == 0)
    after = board[:]
    after[row * config.columns + column] = mark
    return after


def wins(board, mark, config):
    for r in range(config.rows):
        for c in range(config.columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(r + i * dr, c + i * dc) for i in range(config.inarow)]
                if all(
                    0 <= y < config.rows and 0 <= x < config.columns and board[y * config.columns + x] == mark
                    for y, x in line
                ):
                    return True
    return False


def my_agent(observation, configuration):
    assert len(observation["board"]) == configuration["rows"] * configuration["columns"]
    assert observation.mark in (1, 2) and configuration.actTimeout > 0
    free = [c for c in range(configuration.columns) if observation.board[c] == 0]
    for mark in (observation.mark, 3 - observation.mark):
        for column in free:
            if wins(dropped(observation.board, column, mark, configuration), mark, configuration):
                return column
    print("nothing forced")
    return min(free, key=lambda c: abs(c - configuration.columns // 2))
"""

KAGGLE_OF_ALL_GAMES: Final = """
import random


def agent(obs):
    return random.Random(obs.step).randrange(len(obs.legal))
"""

BOTZONE: Final = (
    OTHELLO
    + """
import json

KEEP = "--keep" in sys.argv


def read(move, game, color):
    if move["x"] >= 0:
        game.play(move["x"], move["y"], color)
    else:
        assert (move["x"], move["y"]) == (-1, -1)
        assert not game.board or not game.legal(color) or len(game.board) == 4


def answer(game, color, data):
    legal = game.legal(color)
    x, y = random.Random(len(game.board)).choice(legal) if legal else (-1, -1)
    if legal:
        game.play(x, y, color)
    print(json.dumps({"response": {"x": x, "y": y}, "debug": "thinking", "data": data}), flush=True)


full = json.loads(sys.stdin.readline())
requests, responses = full["requests"], full["responses"]
assert len(requests) == len(responses) + 1
color = "b" if requests[0]["x"] < 0 else "w"
game = Othello()
for request, response in zip(requests, [*responses, None]):
    read(request, game, other(color))
    if response:
        read(response, game, color)
if not KEEP:
    turns = json.loads(full["data"] or "0")
    assert turns <= len(responses), "what it has kept is from this match"
    answer(game, color, json.dumps(turns + 1))
    sys.exit()
answer(game, color, "")
print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
for line in sys.stdin:
    read(json.loads(line), game, other(color))
    answer(game, color, "")
    print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
"""
)

BOTZONE_OF_ALL_GAMES: Final = """
let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () => {
  const { requests, responses } = JSON.parse(text);
  if (requests.length !== responses.length + 1) throw new Error("the game has gaps");
  const { legal, state } = requests[requests.length - 1];
  if (!requests[0].game || !state) throw new Error("what is played is not told");
  console.log(JSON.stringify({ response: { move: legal[legal.length - 1] } }));
});
"""

NBOARD: Final = (
    OTHELLO
    + """
import re

print("set myname Kraken", flush=True)
game, color = Othello(), "b"
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "nboard":
        assert rest == "2"
    elif word == "ping":
        print("pong", rest, flush=True)
    elif line.startswith("set game "):
        assert re.search(r"GM\\[Othello\\].*BO\\[8 [-*O ]+ \\*\\]", rest)
        game, color = Othello(), "b"
        for mover, move in re.findall(r"\\b([BW])\\[([^\\]]+)\\]", rest):
            if move[:2] == "PA":
                assert not game.legal(color)
            else:
                assert mover.lower() == color
                game.play(*place(move), color)
            color = other(color)
    elif line.startswith("set depth "):
        depth = int(rest.split()[1])
    elif word == "go":
        print("status thinking")
        print("nodestats 12 0.1")
        x, y = random.Random(len(game.board)).choice(game.legal(color))
        print(f"=== {name(x, y).upper()}/0.5/0.01")
        print("status", flush=True)
    elif word == "quit":
        break
    else:
        sys.exit(f"unknown: {line}")
"""
)

EDAX: Final = (
    OTHELLO
    + """
game, color = Othello(), "b"
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    print("\\n>", end="")
    if word == "setboard":
        board, side = rest.split()
        assert len(board) == 64
        game, color = Othello(), "b" if side == "X" else "w"
        game.board = {(i % 8, i // 8): "bw"["XO".index(c)] for i, c in enumerate(board) if c != "-"}
    elif word == "go":
        x, y = random.Random(len(game.board)).choice(game.legal(color))
        game.play(x, y, color)
        print(f"\\n\\nEdax plays {name(x, y).upper()}\\n", flush=True)
    elif word == "quit":
        break
    else:
        assert word in ("mode", "move-time"), line
"""
)

UGI: Final = """
import sys

print("a banner that nobody asked for")
misere, ready = False, False
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("id name Heaper 1.0")
        print("id author nobody")
        print("option name Hash type spin default 16 min 1 max 1024")
        print("option name Misere type check default false")
        print("option name Heaps type string default 3 4 5")
        print("ugiok")
    elif words[0] == "setoption":
        assert words[1] == "name" and words[3] == "value", line
        if words[2] == "Heaps":
            start = list(map(int, words[4:]))
        else:
            assert words[2] == "Misere" and words[4] in ("true", "false"), line
            misere = words[4] == "true"
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "uginewgame":
        ready = True
    elif words[0] == "position":
        assert ready and words[1] == "startpos" and (len(words) == 2 or words[2] == "moves"), line
        heaps = start[:]
        for move in words[3:]:
            heap, taken = map(int, move.split(":"))
            heaps[heap - 1] -= taken
            assert heaps[heap - 1] >= 0
    elif words[0] == "go":
        assert words[1] in ("movetime", "p1time") and int(words[2]) > 0, line
        total = 0
        for heap in heaps:
            total ^= heap
        print(f"info depth 1 score cp {total} nodes 1 time 0")
        best = next(((i, h - (h ^ total)) for i, h in enumerate(heaps) if h ^ total < h), None)
        large = misere and sum(heap > 1 for heap in heaps) == 1
        if large or not best:
            at = max(range(len(heaps)), key=heaps.__getitem__)
            even = sum(heap == 1 for heap in heaps) % 2 == 0
            best = (at, heaps[at] - (1 if even else 0) if large else 1)
        print(f"bestmove {best[0] + 1}:{best[1]}")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""

GTP: Final = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes one from the first heap that has something; a GTP engine of heap Nim with heaps of 3, 4 and 5. */
int main(void) {
    char line[1024], color[16];
    int heaps[3] = {3, 4, 5}, heap, taken;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "name", 4)) printf("= Taker\n\n");
        else if (!strncmp(line, "list_commands", 13)) printf("= clear_board\nplay\ngenmove\n\n");
        else if (!strncmp(line, "clear_board", 11)) printf("=\n\n");
        else if (sscanf(line, "play %15s %d:%d", color, &heap, &taken) == 3 && heaps[heap - 1] >= taken) {
            heaps[heap - 1] -= taken;
            printf("=\n\n");
        } else if (sscanf(line, "genmove %15s", color) == 1) {
            for (heap = 0; heap < 3 && !heaps[heap]; heap++) {}
            heaps[heap]--;
            printf("= %d:1\n\n", heap + 1);
        } else if (!strncmp(line, "quit", 4)) {
            printf("=\n\n");
            return 0;
        } else printf("? unknown command\n\n");
        fflush(stdout);
    }
    return 0;
}
"""

CODINGAME: Final = r"""
#include <iostream>
#include <string>
#include <vector>

int main() {
    int id, size;
    std::cin >> id >> size;
    while (true) {
        int discs[2] = {0, 0}, count;
        for (int i = 0; i < size; i++) {
            std::string line;
            if (!(std::cin >> line)) return 0;
            if ((int) line.size() != size) return 2;
            for (char c : line) {
                if (c != '.' && c != '0' && c != '1') return 3;
                if (c != '.') discs[c - '0']++;
            }
        }
        std::cin >> count;
        std::vector<std::string> actions(count);
        for (auto &action : actions) std::cin >> action;
        if (count < 1) return 4;
        std::cout << actions[discs[id] % count] << " MSG with " << discs[id] << std::endl;
    }
}
"""

CODINGAME_TEMPLATE: Final = """
protocol = "lines"

[lines]
start = ["{seat}", "{params.size}"]
turn = ["{board}", "{legal.count}", "{legal}"]
cells = { X = "0", O = "1" }
"""
