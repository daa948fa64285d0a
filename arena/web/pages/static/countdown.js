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

export function countDown() {
  const moments = [...document.querySelectorAll("time[data-countdown]")];
  const shown = moments.map((moment) => {
    const text = document.createElement("span");
    text.className = "countdown";
    text.setAttribute("aria-hidden", "true");
    moment.after(" ", text);
    return [Date.parse(moment.dateTime), text];
  });
  const tick = () => {
    for (const [at, text] of shown) {
      const seconds = Math.ceil((at - Date.now()) / 1000);
      text.textContent = seconds > 0 ? left(seconds) : _("now");
    }
  };
  if (!shown.length) return;
  tick();
  setInterval(tick, 1000);
}
