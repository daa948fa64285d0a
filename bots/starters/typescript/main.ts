// What the arena starts. The bot itself is in bot.ts.

import { run } from "./arena_bot";
import { choose } from "./bot";

run(choose);
