// Asks JavaScript libraries of rules: `drive.js GAME=FILE ...`, questions on stdin, answers on stdout.
"use strict";

const { readFileSync } = require("node:fs");

const states = new Map(
  process.argv.slice(2).map((word) => {
    const [game, path] = word.split("=");
    return [game, require(path).State];
  }),
);

const told = (result) => {
  if (result === null) return "on";
  return `${result.winner ?? "draw"} ${result.reason} ${result.score.join(":")}`;
};

const written = (state) => JSON.stringify(state.toJson());

function answer(line) {
  const [game, hello, request, moves] = line.split("\t");
  const State = states.get(game);
  const { params } = JSON.parse(hello).game;
  const state = State.fromRequest(JSON.parse(request).state, params);
  const after = moves === "" ? [] : moves.split(",").map((move) => state.play(move));
  return [
    written(State.initial(params)),
    written(state),
    state.seat,
    state.legalMoves().join(","),
    told(state.result()),
    after.map((each) => `${written(each)} ${told(each.result())}`).join(";"),
    after.map((each) => +(State.fromRequest(each.toJson(), params).key() === each.key())).join(""),
  ].join("\t");
}

const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
process.stdout.write(lines.map((line) => answer(line) + "\n").join(""));
