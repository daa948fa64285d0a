// The rules of Reversed Reversi, to search with. Copy this one file beside your bot; it needs nothing else.
//
//     const { State } = require("./rules.js");
//
//     const state = State.fromRequest(message.state, hello.game.params);
//     for (const move of state.legalMoves()) {    // texts, as the referee takes them; none when it is over
//       const after = state.play(move);           // a new state; the old one stays as it was
//       after.result();                           // null while the game goes on
//     }
//
// Where a side can place nothing and the other can, the one legal move is "pass"; the referee plays it for
// you, but a search meets it. `key()` is a text, for a Map of what you know of positions. `play` trusts you:
// what comes of a move that is not among the legal ones is nothing.
"use strict";

// What lies on a square; what is beyond the edge is neither side's.
const EMPTY = 0;
const BEYOND = 3;
const SIGNS = ".XO";

class State {
  // `cells` are the squares with an edge around them, `seat` is to move (0 is X); a disc is its seat + 1.
  constructor(cells, seat, board) {
    this.cells = cells;
    this.seat = seat;
    this.board = board;
  }

  // Where a game with these parameters begins.
  static initial(params) {
    const { size, rows } = boardOf(params);
    const board = Array.from({ length: rows }, () => ".".repeat(size));
    const [upper, left] = [Math.floor(rows / 2) - 1, Math.floor(size / 2) - 1];
    const around = [".".repeat(left), ".".repeat(size - left - 2)];
    board[upper] = around.join("XO");
    board[upper + 1] = around.join("OX");
    return State.fromRequest({ board, to_move: "X" }, params);
  }

  // The position of a request's `state`, with the game's `params`.
  static fromRequest(state, params) {
    const board = boardOf(params);
    const cells = new Int8Array(board.room).fill(BEYOND);
    const signs = state.board.join("");
    board.squares.forEach((at, number) => {
      cells[at] = SIGNS.indexOf(signs[number]);
    });
    return new State(cells, state.to_move === "X" ? 0 : 1, board);
  }

  // The position as requests have it.
  toJson() {
    const { size, rows, squares } = this.board;
    const signs = squares.map((at) => SIGNS[this.cells[at]]).join("");
    const board = Array.from({ length: rows }, (_, row) => signs.slice(row * size, (row + 1) * size));
    return { board, to_move: "XO"[this.seat] };
  }

  key() {
    return this.cells.join("") + this.seat;
  }

  // The squares that turn something over, from a1 on; else a pass; else, at the end, nothing.
  legalMoves() {
    const moves = [];
    const { squares, names } = this.board;
    for (let i = 0; i < squares.length; i++) {
      if (this.cells[squares[i]] === EMPTY && turns(this, squares[i], this.seat)) moves.push(names[i]);
    }
    if (moves.length === 0 && canPlace(this, 1 - this.seat)) moves.push("pass");
    return moves;
  }

  // The position after a legal move.
  play(move) {
    if (move === "pass") return new State(this.cells, 1 - this.seat, this.board);
    const cells = this.cells.slice();
    const own = this.seat + 1;
    const opp = 2 - this.seat;
    const at = this.board.bySquare.get(move);
    for (const step of this.board.steps) {
      let end = at + step;
      while (cells[end] === opp) end += step;
      if (cells[end] === own) for (let each = end - step; each !== at; each -= step) cells[each] = own;
    }
    cells[at] = own;
    return new State(cells, 1 - this.seat, this.board);
  }

  // {winner, reason, score}: when neither side can place a disc, fewer win; with `reversed` false, more.
  // `winner` is a seat, null for a draw.
  result() {
    if (canPlace(this, 0) || canPlace(this, 1)) return null;
    const score = this.discs();
    if (score[0] === score[1]) return { winner: null, reason: "equal_discs", score };
    const { fewest } = this.board;
    const winner = score[0] > score[1] === fewest ? 1 : 0;
    return { winner, reason: fewest ? "fewest_discs" : "most_discs", score };
  }

  // How many discs each seat has.
  discs() {
    const score = [0, 0];
    for (const at of this.board.squares) if (this.cells[at] !== EMPTY) score[this.cells[at] - 1]++;
    return score;
  }
}

// Whether a disc of `seat` on an empty square turns something over.
function turns({ cells, board }, at, seat) {
  const own = seat + 1;
  const opp = 2 - seat;
  for (const step of board.steps) {
    let end = at + step;
    if (cells[end] !== opp) continue;
    while (cells[end] === opp) end += step;
    if (cells[end] === own) return true;
  }
  return false;
}

function canPlace(state, seat) {
  return state.board.squares.some((at) => state.cells[at] === EMPTY && turns(state, at, seat));
}

const known = new Map();

// What all positions of one match share.
function boardOf({ size, rows = size, reversed }) {
  const which = `${size} ${rows} ${reversed}`;
  if (!known.has(which)) known.set(which, makeBoard(size, rows, reversed));
  return known.get(which);
}

function makeBoard(size, rows, fewest) {
  const width = size + 1; // one column beyond the edge ends a row and begins the next
  const squares = [];
  const names = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < size; column++) {
      squares.push((row + 1) * width + column + 1);
      names.push("abcdefghij"[column] + (row + 1));
    }
  }
  return {
    size,
    rows,
    fewest,
    squares,
    names,
    room: (rows + 2) * width + 1,
    steps: [1, width - 1, width, width + 1].flatMap((step) => [step, -step]),
    bySquare: new Map(names.map((name, number) => [name, squares[number]])),
  };
}

module.exports = { State };
