/** The number of processes that serve scan's API. */
import { type Key, key } from "./key.ts";

export const WORKERS_PATH = "callsign.workers";

export const WORKERS_KEY: Key = key(
  WORKERS_PATH,
  { kind: "whole", min: 1, max: 64 },
  "processes that serve scan's API, beside the one that follows the log; with 1, that one serves it too. `--workers` is the same",
  { otherwise: "`1`", variables: ["CALLSIGN_WORKERS"] },
);
