// Whether the bot answers with a legal move in each position of positions.jsonl: node test_bot.js
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { Request } = require("./arena_bot.js");
const { choose } = require("./main.js");

const text = fs.readFileSync(path.join(__dirname, "positions.jsonl"), "utf8");
const [hello, ...asked] = text.trim().split("\n").map((line) => JSON.parse(line));
let wrong = 0;
for (const message of asked) {
  const request = new Request(hello, message);
  const move = choose(request);
  if (!request.legal.includes(move)) {
    console.log(`ply ${request.ply}: ${move} is not legal`);
    wrong++;
  }
}
console.log(`${asked.length} positions, ${wrong} illegal moves`);
process.exitCode = wrong > 0 ? 1 : 0;
