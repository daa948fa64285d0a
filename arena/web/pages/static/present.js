// The projector's page: as many lines of the standings at once as there is room for, page after page, and the boards
// of what is being played. Space pauses, the arrow keys step.

import { _ } from "./i18n.js";
import { followBoards } from "./live_boards.js";

const PAGE_MS = 10000;
const SHOWN_MOVES = 4;

let first = 0;
let paused = false;
let turning = null;

document.documentElement.classList.add("presenting");
document.querySelector("[data-steering]").hidden = false;
document.addEventListener("arena-read", show);
window.addEventListener("resize", show);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && event.target.closest("button, a")) return; // that presses it
  const act = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), " ": pause }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-steering] button");
  if (button?.dataset.step) step(Number(button.dataset.step));
  else if (button) pause();
});
followBoards(SHOWN_MOVES);
show();
again();

function again() {
  clearInterval(turning);
  turning = setInterval(() => paused || turn(1), PAGE_MS);
}

function step(by) {
  turn(by);
  again();
}

function pause() {
  paused = !paused;
  show();
}

function turn(by) {
  const rows = lines();
  const room = most();
  const pages = Math.ceil(rows.length / room) || 1;
  first = ((Math.floor(first / room) + by + pages) % pages) * room;
  show();
}

function lines() {
  return [...document.querySelectorAll("[data-paged] tbody tr")];
}

// How many lines there is room for below the head of the table.
function most() {
  const room = document.querySelector("[data-room]");
  const rows = lines();
  if (!room || !rows.length) return 1;
  for (const row of rows) row.hidden = false;
  const tallest = Math.max(...rows.map((row) => row.offsetHeight));
  return Math.max(1, Math.floor((room.clientHeight - room.querySelector("thead").offsetHeight) / tallest));
}

function show() {
  const rows = lines();
  const room = most();
  if (first >= rows.length) first = 0;
  rows.forEach((row, at) => {
    row.hidden = at < first || at >= first + room;
  });
  const pages = Math.ceil(rows.length / room);
  document.querySelector("[data-page]").textContent =
    pages > 1 ? _("%(page)s of %(pages)s", { page: Math.floor(first / room) + 1, pages }) : "";
  const button = document.querySelector("[data-pause]");
  button.textContent = paused ? button.dataset.paused : button.dataset.going;
  button.setAttribute("aria-pressed", paused);
}
