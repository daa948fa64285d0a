// A page that tells of what is going on is kept true: the stream says that something happened, the page is read
// again, and what differs is changed in place, so that focus, selection and scrolling stay as they were. What no
// stream tells of is read again every few seconds.

import { ask, pageOf } from "./ask.js";
import { morph } from "./morph.js";

const MIN_MS = 1000;
const SPREAD_MS = 1000; // so that not all who look read at the same moment
const AGAIN_MS = 5000;

/** Follow the stream that the page names, or read it as often as it says, while it is before somebody's eyes. */
export function follow() {
  const followed = () => document.querySelector('meta[name="live"]');
  if (!followed()) return;
  let stream = null;
  let timer = null;
  let readAt = 0;
  let reading = false;
  let overtaken = false;

  function soon(least) {
    if (reading) overtaken = true; // what is being read may be older than what was told
    else timer ??= setTimeout(read, Math.max(0, readAt + least - Date.now()) + SPREAD_MS * Math.random());
  }

  async function read() {
    timer = null;
    readAt = Date.now();
    [reading, overtaken] = [true, false];
    const there = await fetched();
    reading = false;
    if (!there) {
      soon(AGAIN_MS);
      return;
    }
    followed().content = there.querySelector('meta[name="live"]')?.content ?? "";
    followed().dataset.revision = there.querySelector('meta[name="live"]')?.dataset.revision ?? "";
    followed().toggleAttribute("data-closely", Boolean(there.querySelector('meta[name="live"][data-closely]')));
    followed().dataset.again = there.querySelector('meta[name="live"]')?.dataset.again ?? "";
    document.title = there.title;
    const [left, top] = [scrollX, scrollY];
    morph(document.querySelector("main"), document.adoptNode(there.querySelector("main")));
    window.htmx?.process(document.querySelector("main"));
    scrollTo({ left, top, behavior: "instant" }); // lines that change places may have taken the page along
    document.dispatchEvent(new Event("arena-read"));
    if (stream && stream.url !== new URL(followed().content, location.href).href) close();
    open();
    if (overtaken && followed().content) soon(MIN_MS);
  }

  function again() {
    const seconds = Number(followed().dataset.again);
    if (seconds && !document.hidden) timer ??= setTimeout(read, 1000 * seconds);
  }

  function pause() {
    close();
    if (!followed().dataset.again) return;
    clearTimeout(timer);
    timer = null;
  }

  function open() {
    again();
    if (stream || document.hidden || !followed().content) return;
    stream = new EventSource(followed().content);
    stream.addEventListener("progress", (event) => {
      if (String(JSON.parse(event.data).revision) !== followed().dataset.revision) soon(MIN_MS);
    });
    if (followed().dataset.closely !== undefined) {
      stream.addEventListener("match.started", () => soon(MIN_MS));
      stream.addEventListener("moves", ({ data }) => {
        document.dispatchEvent(new CustomEvent("arena-moves", { detail: JSON.parse(data) }));
      });
    }
    stream.addEventListener("reset", () => soon(MIN_MS));
    stream.addEventListener("error", () => {
      if (stream?.readyState !== EventSource.CLOSED) return; // otherwise it comes back by itself
      close();
      setTimeout(open, AGAIN_MS);
      soon(AGAIN_MS);
    });
  }

  function close() {
    stream?.close();
    stream = null;
  }

  // What has just changed is marked for a moment.
  document.addEventListener("animationend", ({ target }) => target.closest("tr.fresh")?.classList.remove("fresh"));
  document.addEventListener("visibilitychange", () => (document.hidden ? pause() : open()));
  open();
}

// The page as it is now; nothing where the arena does not answer with a page of its own.
async function fetched() {
  const answer = await ask(location.href, { headers: { Accept: "text/html" } });
  if (answer?.status !== 200 || answer.redirected) return null;
  const there = pageOf(answer);
  return there.querySelector("main") && there;
}
