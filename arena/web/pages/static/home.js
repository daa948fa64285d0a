// The home page: a game's board as it is played, and the best bots, which are worked out apart.

import { ask, pageOf } from "./ask.js";
import "./board.js";
import { movesOf, take, written } from "./played.js";

const PAUSE_MS = 1000;
const SHOWN_MOVES = 8;
const MOST_ASKED_CHARS = 7500;
const OLD_ENOUGH = { Accept: "text/html", "Cache-Control": "max-age=30" };
const AGAIN_SECONDS = 5;
const TOPS_MS = 30000;

let drawnAt = 0;
let timer = null;
let topsFrom = 0;

document.addEventListener("arena-moves", ({ detail }) => {
  if (take(detail) === now()?.dataset.now) soon();
});
document.addEventListener("arena-read", () => {
  if (now()) soon();
  tops();
});
tops();

// The game whose board is shown, if one is being played.
function now() {
  return document.querySelector("[data-now]");
}

function soon() {
  timer ??= setTimeout(draw, Math.max(0, drawnAt + PAUSE_MS - Date.now()));
}

async function draw() {
  const { now: key, positions, params } = now()?.dataset ?? {};
  const moves = key ? movesOf(key).map(([, move]) => move) : [];
  const query = new URLSearchParams({ params, moves, first: moves.length });
  drawnAt = Date.now();
  if (moves.length && String(moves).length <= MOST_ASKED_CHARS) await show(key, `${positions}?${query}`);
  timer = null;
  if (key === now()?.dataset.now && movesOf(key).length > moves.length) soon();
}

async function show(key, address) {
  const answer = await ask(address);
  const told = answer?.ok ? JSON.parse(answer.body) : null;
  const place = now();
  if (!told?.positions.length || place?.dataset.now !== key) return;
  const board = place.querySelector("arena-board");
  board.setAttribute("quiet", ""); // moves that others make are not read aloud as they come
  if (!board.position) board.board = told.scene.board;
  board.position = told.positions[0];
  place.querySelector("[data-moves]").textContent = written(key, SHOWN_MOVES);
}

// The best bots are on a page of their own, which may take a while to be worked out.
async function tops() {
  const place = document.querySelector("[data-tops]");
  if (!place || Date.now() < topsFrom) return;
  topsFrom = Date.now() + TOPS_MS;
  const answer = await ask(place.dataset.tops, { headers: OLD_ENOUGH });
  if (answer?.status !== 200) {
    const wait = 1000 * (Number(answer?.headers.get("Retry-After")) || AGAIN_SECONDS);
    topsFrom = Date.now() + wait;
    setTimeout(tops, wait);
    return;
  }
  const found = pageOf(answer).querySelector(".tops");
  if (found) place.replaceChildren(...document.adoptNode(found).childNodes);
}
