// <arena-board>: a game's board, drawn from what the API tells, to look at or to point at moves on.
//
// Properties: `board` (the API's BoardOut, or null), `position` (PositionOut), `better` (names of places, until the
// position changes). Attributes: `interactive` (moves can be made), `hint` (where the next place of a move can be is
// marked), `quiet` (nothing is read aloud), `pieces` (another of the board's styles).
// Event: `arena-move`, whose detail is the text of the move that was pointed at.

import { _ } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";
const FEW = 12;
const HERE = document.documentElement.lang.startsWith("zh") ? "chinese" : "english";
const ATTRIBUTES = {
  rect: ["x", "y", "width", "height", "rx"],
  circle: ["cx", "cy", "r"],
  path: ["d"],
  text: ["x", "y"],
};

/** Words of a game in the page's language. */
export function said(words) {
  return words[HERE];
}

function make(tag, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function shape({ tag, look, attributes, text }) {
  const known = ATTRIBUTES[tag].filter((name) => name in attributes);
  const element = make(tag, Object.fromEntries(known.map((name) => [name, attributes[name]])));
  element.setAttribute("class", look);
  element.textContent = text;
  return element;
}

function outline(place, look, inset = 0) {
  const attributes = place.outline === "circle"
    ? { cx: place.x, cy: place.y, r: place.width / 2 - inset }
    : {
        x: place.x - place.width / 2 + inset,
        y: place.y - place.height / 2 + inset,
        width: place.width - 2 * inset,
        height: place.height - 2 * inset,
      };
  return make(place.outline, { ...attributes, class: look });
}

/** The sign of a side as a picture in a line of text. */
export function symbol(sign) {
  const picture = make("svg", { class: "symbol", viewBox: "-20 -20 40 40", role: "img" }, sign.shapes.map(shape));
  picture.setAttribute("aria-label", said(sign.said));
  return picture;
}

// Whether the places that were pointed at begin a move's path; its first `free` places come in any order.
function begins({ path, free }, chosen) {
  if (chosen.length > path.length) return false;
  const any = path.slice(0, free);
  return chosen.every((place, at) => (at < free ? any.includes(place) : path[at] === place));
}

function next({ path, free }, chosen) {
  if (chosen.length < free) return path.slice(0, free).filter((place) => !chosen.includes(place));
  return path.slice(chosen.length, chosen.length + 1);
}

export class ArenaBoard extends HTMLElement {
  static observedAttributes = ["interactive", "hint", "pieces"];

  #board = null;
  #position = null;
  #chosen = [];
  #cells = new Map();
  #layers = null;
  #svg = null;
  #text = null;
  #others = null;
  #live = null;
  #better = [];

  get board() {
    return this.#board;
  }

  set board(board) {
    this.#board = board;
    this.#build();
    this.#show();
  }

  get position() {
    return this.#position;
  }

  set position(position) {
    const before = this.#position;
    this.#position = position;
    this.#chosen = [];
    this.#better = [];
    if (!this.#live) this.#build();
    this.#show();
    if (before && !this.hasAttribute("quiet")) this.#say(this.#told());
  }

  set better(places) {
    this.#better = places;
    this.#show();
    if (!this.hasAttribute("quiet")) this.#say(places.length ? _("Best move: %(places)s", { places: places.join(", ") }) : "");
  }

  attributeChangedCallback() {
    this.#chosen = [];
    this.#show();
  }

  get #interactive() {
    return this.hasAttribute("interactive") && Boolean(this.#position?.legal);
  }

  #build() {
    this.#cells.clear();
    this.#svg = this.#text = null;
    this.#others = document.createElement("div");
    this.#others.className = "other-moves";
    this.#live = document.createElement("p");
    this.#live.className = "hidden";
    this.#live.setAttribute("aria-live", "polite");
    const drawing = this.#board ? this.#draw() : this.#write();
    this.replaceChildren(drawing, this.#others, this.#live);
  }

  #write() {
    this.#text = document.createElement("pre");
    this.#text.className = "board";
    this.#text.tabIndex = 0;
    return this.#text;
  }

  #draw() {
    const { width, height, backdrop, overlay, places } = this.#board;
    const layer = (shapes = []) => make("g", { "aria-hidden": "true" }, shapes);
    this.#layers = { marks: layer(), pieces: layer(), ways: layer() };
    const rows = new Map();
    for (const place of places) {
      const cell = outline(place, "place");
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-colindex", place.column + 1);
      cell.setAttribute("tabindex", this.#cells.size ? -1 : 0);
      cell.dataset.place = place.name;
      this.#cells.set(place.name, cell);
      if (!rows.has(place.row)) rows.set(place.row, make("g", { role: "row", "aria-rowindex": place.row + 1 }));
      rows.get(place.row).append(cell);
    }
    const { marks, pieces, ways } = this.#layers;
    this.#svg = make("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, role: "grid" }, [
      layer(backdrop.map(shape)), marks, layer(overlay.map(shape)), pieces, ways, ...rows.values(),
    ]);
    this.#svg.addEventListener("click", (event) => this.#point(event.target.dataset.place));
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.#svg.addEventListener("focusin", (event) => this.#rove(event.target));
    return this.#svg;
  }

  #show() {
    if (!this.#position || !this.#live) return;
    if (this.#svg && this.#position.picture) this.#picture();
    if (this.#text) {
      this.#text.textContent = this.#position.text;
      this.#text.setAttribute("aria-label", _("Board after ply %(ply)s", { ply: this.#position.ply }));
    }
    this.#offer();
  }

  #picture() {
    const { picture } = this.#position;
    const { places } = this.#board;
    const { pieces } = this.#board.styles[this.getAttribute("pieces")] ?? this.#board;
    const ways = this.#ways();
    const drawn = (names, look, inset) =>
      places.filter((place) => names.includes(place.name)).map((place) => outline(place, look, inset));
    this.#layers.marks.replaceChildren(...drawn(picture.marked, "last", 1));
    this.#layers.pieces.replaceChildren(
      ...picture.shapes.map(shape),
      ...places.filter((place) => place.name in picture.pieces).map((place) =>
        make("g", { transform: `translate(${place.x} ${place.y})` }, pieces[picture.pieces[place.name]].shapes.map(shape))),
    );
    this.#layers.ways.replaceChildren(...drawn(ways, "legal", 5), ...drawn(this.#chosen, "chosen", 3), ...drawn(this.#better, "better", 4));
    for (const place of places) {
      const cell = this.#cells.get(place.name);
      cell.setAttribute("aria-label", this.#label(place, ways));
      cell.setAttribute("class", this.#interactive ? "place open" : "place");
      if (this.#interactive) cell.setAttribute("aria-selected", this.#chosen.includes(place.name));
      else cell.removeAttribute("aria-selected");
    }
    this.#svg.setAttribute("aria-readonly", !this.#interactive);
    const values = { ply: this.#position.ply, said: said(picture.said) };
    this.#svg.setAttribute("aria-label", _("Board after ply %(ply)s: %(said)s", values));
  }

  // The places that are marked: where the next step of a move can be.
  #ways() {
    if (!this.#interactive) return this.#position.begins;
    if (!this.hasAttribute("hint") && !this.#chosen.length) return [];
    return [...new Set(this.#candidates().flatMap((move) => next(move, this.#chosen)))];
  }

  #candidates() {
    return this.#position.legal.filter((move) => move.path.length && begins(move, this.#chosen));
  }

  #whole() {
    return this.#candidates().find((move) => this.#chosen.length && move.path.length === this.#chosen.length);
  }

  #label(place, ways) {
    const name = this.#position.picture.pieces[place.name];
    const parts = [said(place.said) || place.name];
    if (place.holds) parts.push(name ? said(this.#board.pieces[name].said) : _("empty"));
    if (this.#position.picture.marked.includes(place.name)) parts.push(_("last move"));
    if (this.#better.includes(place.name)) parts.push(_("best move"));
    if (this.#chosen.includes(place.name)) parts.push(_("chosen"));
    else if (ways.includes(place.name)) parts.push(_("can be chosen"));
    return parts.join(", ");
  }

  #point(name) {
    if (!name || !this.#interactive) return;
    const chosen = this.#chosen;
    const whole = this.#whole();
    if (whole && chosen.at(-1) === name) return this.#make(whole.move);
    const further = [...chosen, name];
    if (!chosen.includes(name) && this.#position.legal.some((move) => move.path.length && begins(move, further))) {
      this.#chosen = further;
      const left = this.#candidates();
      const done = this.#whole();
      if (done && left.length === 1) return this.#make(done.move);
    } else if (chosen.includes(name)) {
      this.#chosen = chosen.slice(0, chosen.indexOf(name));
    } else {
      const afresh = this.#position.legal.some((move) => move.path.length && begins(move, [name]));
      this.#chosen = afresh ? [name] : [];
      const done = this.#whole();
      if (done && this.#candidates().length === 1) return this.#make(done.move);
    }
    this.#show();
    this.#say(this.#chosen.length
      ? _("Chosen: %(places)s", { places: this.#chosen.join(", ") })
      : _("Nothing is chosen"));
  }

  #make(move) {
    this.#chosen = [];
    this.#show();
    this.dispatchEvent(new CustomEvent("arena-move", { detail: move, bubbles: true }));
  }

  // Moves that no place stands for, and the way to finish a move that could go on.
  #offer() {
    const focused = this.#others.contains(document.activeElement);
    this.#others.replaceChildren();
    if (!this.#interactive) return;
    const whole = this.#whole();
    if (whole) this.#others.append(this.#button(whole.move));
    const without = this.#position.legal.filter((move) => !this.#board || !move.path.length);
    if (without.length <= FEW) this.#others.append(...without.map((move) => this.#button(move.move)));
    else this.#others.append(...this.#select(without));
    if (focused) (this.#others.querySelector("button, select") ?? this.#cells.values().next().value ?? this.#text)?.focus();
  }

  #button(move) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move === "pass" ? _("pass") : _("Play %(move)s", { move });
    button.addEventListener("click", () => this.#make(move));
    return button;
  }

  #select(moves) {
    const select = document.createElement("select");
    select.setAttribute("aria-label", _("Other moves"));
    select.append(...moves.map(({ move }) => new Option(move, move)));
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = _("Make this move");
    button.addEventListener("click", () => this.#make(select.value));
    return [select, button];
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = this.#board.places.find(({ name }) => name === event.target.dataset.place);
    if (!place) return;
    if (event.key === "Escape" && this.#chosen.length) {
      this.#chosen = [];
      this.#show();
      this.#say(_("Nothing is chosen"));
    } else if (event.key === "Enter" || event.key === " ") {
      if (!this.#interactive) return;
      this.#point(place.name);
    } else {
      const to = this.#beside(place, event.key);
      if (!to) return;
      this.#cells.get(to.name).focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // The place that an arrow leads to: the next in its row, or in the next row the one that lies nearest.
  #beside(place, key) {
    const row = this.#board.places.filter((other) => other.row === place.row);
    const at = row.indexOf(place);
    if (key === "ArrowRight") return row[Math.min(at + 1, row.length - 1)];
    if (key === "ArrowLeft") return row[Math.max(at - 1, 0)];
    if (key === "Home") return row[0];
    if (key === "End") return row.at(-1);
    const way = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!way) return null;
    const rows = [...new Set(this.#board.places.map((other) => other.row))].sort((a, b) => a - b);
    const there = rows[rows.indexOf(place.row) + way] ?? place.row;
    const away = (other) => Math.abs(other.x - place.x);
    const beyond = this.#board.places.filter((other) => other.row === there);
    return beyond.reduce((best, other) => (away(other) < away(best) ? other : best));
  }

  #rove(cell) {
    if (!this.#cells.has(cell.dataset.place)) return;
    for (const other of this.#cells.values()) other.setAttribute("tabindex", other === cell ? 0 : -1);
  }

  #told() {
    const { ply, last, over } = this.#position;
    const move = last === null ? _("First position") : _("Ply %(ply)s: %(move)s", { ply, move: last });
    return over ? `${move}. ${_("The game is over.")}` : move;
  }

  #say(text) {
    this.#live.textContent = text;
  }
}

customElements.define("arena-board", ArenaBoard);
