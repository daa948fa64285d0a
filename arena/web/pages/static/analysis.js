// Where a game is being analysed: asks until that is over, and then shows what the page says by now.
// A game that not everybody sees has no address to ask, since the API knows nobody by cookies: its page is read again.

import { ask, pageOf } from "./ask.js";

const USUAL_SECONDS = 2;
const MAX_SECONDS = 30;
const SLOWER = 1.5;
const PARTS = ["#values", "section.moves"];

const place = document.querySelector("[data-waiting]");
if (place) follow(place.dataset.waiting);

async function follow(address, seconds = USUAL_SECONDS) {
  const asked = address ? await left(address) : 0;
  if (asked === 0 && (await renew())) return;
  const pause = Math.min(asked || seconds, MAX_SECONDS);
  setTimeout(() => follow(address, pause * SLOWER), 1000 * pause);
}

// After how many seconds to ask again; 0 when it is over.
async function left(address) {
  const answer = await ask(address, { headers: { Accept: "application/json" } });
  if (answer && answer.status !== 202 && answer.status < 500) return 0;
  return Number(answer?.headers.get("Retry-After")) || USUAL_SECONDS;
}

// Whether the page had it, or has nothing more to wait for.
async function renew() {
  const answer = await ask(location.href);
  if (!answer?.ok) return false;
  const page = pageOf(answer);
  if (page.querySelector("[data-waiting]")) return false;
  for (const part of PARTS) {
    const now = page.querySelector(part);
    if (now) document.querySelector(part)?.replaceWith(document.adoptNode(now));
  }
  document.dispatchEvent(new Event("arena-renewed"));
  return true;
}
