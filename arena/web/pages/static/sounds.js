// Sounds and music of games that people play: made here, note by note, and off until somebody chooses them.

const SOUNDS = {
  wood: { wave: "triangle", length: 0.09, move: [330], refused: [150, 130], won: [262, 330, 392, 523], lost: [330, 294, 220], drawn: [294, 294] },
  bells: { wave: "sine", length: 0.5, move: [880], refused: [220, 208], won: [659, 784, 988, 1319], lost: [587, 494, 392], drawn: [659, 659] },
};
const TUNES = {
  walk: { wave: "triangle", beat: 0.32, notes: [262, 0, 330, 392, 330, 0, 294, 349, 440, 0, 392, 330, 294, 247, 262, 0] },
  canon: { wave: "triangle", beat: 0.45, notes: [659, 587, 523, 494, 440, 392, 440, 494, 523, 494, 440, 392, 349, 330, 349, 294] },
  evening: { wave: "sine", beat: 0.62, notes: [220, 330, 392, 330, 175, 262, 349, 262, 196, 294, 392, 294, 165, 247, 330, 0] },
};
const LOUD = 0.12;
const SOFT = 0.035;
const APART = 0.13;
const AHEAD_MS = 200;

let chosen = {};
let context = null;
let timer = null;
let next = 0;
let at = 0;

/** Take what was chosen: the names of the sounds and of the music, or nothing for none. */
export function tune({ sounds = "", music = "" }) {
  const other = music !== chosen.music;
  chosen = { sounds, music };
  if (other) quiet();
  if (other) begin();
}

/** Let something be heard: a move, what was refused, or how the game has ended. */
export function sound(what) {
  const kind = SOUNDS[chosen.sounds];
  if (!kind?.[what] || !ready()) return;
  kind[what].forEach((pitch, number) => note(kind.wave, pitch, context.currentTime + APART * number, kind.length, LOUD));
}

/** End the music. */
export function quiet() {
  clearInterval(timer);
  timer = null;
}

// Browsers let nothing be heard before somebody has done something on the page.
function ready() {
  if (!window.AudioContext || !navigator.userActivation?.hasBeenActive) return false;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return true;
}

function begin() {
  if (timer || !TUNES[chosen.music]) return;
  if (!ready()) {
    for (const done of ["click", "keydown"]) document.addEventListener(done, begin, { once: true });
    return;
  }
  [at, next] = [0, context.currentTime];
  timer = setInterval(play, AHEAD_MS);
}

function play() {
  const { wave, beat, notes } = TUNES[chosen.music];
  if (document.hidden || context.state !== "running") {
    context.resume().catch(() => {});
    next = Math.max(next, context.currentTime);
    return;
  }
  while (next < context.currentTime + (2 * AHEAD_MS) / 1000) {
    const pitch = notes[at++ % notes.length];
    if (pitch) note(wave, pitch, next, 1.6 * beat, SOFT);
    next += beat;
  }
}

function note(wave, pitch, from, length, loud) {
  const oscillator = new OscillatorNode(context, { type: wave, frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(loud, from + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + length);
}
