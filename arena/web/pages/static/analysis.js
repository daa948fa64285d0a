// Where a game is being analysed: asks until that is over, and then shows what the page says by now.

const USUAL_SECONDS = 2;
const MOST_SECONDS = 30;
const PARTS = ["#values", "section.moves"];

const place = document.querySelector("[data-waiting]");
if (place) ask(place.dataset.waiting);

async function ask(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  if (answer && answer.status !== 202 && answer.status < 500) return renew();
  const asked = Number(answer?.headers.get("Retry-After")) || USUAL_SECONDS;
  setTimeout(() => ask(address), 1000 * Math.min(asked, MOST_SECONDS));
}

async function renew() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of PARTS) {
    const now = page.querySelector(part);
    if (now) document.querySelector(part)?.replaceWith(document.adoptNode(now));
  }
  document.dispatchEvent(new Event("arena-renewed"));
}
