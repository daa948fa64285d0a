// A game that somebody plays: what is done in it is sent without leaving the page, and a bot's move is waited for.

import { ask, pageOf } from "./ask.js";
import "./board.js";
import { dress, dressed } from "./looks.js";
import { sound } from "./sounds.js";

const WAIT_MS = 400;
const AWAY_MS = 4000;
const HELD_MS = 500;
const PAGE = { headers: { Accept: "text/html" } };
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
  let answer = await ask(form.action, { method: "POST", body: new URLSearchParams(told) });
  while (!answer) { // whether it was taken the page says, once somebody answers
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    answer = await ask(location.pathname, PAGE);
  }
  busy = false;
  show(answer, true);
}

// The board stays the same element, so that who is at one of its places stays there.
function draw(kept) {
  const there = place().querySelector("[data-scene]");
  let board = there.querySelector("arena-board");
  if (kept) {
    board.replaceWith(kept);
    board = kept;
  } else {
    board.setAttribute("quiet", "");
    board.board = JSON.parse(there.dataset.scene).board;
    dress(board);
  }
  board.toggleAttribute("interactive", "playable" in there.dataset);
  board.toggleAttribute("hint", "playable" in there.dataset);
  board.position = JSON.parse(there.dataset.position);
  const list = place().querySelector(".scroll.tall");
  if (list) list.scrollTop = list.scrollHeight;
}

// Who waits for a bot, or for a hint, or for a clock to run out, looks again.
async function look() {
  const now = place();
  const waits = "waits" in now.dataset || Number(now.dataset.flag) <= 0;
  let pause = WAIT_MS;
  if (waits && !busy && !document.hidden) {
    const answer = await ask(location.pathname, PAGE);
    if (answer?.ok && !busy) show(answer, false);
    if (!answer?.ok) pause = AWAY_MS;
  }
  setTimeout(look, pause);
}

function show(answer, always) {
  const next = pageOf(answer).getElementById("play");
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
  if (next.dataset.ply !== before.dataset.ply) hint.shown = false;
  showHint();
  tell(before, next);
  if (pointing && focused.isConnected) return focused.focus({ preventScroll: true });
  if (!was) return;
  const same = was === "status" ? null : document.getElementById(was);
  (same ?? next.querySelector("[name=move]:not([type=hidden])") ?? document.getElementById("status")).focus();
}

// What has happened is said once, and heard by who has chosen sounds.
function tell(before, next) {
  const [old, now] = [before, next].map((each) => each.querySelector("#status").innerText.trim());
  const refused = next.querySelector("[role=alert]");
  if (old !== now && !refused) say(now);
  if (refused) sound("refused");
  else if ("over" in next.dataset && !("over" in before.dataset)) sound(next.dataset.over);
  else if (Number(next.dataset.ply) > Number(before.dataset.ply)) sound("move");
}

function say(text) {
  document.getElementById("told").textContent = text;
}

// A hint is there while its button is held; pressed for a moment only, until it is pressed again.
const hint = { shown: false, since: 0, was: false, pressed: false };

function press() {
  Object.assign(hint, { since: performance.now(), was: hint.shown, pressed: true });
  turn(true);
}

function release() {
  if (!hint.pressed) return;
  hint.pressed = false;
  if (hint.was || performance.now() - hint.since >= HELD_MS) turn(false);
}

function turn(shown) {
  hint.shown = shown;
  showHint();
  const there = document.getElementById("hinted");
  const form = document.getElementById("hint")?.form;
  const failed = there && !("asking" in there.dataset) && !("known" in there.dataset);
  if (shown && form && (!there || failed)) send(form, new FormData(form));
}

function showHint() {
  const button = document.getElementById("hint");
  const told = document.getElementById("hinted");
  button?.setAttribute("aria-pressed", hint.shown);
  if (!told) return;
  const appears = told.hidden !== false && hint.shown;
  told.hidden = !hint.shown;
  const board = place().querySelector("arena-board");
  const best = hint.shown && JSON.parse(told.dataset.best)[0];
  board.better = board.position?.legal?.find(({ move }) => move === best)?.path ?? [];
  if (appears) say(told.innerText.trim());
}

const ofHint = (event) => event.target.closest?.("#hint");
const keys = (event) => event.key === "Enter" || event.key === " ";
document.addEventListener("pointerdown", (event) => {
  if (ofHint(event) && event.button === 0) press();
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release);
window.addEventListener("blur", release);
document.addEventListener("keydown", (event) => {
  if (!ofHint(event) || !keys(event)) return;
  event.preventDefault();
  if (!event.repeat) press();
});
document.addEventListener("keyup", (event) => {
  if (!keys(event) || !hint.pressed) return;
  event.preventDefault();
  release();
});
// A click that neither a pointer nor a key has made is that of a reader of screens.
document.addEventListener("click", (event) => {
  if (!ofHint(event)) return;
  event.preventDefault();
  if (event.detail === 0) turn(!hint.shown);
});
document.addEventListener("contextmenu", (event) => {
  if (ofHint(event)) event.preventDefault();
});

// A clock is counted down between two answers, so that it is seen to run, and one that runs out is noticed.
setInterval(() => {
  const now = place();
  if (!now.dataset.flag) return;
  now.dataset.flag = Number(now.dataset.flag) - 1;
  const left = Math.max(0, Math.floor(Number(now.dataset.flag)));
  const shown = now.querySelector("[data-runs]");
  if (shown) shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}, 1000);

draw(null);
showHint();
dressed(() => dress(place().querySelector("arena-board")));
look();
