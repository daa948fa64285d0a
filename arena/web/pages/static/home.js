// The home page: a game's board as it is played, and the best bots, which are worked out apart.

import { ask, pageOf } from "./ask.js";
import { followBoards } from "./live_boards.js";

const SHOWN_MOVES = 8;
const OLD_ENOUGH = { Accept: "text/html", "Cache-Control": "max-age=30" };
const AGAIN_SECONDS = 5;
const TOPS_MS = 30000;

let topsFrom = 0;

followBoards(SHOWN_MOVES);
document.addEventListener("arena-read", tops);
tops();

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
