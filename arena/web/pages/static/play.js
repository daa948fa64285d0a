// A game that somebody plays: what is done in it is sent without leaving the page, and a bot's move is waited for.

import "./board.js";

const WAIT_MS = 400;
const place = () => document.getElementById("play");
let busy = false;

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-play]") || event.defaultPrevented) return;
  event.preventDefault();
  await send(form, new FormData(form, event.submitter));
});

// A move that was pointed at on the board is sent as its button in the list would be.
document.addEventListener("arena-move", async ({ detail }) => {
  const form = place().querySelector("form.legal-moves");
  const told = new FormData(form);
  told.set("move", detail);
  await send(form, told);
});

async function send(form, told) {
  if (busy) return;
  busy = true;
  try {
    await show(await fetch(form.action, { method: "POST", body: new URLSearchParams(told) }), true);
  } catch {
    location.reload();
  } finally {
    busy = false;
  }
}

// The board stays the same element, so that who is at one of its places stays there.
function draw(kept) {
  const there = place().querySelector("[data-scene]");
  let board = there.querySelector("arena-board");
  if (kept) {
    board.replaceWith(kept);
    board = kept;
  } else {
    board.board = JSON.parse(there.dataset.scene).board;
  }
  board.toggleAttribute("interactive", "playable" in there.dataset);
  board.toggleAttribute("hint", "playable" in there.dataset);
  board.position = JSON.parse(there.dataset.position);
}

// Who waits for a bot, or for a hint, or for a clock to run out, looks again.
async function look() {
  const now = place();
  const waits = "waits" in now.dataset || Number(now.dataset.flag) <= 0;
  if (waits && !busy && !document.hidden) {
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (!busy && answer.ok) await show(answer, false);
    } catch {
      // the arena is away for a moment: the next look may find it
    }
  }
  setTimeout(look, WAIT_MS);
}

async function show(answer, always) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.getElementById("play");
  if (!next) return location.reload();
  const before = place();
  const [newer, older] = [next, before].map((each) => Number(each.dataset.revision));
  if (!always && (busy || newer < older || (newer === older && next.textContent === before.textContent))) return;
  const focused = document.activeElement;
  const was = before.contains(focused) ? focused.id || "status" : "";
  const board = before.querySelector("arena-board");
  const pointing = board.contains(focused);
  const open = [...before.querySelectorAll("details[open]")].map((each) => each.id);
  before.replaceWith(next);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  const scene = (page) => page.querySelector("[data-scene]").dataset.scene;
  draw(scene(before) === scene(next) ? board : null);
  if (pointing && focused.isConnected) return focused.focus({ preventScroll: true });
  if (!was) return;
  const same = was === "status" ? null : document.getElementById(was);
  (same ?? next.querySelector("[name=move]:not([type=hidden])") ?? document.getElementById("status")).focus();
}

// A clock is counted down between two answers, so that one that runs out is noticed.
setInterval(() => {
  const now = place();
  if (now.dataset.flag) now.dataset.flag = Number(now.dataset.flag) - 1;
}, 1000);

draw(null);
look();
