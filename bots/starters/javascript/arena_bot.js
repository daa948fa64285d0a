// The kit: it talks with the referee, so that your bot only has to choose. You need not change it.
"use strict";

const readline = require("node:readline");

/** One question: what do you play here? */
class Request {
  constructor(hello, message) {
    this.state = message.state; // the position, as README.md shows it
    this.legal = message.legal; // the moves to choose from
    this.history = message.history; // all moves so far
    this.params = hello.game.params; // the parameters of the game
    this.seat = hello.seat; // 0 or 1: you
    this.ply = message.ply; // how many moves have been played
    this.until = Date.now() + message.time.move_ms;
  }

  secondsLeft() {
    return (this.until - Date.now()) / 1000;
  }
}

/** Plays a match with your bot. Whatever it prints by console.log goes to stderr. */
function run(choose) {
  const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
  console.log = console.error;
  let hello = null;
  const lines = readline.createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") {
      hello = message;
      say({ type: "ready", protocol: "arena/1" });
    } else if (message.type === "move") {
      say({ type: "move", id: message.id, move: choose(new Request(hello, message)) });
    } else if (message.type === "end") {
      lines.close();
    }
  });
}

module.exports = { Request, run };
