// The rules of the L-Game, to search with. Copy this one file beside your bot; it needs nothing else.
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

const SIZE = 4;
const SQUARES = SIZE * SIZE;
const NAMES = Array.from({ length: SQUARES }, (_, at) => "abcd"[at % SIZE] + (Math.floor(at / SIZE) + 1));
const SIDES = [["u", 0, -1], ["d", 0, 1], ["l", -1, 0], ["r", 1, 0]];

class State {
  // Bit i is square i, row by row from a1. `own` is the L of the side to move, `opp` the other's, `discs` the
  // neutral ones; `seat` is to move (0 is X).
  constructor(own, opp, discs, seat) {
    this.own = own;
    this.opp = opp;
    this.discs = discs;
    this.seat = seat;
  }

  // Where a game begins.
  static initial() {
    return State.fromRequest({ board: ["*XX.", ".OX.", ".OX.", ".OO*"], to_move: "X" });
  }

  // The position of a request's `state`.
  static fromRequest(state) {
    const boards = { X: 0, O: 0, "*": 0, ".": 0 };
    [...state.board.join("")].forEach((sign, at) => {
      boards[sign] |= 1 << at;
    });
    return state.to_move === "X"
      ? new State(boards.X, boards.O, boards["*"], 0)
      : new State(boards.O, boards.X, boards["*"], 1);
  }

  // The position as requests have it.
  toJson() {
    const [cross, nought] = this.seat === 0 ? [this.own, this.opp] : [this.opp, this.own];
    const sign = (bit) => (cross & bit ? "X" : nought & bit ? "O" : this.discs & bit ? "*" : ".");
    const signs = NAMES.map((_, at) => sign(1 << at)).join("");
    const board = [0, 1, 2, 3].map((row) => signs.slice(row * SIZE, (row + 1) * SIZE));
    return { board, to_move: "XO"[this.seat] };
  }

  key() {
    return String.fromCharCode(this.own, this.opp, this.discs, this.seat);
  }

  // Every other place for the L, each with every way to move one disc or none.
  legalMoves() {
    const taken = this.opp | this.discs;
    const moves = [];
    for (const { squares, texts } of PLACES) {
      if (squares & taken || squares === this.own) continue;
      moves.push(texts[0]);
      for (let start = 0; start < SQUARES; start++) {
        if (!((this.discs >> start) & 1)) continue;
        for (let end = 0; end < SQUARES; end++) {
          if (!(((taken | squares) >> end) & 1)) moves.push(texts[1 + start * SQUARES + end]);
        }
      }
    }
    return moves;
  }

  // The position after a legal move.
  play(move) {
    const { squares, changed } = MEANING.get(move);
    return new State(this.opp, squares, this.discs ^ changed, 1 - this.seat);
  }

  // {winner, reason, score}: whoever is to move and can put the L nowhere else has lost. `winner` is a seat.
  result() {
    const taken = this.opp | this.discs;
    if (PLACES.some(({ squares }) => !(squares & taken) && squares !== this.own)) return null;
    return { winner: 1 - this.seat, reason: "cannot_place", score: this.seat === 0 ? [0, 1] : [1, 0] };
  }
}

const PLACES = []; // the 48 ways to put an L down: its squares as bits, and the moves that put it there
const MEANING = new Map(); // of a move: the L's squares, and those where a disc comes or goes

for (let at = 0; at < SQUARES; at++) {
  const row = Math.floor(at / SIZE);
  const column = at % SIZE;
  for (const [side, right, down] of SIDES) {
    const x = column + right;
    const y = row + down;
    if (x < 0 || x >= SIZE || y < 0 || y >= SIZE) continue;
    // The bar goes from beside the foot towards the farther edge.
    const towards = right ? (row < SIZE / 2 ? SIZE : -SIZE) : column < SIZE / 2 ? 1 : -1;
    const beside = y * SIZE + x;
    const squares = (1 << at) | (1 << beside) | (1 << (beside + towards)) | (1 << (beside + 2 * towards));
    const texts = [NAMES[at] + side];
    MEANING.set(texts[0], { squares, changed: 0 });
    for (let start = 0; start < SQUARES; start++) {
      for (let end = 0; end < SQUARES; end++) {
        const text = `${texts[0]}/${NAMES[start]}-${NAMES[end]}`;
        texts.push(text);
        MEANING.set(text, { squares, changed: (1 << start) | (1 << end) });
      }
    }
    PLACES.push({ squares, texts });
  }
}

module.exports = { State };
