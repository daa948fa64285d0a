// A bot: it plays the legal move that it finds best. Make value() think, and it plays better.

import { Request } from "./arena_bot";

/** So many seconds before the time is over it answers with the best that it has. */
const SPARE = 0.05;

/**
 * How good a move is: the higher, the better. Your search begins here.
 *
 * request.state is the position, request.seat is you (0 or 1), and README.md shows an example.
 */
function value(request: Request, move: string): number {
  return 0;
}

/** The legal move with the highest value, the first one of several. */
export function choose(request: Request): string {
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
