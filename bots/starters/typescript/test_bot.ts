// Whether the bot answers with a legal move in each position of positions.jsonl: make test.

import { Request } from "./arena_bot";
import { choose } from "./bot";

declare const process: { exitCode: number };
declare function require(name: string): any;

const text: string = require("fs").readFileSync("positions.jsonl", "utf8");
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
