// The moves of games that are being played, as the page that is followed tells them (`arena-moves`).

const MOST = 256;

const played = new Map();

/** Take what was told; what the game is called, as pages have it in `data-moves`. */
export function take({ tournament, match, attempt, moves }) {
  const key = `${tournament}/${match}`;
  const before = played.get(key);
  const known = before?.attempt === attempt ? before.moves : new Map();
  for (const move of moves) known.set(move.ply, move.move);
  played.delete(key);
  played.set(key, { attempt, moves: known });
  if (played.size > MOST) played.delete(played.keys().next().value); // of a page that is open for days
  return key;
}

/** The moves of a game so far by their plies, which count from 0. */
export function movesOf(key) {
  return [...(played.get(key)?.moves ?? [])].sort(([one], [other]) => one - other);
}

/** The last of them, as they are written in a line. */
export function written(key, most) {
  return movesOf(key).slice(-most).map(([ply, move]) => `${ply + 1}. ${move}`).join("  ");
}
