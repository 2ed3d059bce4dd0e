/**
 * The SV acts once its replica has reached the log's head at the start, and no longer than its replica follows the log:
 * automations run, and a ticker lets time pass on a quiet log.
 */
import type { Log } from "@callsign/node";
import type { Replica, Ticker } from "@callsign/synchronizer";
import type { Follower } from "./follow-log.ts";
import type { SvAutomations } from "./runner/sv-automations.ts";

export interface ActingParts {
  readonly replica: Replica;
  readonly follower: Follower;
  readonly goal: number;
  readonly automation: SvAutomations;
  readonly openTicker: () => Ticker;
  readonly log: Log;
}

/** Returns a function that stops it. */
export function startActing(parts: ActingParts): () => Promise<void> {
  const { replica, follower, goal, automation, openTicker, log } = parts;
  let ticker: Ticker | null = null;
  let stopping: Promise<unknown> | null = null;
  const stop = async () => {
    stopping ??= Promise.all([ticker?.close(), automation.stop()]);
    await stopping;
  };
  const report = (error: unknown) => log.error({ error: String(error) }, "automations of the SV do not run");
  follower.ended.addEventListener("abort", () => void stop().catch(report), { once: true });
  const start = () => {
    if (stopping !== null) return;
    ticker = openTicker();
    automation.start();
  };
  // A replica that stopped before has logged why.
  Promise.all([replica.checked(follower.ended), replica.reach(goal, follower.ended)])
    .then(start, () => undefined)
    .catch(report);
  return stop;
}
