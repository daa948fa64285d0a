// The kit: it talks with the referee, so that your bot only has to choose. You need not change it.

// What of Node is used here; the arena's compiler has no @types/node.
declare const process: { stdin: unknown; stdout: { write(text: string): void } };
declare function require(name: string): any;

/** What is sent at the beginning of a match; docs/protocol.md of the arena lists all of it. */
export interface Hello {
  type: "hello";
  seat: number;
  game: { name: string; params: Record<string, any> };
}

/** What is sent each time that it is your turn. */
export interface Message {
  type: "move";
  id: number;
  ply: number;
  state: any;
  legal: string[];
  history: string[];
  time: { move_ms: number };
}

/** One question: what do you play here? */
export class Request {
  /** The position, as README.md shows it. */
  readonly state: any;
  /** The moves to choose from. */
  readonly legal: string[];
  /** All moves so far. */
  readonly history: string[];
  /** The parameters of the game. */
  readonly params: Record<string, any>;
  /** 0 or 1: you. */
  readonly seat: number;
  /** How many moves have been played. */
  readonly ply: number;
  private readonly until: number;

  constructor(hello: Hello, message: Message) {
    this.state = message.state;
    this.legal = message.legal;
    this.history = message.history;
    this.params = hello.game.params;
    this.seat = hello.seat;
    this.ply = message.ply;
    this.until = Date.now() + message.time.move_ms;
  }

  secondsLeft(): number {
    return (this.until - Date.now()) / 1000;
  }
}

/** Plays a match with your bot. */
export function run(choose: (request: Request) => string): void {
  const say = (answer: object): void => process.stdout.write(`${JSON.stringify(answer)}\n`);
  let hello: Hello | null = null;
  const lines = require("readline").createInterface({ input: process.stdin });
  lines.on("line", (line: string) => {
    const message = JSON.parse(line);
    if (message.type === "hello") {
      hello = message;
      say({ type: "ready", protocol: "arena/1" });
    } else if (message.type === "move" && hello !== null) {
      say({ type: "move", id: message.id, move: choose(new Request(hello, message)) });
    } else if (message.type === "end") {
      lines.close();
    }
  });
}
