// What is new to the reader: counted in the header, shown where it is listed, and told by the browser if wanted.

import { ask, pageOf } from "./ask.js";
import { _ } from "./i18n.js";

const EVERY_MS = 15000;
const SEEN_AFTER_MS = 1500;
const WANTED = "arena-notify";
const TOLD = "arena-notified";

const link = document.querySelector("header a[data-unread]");
const list = () => document.querySelector("[data-news-list]");

setInterval(look, EVERY_MS);
document.addEventListener("visibilitychange", () => document.hidden || look());
seeWhatIsShown();
offerNotifications();
if (wanted()) look();

async function look() {
  if (document.hidden && !wanted()) return;
  const answer = await ask("/my/news/unread", { headers: { Accept: "application/json" } });
  if (!answer?.ok || answer.redirected) return;
  const { unread, newest } = JSON.parse(answer.body);
  const key = newest?.key ?? "";
  const changed = Number(link.dataset.unread) !== unread || (link.dataset.newest ?? key) !== key;
  count(unread);
  link.dataset.newest = key;
  if (newest) notify(newest);
  if (changed && unread && list()) await readAgain();
}

function count(unread) {
  link.dataset.unread = unread;
  link.querySelector("[data-count]").textContent = unread;
  link.querySelector(".count").hidden = !unread;
}

// The list as it is now, on the page that is shown; not while somebody is about something in it.
async function readAgain() {
  if (list().contains(document.activeElement)) return;
  const address = new URL(location.href);
  address.searchParams.set("since", list().dataset.since);
  const answer = await ask(address);
  if (!answer?.ok || answer.redirected) return;
  const news = pageOf(answer).querySelector("[data-news-list]");
  if (news) list().replaceWith(document.adoptNode(news));
  seeWhatIsShown();
}

// What stood before the reader's eyes for a moment was seen; it is still marked as new until the next look.
function seeWhatIsShown() {
  const form = list()?.querySelector("form[data-seen]");
  if (!form) return;
  setTimeout(async function see() {
    if (!form.isConnected) return;
    if (document.hidden) {
      document.addEventListener("visibilitychange", () => setTimeout(see, SEEN_AFTER_MS), { once: true });
      return;
    }
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
    if (answer.type !== "opaqueredirect" && !answer.ok) return;
    form.remove();
    count(0);
  }, SEEN_AFTER_MS);
}

function wanted() {
  return globalThis.Notification?.permission === "granted" && localStorage.getItem(WANTED) === "yes";
}

function notify({ key, title, text }) {
  if (!wanted() || localStorage.getItem(TOLD) === key) return;
  localStorage.setItem(TOLD, key);
  if (list() && !document.hidden) return;
  tell(title, text, key);
}

function tell(title, text, key) {
  const notification = new Notification(title, { body: text.slice(0, 300), tag: key, dir: "auto" });
  notification.addEventListener("click", () => {
    window.focus();
    location.assign("/my/news");
    notification.close();
  });
}

// The switch: it asks only when it is pressed, and says what stands in the way.
function offerNotifications() {
  const place = document.querySelector("[data-notify]");
  if (!place) return;
  const button = place.querySelector("button");
  const told = document.querySelector("[data-notify-told]");
  button.addEventListener("click", async () => {
    if (wanted()) localStorage.removeItem(WANTED);
    else if ((await Notification.requestPermission()) === "granted") begin();
    show();
  });
  show();

  function begin() {
    try {
      tell(_("Bot Arena"), _("You will be told here what is new."), "begin");
      localStorage.setItem(WANTED, "yes");
    } catch {
      place.dataset.cannot = "yes";
    }
  }

  function show() {
    const why = obstacle();
    place.hidden = Boolean(why);
    button.textContent = wanted() ? _("Notify me no more in this browser") : _("Notify me in this browser");
    told.textContent = why || (wanted()
      ? _("What is new is told while a page of the arena is open, also in the background.")
      : _("The browser asks you when you press the button."));
  }

  function obstacle() {
    if (!globalThis.isSecureContext) {
      return _("Browsers show notifications only where the arena is opened by https, or on its own machine.");
    }
    if (!("Notification" in globalThis) || place.dataset.cannot) {
      return _("This browser shows no notifications of pages.");
    }
    if (Notification.permission === "denied") {
      return _("You have told this browser to show no notifications of the arena; its settings for this page can allow them again.");
    }
    return "";
  }
}
