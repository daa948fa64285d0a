// The rules of Heap Nim, to search with. Copy this one file beside your bot; it needs nothing else.
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
  // `heaps` is what each holds; `seat` is to move.
  constructor(heaps, seat, misere) {
    this.heaps = heaps;
    this.seat = seat;
    this.misere = misere;
  }

  // Where a game with these parameters begins.
  static initial(params) {
    return new State([...params.heaps], 0, params.misere);
  }

  // The position of a request's `state`, with the game's `params`.
  static fromRequest(state, params) {
    return new State([...state.heaps], state.to_move, params.misere);
  }

  // The position as requests have it.
  toJson() {
    return { heaps: [...this.heaps], to_move: this.seat };
  }

  key() {
    return this.heaps.join() + "/" + this.seat;
  }

  // Any number from any heap, heap by heap, the smallest number first.
  legalMoves() {
    const moves = [];
    this.heaps.forEach((held, heap) => {
      for (let taken = 1; taken <= held; taken++) moves.push(heap + 1 + ":" + taken);
    });
    return moves;
  }

  // The position after a legal move.
  play(move) {
    const colon = move.indexOf(":");
    const heaps = this.heaps.slice();
    heaps[Number(move.slice(0, colon)) - 1] -= Number(move.slice(colon + 1));
    return new State(heaps, 1 - this.seat, this.misere);
  }

  // {winner, reason, score}: whoever took the last one has won, or lost with `misere`. `winner` is a seat.
  result() {
    if (this.heaps.some((held) => held > 0)) return null;
    const winner = this.misere ? this.seat : 1 - this.seat;
    const reason = this.misere ? "left_the_last" : "took_the_last";
    return { winner, reason, score: winner === 0 ? [1, 0] : [0, 1] };
  }
}

module.exports = { State };
