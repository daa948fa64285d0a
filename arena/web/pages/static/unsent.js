// Who sends a form after their session has ended is led to sign in, and back: then what they typed stands there
// again. It is kept by the browser in this tab until then, for the same user; no passwords, tokens or files.

import { _ } from "./i18n.js";

const KEPT = "arena-unsent";
const KEPT_MS = 60 * 60 * 1000;
const SIGNING_IN = "/sign-in";
const TYPED = "textarea, select, input:not([type=hidden], [type=file], [type=submit], [type=button])";

const storage = allowed();

/** Keep what is sent by the forms of this page, and put back what was sent in vain. */
export function keepTyped() {
  if (!storage) return;
  const kept = JSON.parse(storage.getItem(KEPT));
  if (kept && location.pathname.startsWith(SIGNING_IN)) {
    storage.setItem(KEPT, JSON.stringify({ ...kept, inVain: true }));
  } else if (kept) {
    storage.removeItem(KEPT);
    const fresh = Date.now() - kept.at < KEPT_MS;
    if (kept.inVain && fresh && kept.who === who() && kept.page === location.pathname) putBack(kept);
  }
  document.addEventListener("submit", (event) => event.defaultPrevented || keep(event.target));
}

function allowed() {
  try {
    return window.sessionStorage;
  } catch {
    return null; // as a browser that keeps nothing says it
  }
}

function who() {
  return document.querySelector('header a[href="/account"]')?.textContent;
}

function keep(form) {
  const secret = form.querySelector("input[type=password], input[name=token], input[name=code]");
  if (form.method !== "post" || !who() || secret) return;
  const fields = [...form.querySelectorAll(TYPED)].map(({ name, value, checked }) => ({ name, value, checked }));
  if (!fields.length) return;
  const action = form.getAttribute("action");
  const kept = { who: who(), page: location.pathname, at: Date.now(), action, fields };
  try {
    storage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    storage.removeItem(KEPT); // it is longer than the browser keeps
  }
}

function putBack({ action, fields }) {
  const form = [...document.forms].find((each) => each.getAttribute("action") === action);
  if (!form) return;
  const inputs = [...form.querySelectorAll(TYPED)];
  for (const { name, value, checked } of fields) {
    const at = inputs.findIndex((each) => each.name === name && (each.type !== "radio" || each.value === value));
    if (at < 0) continue;
    const [input] = inputs.splice(at, 1);
    if (checked === undefined || !["checkbox", "radio"].includes(input.type)) input.value = value;
    else input.checked = checked;
  }
  for (let each = form.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
  const told = document.createElement("p");
  told.className = "notice even";
  told.setAttribute("role", "status");
  told.textContent = _("You had to sign in again. What you typed is here: look it over, choose files again, and send it.");
  form.before(told);
  told.scrollIntoView({ block: "center" });
  form.dispatchEvent(new Event("input", { bubbles: true }));
}
