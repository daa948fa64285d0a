// The rules of Circle Nim, to search with. Copy this one file beside your bot; it needs nothing else.
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
"use strict";

class State {
  // `left` has bit i for circle i + 1 still there; `seat` is to move.
  constructor(left, seat, rows) {
    this.left = left;
    this.seat = seat;
    this.rows = rows;
  }

  // Where a game with these parameters begins.
  static initial(params) {
    return new State(2 ** ((params.rows * (params.rows + 1)) / 2) - 1, 0, params.rows);
  }

  // The position of a request's `state`, with the game's `params`.
  static fromRequest(state, params) {
    let left = 0;
    for (const number of state.left) left |= 1 << (number - 1);
    return new State(left, state.to_move, params.rows);
  }

  // The position as requests have it.
  toJson() {
    const left = [];
    for (let number = 0; number < 28; number++) if ((this.left >> number) & 1) left.push(number + 1);
    return { left, to_move: this.seat };
  }

  key() {
    return this.left + "/" + this.seat;
  }

  // What the seat can take: single circles, then pairs, then threes.
  legalMoves() {
    const { texts, circles } = linesOf(this.rows);
    const moves = [];
    for (let i = 0; i < circles.length; i++) {
      if ((circles[i] & this.left) === circles[i]) moves.push(texts[i]);
    }
    return moves;
  }

  // The position after a legal move.
  play(move) {
    return new State(this.left ^ linesOf(this.rows).byText.get(move), 1 - this.seat, this.rows);
  }

  // {winner, reason, score}: whoever took the last circle has lost. `winner` is a seat.
  result() {
    if (this.left) return null;
    return { winner: this.seat, reason: "left_the_last", score: this.seat === 0 ? [1, 0] : [0, 1] };
  }
}

const known = new Map();

// All that can be taken from a full triangle, as texts and as bits.
function linesOf(rows) {
  if (!known.has(rows)) known.set(rows, makeLines(rows));
  return known.get(rows);
}

function makeLines(rows) {
  const found = new Map();
  for (let row = 0; row < rows; row++) {
    for (let place = 0; place <= row; place++) {
      for (const [down, right] of [[0, 1], [1, 0], [1, 1]]) { // along the row, and down either slope
        const line = [];
        for (let length = 0; length < 3; length++) {
          const r = row + down * length;
          const p = place + right * length;
          if (r >= rows || p > r) break;
          line.push((r * (r + 1)) / 2 + p + 1);
          found.set(line.join("-"), [...line]);
        }
      }
    }
  }
  const before = (a, b) => a.length - b.length || a[0] - b[0] || (a[1] ?? 0) - (b[1] ?? 0);
  const lines = [...found.values()].sort(before);
  const texts = lines.map((line) => line.join("-"));
  const circles = lines.map((line) => line.reduce((all, number) => all | (1 << (number - 1)), 0));
  return { texts, circles, byText: new Map(texts.map((text, i) => [text, circles[i]])) };
}

module.exports = { State };
