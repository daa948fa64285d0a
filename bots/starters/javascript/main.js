// A bot: it plays the legal move that it finds best. Make value() think, and it plays better.
"use strict";

const { run } = require("./arena_bot.js");

/** So many seconds before the time is over it answers with the best that it has. */
const SPARE = 0.05;

/**
 * How good a move is: the higher, the better. Your search begins here.
 *
 * request.state is the position, request.seat is you (0 or 1), and README.md shows an example.
 */
function value(request, move) {
  return 0;
}

/** The legal move with the highest value, the first one of several. */
function choose(request) {
  let best = request.legal[0];
  let highest = -Infinity;
  for (const move of request.legal) {
    if (request.secondsLeft() < SPARE) break;
    const found = value(request, move);
    if (found > highest) {
      highest = found;
      best = move;
    }
  }
  return best;
}

if (require.main === module) run(choose);

module.exports = { choose };
