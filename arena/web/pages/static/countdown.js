// Moments that are to come say how far off they are, by the second.

import { _ } from "./i18n.js";

function two(number) {
  return String(number).padStart(2, "0");
}

/** How long that is: days where there are any, hours, minutes and seconds. */
function left(seconds) {
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600) % 24;
  const clock = `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days ? _("in %(days)s d %(clock)s", { days, clock }) : _("in %(clock)s", { clock });
}

/** Let every moment of the page with `data-countdown` say it, those too that come later. */
export function countDown() {
  tick();
  setInterval(tick, 1000);
}

function tick() {
  for (const moment of document.querySelectorAll("time[data-countdown]")) {
    const seconds = Math.ceil((Date.parse(moment.dateTime) - Date.now()) / 1000);
    textOf(moment).textContent = seconds > 0 ? left(seconds) : _("now");
  }
}

function textOf(moment) {
  const there = moment.nextElementSibling;
  if (there?.dataset.script === "countdown") return there;
  const text = document.createElement("span");
  text.className = "countdown";
  text.dataset.script = "countdown";
  text.setAttribute("aria-hidden", "true");
  moment.after(text);
  return text;
}
