// The rules of Rhombic Chess, to search with. Copy this one file beside your bot; it needs nothing else.
//
//     const { State } = require("./rules.js");
//
//     const state = State.fromRequest(message.state, hello.game.params);
//     for (const move of state.legalMoves()) {    // texts, as the referee takes them; none when it is over
//       const after = state.play(move);           // a new state; the old one stays as it was
//       after.result();                           // null while the game goes on
//     }
//
// `key()` is a text, for a Map of what you know of positions. `play` trusts you: what comes of a move that is
// not among the legal ones is nothing.
//
// The rules know no draw; a match does, by its `policy`: see `hello` in the protocol, and a request's
// `history`.
"use strict";

const ROWS = [1, 3, 5, 3, 1];
const POINTS = 13;
const STONES = 5;
const JOINED = "1-2 1-4 2-3 2-5 2-6 3-4 3-7 4-8 4-9 5-10 6-7 6-10 7-8 7-11 8-12 9-12 10-11 10-13 11-12 12-13";

class State {
  // Bit i is point i + 1; `own` is the side to move, and `seat` (0 is X).
  constructor(own, opp, seat) {
    this.own = own;
    this.opp = opp;
    this.seat = seat;
  }

  // Where a game begins.
  static initial() {
    return new State(0, 0, 0);
  }

  // The position of a request's `state`.
  static fromRequest(state) {
    const boards = { X: 0, O: 0, ".": 0 };
    [...state.board.join("")].forEach((sign, at) => {
      boards[sign] |= 1 << at;
    });
    return state.to_move === "X" ? new State(boards.X, boards.O, 0) : new State(boards.O, boards.X, 1);
  }

  // The position as requests have it.
  toJson() {
    const [cross, nought] = this.seat === 0 ? [this.own, this.opp] : [this.opp, this.own];
    let at = 0;
    const sign = () => {
      const bit = 1 << at++;
      return cross & bit ? "X" : nought & bit ? "O" : ".";
    };
    const board = ROWS.map((width) => Array.from({ length: width }, sign).join(""));
    return { board, to_move: "XO"[this.seat] };
  }

  key() {
    return String(((this.own << POINTS) | this.opp) * 2 + this.seat);
  }

  // Every empty point while stones are placed; then every own stone with every empty neighbour.
  legalMoves() {
    const taken = this.own | this.opp;
    const moves = [];
    if (count(this.own) < STONES) {
      for (let at = 0; at < POINTS; at++) if (!((taken >> at) & 1)) moves.push(NAMES[at]);
      return moves;
    }
    for (let at = 0; at < POINTS; at++) {
      if (!((this.own >> at) & 1)) continue;
      for (const step of STEPS[at]) if (!(step.end & taken)) moves.push(step.text);
    }
    return moves;
  }

  // The position after a legal move.
  play(move) {
    return new State(this.opp, this.own ^ CHANGED.get(move), 1 - this.seat);
  }

  // {winner, reason, score}: whoever is to move and cannot has lost. `winner` is a seat.
  result() {
    if (this.legalMoves().length > 0) return null;
    return { winner: 1 - this.seat, reason: "blocked", score: this.seat === 0 ? [0, 1] : [1, 0] };
  }
}

function count(board) {
  let stones = 0;
  for (let rest = board; rest; rest &= rest - 1) stones++;
  return stones;
}

const NAMES = Array.from({ length: POINTS }, (_, at) => String(at + 1));
const STEPS = NAMES.map(() => []); // from each point: the move as a text, and where to as a bit; ascending
const CHANGED = new Map(NAMES.map((name, at) => [name, 1 << at])); // what a move fills or empties

for (const [start, end] of JOINED.split(" ").map((line) => line.split("-"))) {
  for (const [from, to] of [[start, end], [end, start]]) {
    STEPS[from - 1].push({ text: `${from}-${to}`, end: 1 << (to - 1) });
    CHANGED.set(`${from}-${to}`, (1 << (from - 1)) | (1 << (to - 1)));
  }
}
for (const steps of STEPS) steps.sort((a, b) => a.end - b.end);

module.exports = { State };
