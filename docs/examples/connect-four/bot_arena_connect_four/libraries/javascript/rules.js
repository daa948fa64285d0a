// The rules of Connect Four, to search with. Copy this one file beside your bot; it needs nothing else.
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

const COLUMNS = 7;
const ROWS = 6;
const SIGNS = ".XO";
const EMPTY = 0;

class State {
  // `cells` are the squares row by row from the top left; a disc is its seat + 1. `seat` is to move (0 is X).
  constructor(cells, seat) {
    this.cells = cells;
    this.seat = seat;
  }

  // Where a game begins.
  static initial() {
    return new State(new Int8Array(COLUMNS * ROWS), 0);
  }

  // The position of a request's `state`.
  static fromRequest(state) {
    return new State(Int8Array.from(state.board.join(""), (sign) => SIGNS.indexOf(sign)), state.to_move);
  }

  // The position as requests have it.
  toJson() {
    const signs = Array.from(this.cells, (cell) => SIGNS[cell]).join("");
    const board = Array.from({ length: ROWS }, (_, row) => signs.slice(row * COLUMNS, (row + 1) * COLUMNS));
    return { board, to_move: this.seat };
  }

  key() {
    return this.cells.join("") + this.seat;
  }

  // The columns that are not full, from the left; none when four are in a line.
  legalMoves() {
    if (this.linedUp()) return [];
    const moves = [];
    for (let column = 0; column < COLUMNS; column++) {
      if (this.cells[column] === EMPTY) moves.push(String(column + 1));
    }
    return moves;
  }

  // The position after a legal move: the disc lies on what is there.
  play(move) {
    const cells = this.cells.slice();
    let at = (ROWS - 1) * COLUMNS + Number(move) - 1;
    while (cells[at] !== EMPTY) at -= COLUMNS;
    cells[at] = this.seat + 1;
    return new State(cells, 1 - this.seat);
  }

  // {winner, reason, score}: whoever has just made a line of four has won; a full board is a draw.
  // `winner` is a seat, null for a draw.
  result() {
    if (this.linedUp()) {
      return { winner: 1 - this.seat, reason: "four_in_line", score: this.seat === 0 ? [0, 1] : [1, 0] };
    }
    return this.cells.includes(EMPTY) ? null : { winner: null, reason: "board_full", score: [0, 0] };
  }

  // Whether the side that has just moved has four in a line: upright, level, or on either diagonal.
  linedUp() {
    const { cells } = this;
    const disc = 2 - this.seat;
    for (const [a, b, c, d] of LINES) {
      if (cells[a] === disc && cells[b] === disc && cells[c] === disc && cells[d] === disc) return true;
    }
    return false;
  }
}

const LINES = [];
for (let row = 0; row < ROWS; row++) {
  for (let column = 0; column < COLUMNS; column++) {
    for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const [lastRow, lastColumn] = [row + 3 * down, column + 3 * right];
      if (lastRow >= ROWS || lastColumn < 0 || lastColumn >= COLUMNS) continue;
      LINES.push([0, 1, 2, 3].map((step) => (row + step * down) * COLUMNS + column + step * right));
    }
  }
}

module.exports = { State };
