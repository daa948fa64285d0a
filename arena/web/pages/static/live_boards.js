// The boards of games that are being played (`data-now`) and their last moves (`data-moves`), as the page that is
// followed tells of them. However many boards there are, one is drawn at a time, those longest behind first.

import { ask } from "./ask.js";
import "./board.js";
import { movesOf, take, written } from "./played.js";

const PAUSE_MS = 1000;
const MAX_ASKED_CHARS = 7500;

const asked = new WeakMap(); // of each board's place the key and the number of plies that it was drawn by
let drawnAt = 0;
let timer = null;

/** Follow all that are on the page; of each game its last moves are written, `most` of them. */
export function followBoards(most) {
  document.addEventListener("arena-moves", ({ detail }) => {
    write(take(detail), most);
    soon();
  });
  document.addEventListener("arena-read", () => {
    for (const { dataset } of document.querySelectorAll("[data-moves]")) write(dataset.moves, most);
    soon();
  });
}

function write(key, most) {
  const place = document.querySelector(`[data-moves="${key}"]`);
  if (place) place.textContent = written(key, most);
}

// The boards that are not as their games are, those first that were never drawn or longest ago.
function behind() {
  const places = [...document.querySelectorAll("[data-now]")].filter((place) => {
    const moves = movesOf(place.dataset.now).length;
    return moves && stateOf(place.dataset.now, moves) !== asked.get(place)?.state;
  });
  return places.sort((one, other) => (asked.get(one)?.at ?? 0) - (asked.get(other)?.at ?? 0));
}

function stateOf(key, plies) {
  return `${key} ${plies}`;
}

function soon() {
  if (behind().length) timer ??= setTimeout(draw, Math.max(0, drawnAt + PAUSE_MS - Date.now()));
}

async function draw() {
  drawnAt = Date.now();
  const [place] = behind();
  if (place) {
    const { now: key, positions, params } = place.dataset;
    const moves = movesOf(key).map(([, move]) => move);
    asked.set(place, { state: stateOf(key, moves.length), at: drawnAt });
    const query = new URLSearchParams({ params, moves, first: moves.length });
    if (String(moves).length <= MAX_ASKED_CHARS) await show(place, key, `${positions}?${query}`);
  }
  timer = null;
  soon();
}

async function show(place, key, address) {
  const answer = await ask(address);
  const told = answer?.ok ? JSON.parse(answer.body) : null;
  if (!told?.positions.length || !place.isConnected || place.dataset.now !== key) return;
  const board = place.querySelector("arena-board");
  board.setAttribute("quiet", ""); // moves that others make are not read aloud as they come
  if (!board.position) board.board = told.scene.board;
  board.position = told.positions[0];
}
