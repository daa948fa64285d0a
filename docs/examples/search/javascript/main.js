// A bot that searches: alpha-beta, one ply deeper each time until its time is over.
//
// Save the game's rules.js beside it. All but `value` is the same for every game.
"use strict";

const readline = require("node:readline");
const { State } = require("./rules.js");

const SHARE = 0.4; // the part of a move's time that is used
const DEEPEST = 60;
const WON = 1_000_000;

class OutOfTime extends Error {}

let deadline = 0;

// The best move by searches of 1, 2, 3 … plies: that of the deepest search that was finished.
function choose(state, milliseconds) {
  deadline = performance.now() + SHARE * milliseconds;
  const moves = state.legalMoves();
  try {
    for (let depth = 1; depth <= DEEPEST; depth++) {
      const [best, worth] = bestOf(state, moves, depth);
      moves.splice(moves.indexOf(best), 1);
      moves.unshift(best); // looked at first, it cuts off most in the next search
      if (Math.abs(worth) > WON - DEEPEST) break; // who wins is known
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  return moves[0];
}

// The first of the moves that are worth most, and what it is worth.
function bestOf(state, moves, depth) {
  let [best, most] = [moves[0], -WON];
  for (const move of moves) {
    const worth = -search(state.play(move), depth - 1, 1, -WON, -most);
    if (worth > most) [best, most] = [move, worth];
  }
  return [best, most];
}

// What a position is worth for the side to move, where that lies between `low` and `high`.
function search(state, depth, ply, low, high) {
  if (performance.now() > deadline) throw new OutOfTime();
  const moves = state.legalMoves();
  if (moves.length === 0) return final(state, ply);
  if (depth === 0) return value(state);
  for (const move of moves) {
    low = Math.max(low, -search(state.play(move), depth - 1, ply + 1, -high, -low));
    if (low >= high) break;
  }
  return low;
}

// What the end of a game is worth for the side that would move: a win soon is better than one late.
function final(state, ply) {
  const { winner } = state.result();
  if (winner === null) return 0;
  return winner === state.seat ? WON - ply : ply - WON;
}

// What a position of Reversi is thought to be worth for the side to move: discs, and ten for a corner.
// For another game begin with `return 0`, and then think of something better.
function value({ cells, seat, board: { size, squares, fewest } }) {
  const discOf = (at) => (cells[at] === 0 ? 0 : cells[at] === seat + 1 ? 1 : -1);
  const corners = [0, size - 1, size * (size - 1), size * size - 1];
  let ahead = 0;
  for (const at of squares) ahead += discOf(at);
  for (const corner of corners) ahead += 10 * discOf(squares[corner]);
  return fewest ? -ahead : ahead;
}

let hello = null;
const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  let answer = null;
  if (message.type === "hello") {
    hello = message;
    answer = { type: "ready", protocol: "arena/1", name: "searcher", version: "1" };
  } else if (message.type === "move") {
    const state = State.fromRequest(message.state, hello.game.params);
    answer = { type: "move", id: message.id, move: choose(state, message.time.move_ms) };
  } else if (message.type === "end") {
    lines.close();
  }
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});
