// The replay of one game, and a game as it is played: no page is loaded for a ply, and without scripts links do the same.
// In a file that holds one game the positions are in the page, and the ply is after the hash.

import { ask, pageOf } from "./ask.js";
import { symbol } from "./board.js";
import { _ } from "./i18n.js";

const PLIES_A_SECOND = [0.5, 1, 2, 5, 10];
const USUAL = 2;
const MANY = 10;
const LIVE_PAUSE_MS = 1000;
const AGAIN_MS = 5000;
const SPREAD_MS = 1000; // so that not all who look read at the same moment
const CHANGES = [
  "match.started", "match.recorded", "match.decided", "match.void", "match.lost", "match.parked", "match.dropped", "reset",
];
const MAX_ASKED_CHARS = 7500;

const section = document.querySelector("[data-positions]");
if (section) new Replay(section).begin();

async function json(address) {
  if (address.startsWith("#")) return JSON.parse(document.querySelector(address).textContent);
  const answer = await ask(address, { headers: { Accept: "application/json" } });
  return answer?.ok ? JSON.parse(answer.body) : null;
}

function button(text, label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "secondary outline";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

function Replay(place) {
  const data = place.dataset;
  const board = place.querySelector("arena-board");
  const heading = place.querySelector("h2");
  const toMove = place.querySelector("[data-to-move]");
  const table = () => document.querySelector("table.steps tbody");
  let scene = null;
  let positions = [];
  let at = 0;
  let timer = null;
  let live = [];
  let attempt = 0;
  let pace = USUAL;
  let controls = null;

  const last = () => positions.length - 1;

  // The scene and all positions, which come part by part; nothing where a part is missing.
  async function read(address) {
    const told = await json(address);
    if (!told) return null;
    const { scene, positions } = told;
    while (positions.length <= told.plies) {
      const more = await json(`${address}${address.includes("?") ? "&" : "?"}first=${positions.length}`);
      if (!more?.positions.length) return null;
      positions.push(...more.positions);
    }
    return { scene, positions };
  }

  this.begin = async () => {
    let told = await read(data.positions);
    while (!told && data.live) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      told = await read(data.positions);
    }
    if (!told) return;
    ({ scene, positions } = told);
    build();
    board.setAttribute("quiet", "");
    board.board = scene.board;
    board.removeAttribute("quiet");
    const asked = askedFor();
    show(asked === null ? last() : Number(asked), { remember: false });
    window.addEventListener("hashchange", () => {
      if (askedFor() !== null) show(Number(askedFor()), { remember: false });
    });
    document.addEventListener("keydown", key);
    document.addEventListener("click", follow);
    document.addEventListener("arena-renewed", () => show(at, { remember: false }));
    const better = document.querySelector('[data-worth]:not([hidden]) a[aria-current="true"]');
    if (better) point(better);
    if (data.live) watch();
  };

  // The ply that the address names, if it does.
  function askedFor() {
    const { hash, search } = location;
    return new URLSearchParams(hash.slice(1)).get("ply") ?? new URLSearchParams(search).get("ply");
  }

  // The address from then on: a file's can change after its hash only.
  function keep() {
    const address = new URL(location.href);
    if (data.positions.startsWith("#")) address.hash = `ply=${at}`;
    else address.searchParams.set("ply", at);
    history.replaceState(null, "", address);
  }

  function build() {
    const links = place.querySelector(".plies");
    const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: last(), step: 1 });
    slider.setAttribute("aria-label", _("Ply"));
    slider.addEventListener("input", () => {
      stop();
      show(Number(slider.value));
    });
    const speed = document.createElement("select");
    speed.setAttribute("aria-label", _("Speed"));
    for (const each of PLIES_A_SECOND) {
      speed.append(new Option(_("%(number)s plies a second", { number: each }), each, false, each === USUAL));
    }
    speed.addEventListener("change", () => (pace = Number(speed.value)));
    const play = button("▶", _("Play the moves"), () => (timer ? stop() : start()));
    const buttons = document.createElement("div");
    buttons.className = "plies";
    buttons.append(
      button("«", _("First position"), () => go(0)),
      button("‹", _("One ply back"), () => go(at - 1)),
      play,
      button("›", _("One ply on"), () => go(at + 1)),
      button("»", _("Last position"), () => go(last())),
    );
    const keys = document.createElement("p");
    keys.className = "small";
    keys.textContent = _("Keys: ← and → one ply, with Shift ten, Home and End the first and last position, Space plays and pauses.");
    const box = document.createElement("div");
    box.className = "replay";
    box.append(buttons, slider, speed, keys);
    links.replaceWith(box);
    controls = { slider, play, buttons };
  }

  function show(ply, { remember = true } = {}) {
    at = Math.max(0, Math.min(last(), Math.trunc(ply) || 0));
    const position = positions[at];
    board.position = position;
    heading.textContent = _("Ply %(ply)s of %(last)s", { ply: at, last: last() });
    controls.slider.max = last();
    controls.slider.value = at;
    controls.slider.setAttribute("aria-valuetext", heading.textContent);
    const [first, back, , on, end] = controls.buttons.children;
    for (const each of [first, back]) each.disabled = at === 0;
    for (const each of [on, end]) each.disabled = at === last();
    whose(position);
    mark();
    value();
    if (remember) keep();
  }

  function whose({ over, to_move: seat }) {
    if (!toMove) return;
    if (over) {
      toMove.textContent = _("The game is over.");
      return;
    }
    const player = document.createElement("span");
    player.className = "player";
    player.append(symbol(scene.symbols[seat]), seat ? data.second : data.first);
    toMove.replaceChildren(_("To move:"), " ", player);
  }

  // What the position is worth, where the game was analysed; the page has it of every ply.
  function value() {
    for (const each of document.querySelectorAll("[data-worth]")) each.hidden = Number(each.dataset.worth) !== at;
    for (const each of document.querySelectorAll("[data-worth] [aria-current]")) each.removeAttribute("aria-current");
    document.querySelector("[data-cursor]")?.setAttribute("x", at);
  }

  // A best move, on the board of its position.
  function point(link) {
    board.better = link.dataset.places.split(" ").filter(Boolean);
    for (const each of document.querySelectorAll(`[data-worth="${at}"] a`)) {
      if (each.href === link.href) each.setAttribute("aria-current", "true");
    }
  }

  // The move that is shown, in the list; the list is scrolled to it, and the page is not.
  function mark() {
    for (const row of table()?.querySelectorAll("tr[data-ply]") ?? []) {
      const here = Number(row.dataset.ply) === at;
      row.classList.toggle("here", here);
      const link = row.querySelector("a:not([data-ply])");
      if (!here) {
        link?.removeAttribute("aria-current");
        continue;
      }
      link?.setAttribute("aria-current", "true");
      const list = row.closest(".scroll");
      const [top, height] = [row.offsetTop, row.offsetHeight];
      const head = list.querySelector("thead")?.offsetHeight ?? 0;
      if (top - head < list.scrollTop) list.scrollTop = top - head;
      else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
    }
  }

  function go(ply) {
    stop();
    show(ply);
  }

  function start() {
    if (at === last()) show(0);
    board.setAttribute("quiet", "");
    timer = setTimeout(on, 1000 / pace);
    controls.play.textContent = "❚❚";
    controls.play.setAttribute("aria-label", _("Pause"));
  }

  function on() {
    show(at + 1);
    if (at === last()) stop();
    else timer = setTimeout(on, 1000 / pace);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    board.removeAttribute("quiet");
    controls.play.textContent = "▶";
    controls.play.setAttribute("aria-label", _("Play the moves"));
  }

  function key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target } = event;
    if (target.closest("input, select, textarea, summary")) return;
    const far = event.shiftKey ? MANY : 1;
    const to = { ArrowLeft: at - far, ArrowRight: at + far, Home: 0, End: last() }[event.key];
    if (to !== undefined) go(to);
    else if (event.key === " " && !target.closest("button, a")) timer ? stop() : start();
    else return;
    event.preventDefault();
  }

  function follow(event) {
    const link = event.target.closest?.("tr[data-ply] a, a[data-ply]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(Number(link.dataset.ply ?? link.closest("tr").dataset.ply));
    if (link.dataset.places !== undefined) point(link);
  }

  // Moves as the worker tells them, while the page is before somebody's eyes; what counts is read at the end.
  function watch() {
    let events = null;
    let asked = null;
    let settling = null;
    let overtaken = false;

    function open() {
      if (events || document.hidden || !data.live) return;
      events = new EventSource(data.live);
      events.addEventListener("moves", (event) => {
        const told = JSON.parse(event.data);
        if (told.attempt !== attempt) [attempt, live] = [told.attempt, []];
        for (const move of told.moves) live[move.ply] = move;
        soon(live.length === told.moves.length ? 0 : LIVE_PAUSE_MS);
      });
      for (const kind of CHANGES) events.addEventListener(kind, () => settle(SPREAD_MS * Math.random()));
      events.addEventListener("error", () => {
        if (events?.readyState !== EventSource.CLOSED) return; // otherwise it comes back by itself
        close();
        setTimeout(open, AGAIN_MS);
      });
    }

    function close() {
      events?.close();
      events = null;
    }

    function soon(wait) {
      asked ??= setTimeout(async () => {
        const [known, plies] = [live, live.length];
        const drawn = await draw();
        asked = null;
        if (data.live && (!drawn || live !== known || live.length !== plies)) soon(drawn ? LIVE_PAUSE_MS : AGAIN_MS);
      }, wait);
    }

    function settle(wait) {
      overtaken = true; // what is being read may be older than what was told
      settling ??= setTimeout(async () => {
        overtaken = false;
        const done = await renewed();
        settling = null;
        if (!data.live) close();
        else if (!done || overtaken) settle(AGAIN_MS);
      }, wait);
    }

    document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
    open();
  }

  // Show the moves so far; whether that was done, or is not to be.
  async function draw() {
    const moves = live.map(({ move }) => move).join(",");
    if (!data.live || moves.length > MAX_ASKED_CHARS) return true;
    const query = new URLSearchParams({ params: data.params, moves });
    const told = await read(`${data.game}?${query}`);
    if (!data.live) return true; // what counts was read meanwhile
    if (told) renew(told, list);
    return Boolean(told);
  }

  function list() {
    const rows = live.map(({ ply, seat, move, asked, ms }) => {
      const row = document.createElement("tr");
      row.dataset.ply = ply + 1;
      const cells = Array.from({ length: 6 }, () => row.insertCell());
      cells[0].className = "num";
      cells[0].textContent = ply + 1;
      cells[1].append(symbol(scene.symbols[seat]));
      const link = document.createElement("a");
      link.href = `?ply=${ply + 1}#board`;
      link.textContent = move === "pass" ? _("pass") : move;
      cells[2].append(link);
      cells[3].className = cells[4].className = "num";
      if (asked) cells[3].textContent = `${ms} ms`;
      return row;
    });
    table()?.replaceChildren(...rows);
  }

  // Show the page as it is now. Where the game is over, its result and its moves take the place of what was told
  // meanwhile, and nothing is followed any more. Whether that was done.
  async function renewed() {
    const answer = await ask(location.pathname);
    if (!answer?.ok) return false;
    const page = pageOf(answer);
    const { live: follows = "" } = page.querySelector("[data-positions]")?.dataset ?? {};
    const told = follows ? null : await read(data.positions);
    if (!follows && !told) return false;
    data.live = follows;
    for (const part of ["[data-verdict]", "[data-result]", ...(follows ? [] : ["section.moves"])]) {
      const [was, now] = [document, page].map((each) => each.querySelector(part));
      if (now) was?.replaceWith(document.adoptNode(now));
      else was?.remove();
    }
    if (told) renew(told);
    return true;
  }

  // Take other positions; who looks at the last one looks at the last one of these.
  function renew(told, listed = () => {}) {
    const follows = at === last();
    ({ scene, positions } = told);
    listed();
    show(follows ? last() : at, { remember: false });
  }
}
