// How a board looks and sounds to whoever sits at this browser. It is kept here, and nobody else is told.

import { quiet, tune } from "./sounds.js";

const KEPT = "arena-looks";
const LOOKS = ["pieces", "ink", "ground", "picture"];

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

/** Give a board the looks that were chosen. */
export function dress(board) {
  const chosen = read();
  for (const name of LOOKS) {
    if (chosen[name]) board.setAttribute(name, chosen[name]);
    else board.removeAttribute(name);
  }
}

/** Offer the choice, and call `changed` when it was made. */
export function dressed(changed) {
  const offer = document.getElementById("looks");
  const form = offer.querySelector("form");
  const chosen = read();
  for (const select of form.elements) {
    const kept = chosen[select.name];
    if (kept && [...select.options].some(({ value }) => value === kept)) select.value = kept;
  }
  tune(chosen);
  form.addEventListener("change", () => {
    const now = { ...read(), ...Object.fromEntries(new FormData(form)) };
    try {
      localStorage.setItem(KEPT, JSON.stringify(now));
    } catch {
      // a browser that keeps nothing: it lasts as long as the page
    }
    tune(now);
    changed();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("pagehide", quiet);
  offer.hidden = false;
}
