// What every page can do where scripts run; without them each form and link works by itself.

import { countDown } from "./countdown.js";
import { _ } from "./i18n.js";
import { follow } from "./live.js";
import { keepTyped } from "./unsent.js";

countDown();
follow();
keepTyped();

// A page that changes is asked for again after so many seconds, but not while somebody is about something in it.
const seconds = document.querySelector('meta[name="refresh"]')?.content;
if (seconds) setTimeout(readAgain, 1000 * seconds);

function readAgain() {
  if (document.querySelector("main").contains(document.activeElement)) setTimeout(readAgain, 1000);
  else location.reload();
}

// So long a form that changes something is not sent again. Who has stopped it meanwhile can send it after that.
const UNDER_WAY_MS = 5000;

// A form that changes something and is under way is not sent again by a second click.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  const button = event.submitter ?? form.querySelector("button");
  if (button) button.setAttribute("aria-busy", "true");
  form.dataset.sent = "yes";
  setTimeout(() => release(form), UNDER_WAY_MS);
});

function release(form) {
  delete form.dataset.sent;
  for (const button of form.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
}

// Coming back by the browser's own button shows the page as it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[data-sent]").forEach(release);
});

// What names an address for pages of others names it whole.
for (const text of document.querySelectorAll("[data-origin]")) {
  text.textContent = text.textContent.replace('src="', `src="${location.origin}`);
}

// What is to be copied has a button beside it.
for (const text of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "secondary small-button";
  button.textContent = _("Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = _("Copied");
  });
  text.after(" ", button);
}
