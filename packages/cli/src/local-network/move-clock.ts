/** `callsign clock` and `callsign clock forward`. */
import { parseDuration } from "@callsign/api";
import { sleep } from "@callsign/node";
import { type DevelopmentClient, openDevelopment } from "../networks/connection.ts";
import { getLocalNetwork } from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";

const LOOK_MILLISECONDS = 200;
/** A move that comes no further for this long has failed. */
const STALLED_MILLISECONDS = 120_000;
const SECOND = 1_000_000n;

export async function showClock(call: CommandCall): Promise<number> {
  const clock = await openDevelopment(await getLocalNetwork(call), call).getClock();
  const way = clock.move === undefined ? "" : `, on its way from ${clock.move.from} to ${clock.move.to}`;
  call.printer.print(clock, () => `${clock.time}${way}\n`);
  return EXIT.done;
}

export async function moveClockForward(call: CommandCall): Promise<number> {
  const [length = ""] = call.words;
  const parsed = parseDuration(length);
  if (!parsed.ok) throw new CommandFailure(EXIT.usage, parsed.error);
  const development = openDevelopment(await getLocalNetwork(call), call);
  const { time: from } = await development.getClock();
  call.progress.begin(`moving the clock ${length} forward from ${from}`);
  const everyRound = call.own["every-round"] === true;
  const body = { forwardSeconds: Number(parsed.value / SECOND), everyRound };
  const { move } = await development.moveClock({ body });
  if (move !== undefined) await untilMoved(development, call);
  const { time } = await development.getClock();
  call.progress.done();
  call.printer.print({ from, time }, () => `The network's clock stands at ${time}.\n`);
  return EXIT.done;
}

/** A long move is answered before it is done. */
async function untilMoved(
  development: DevelopmentClient,
  { host, progress, interrupted }: CommandCall,
): Promise<void> {
  let seen = "";
  let seenAt = host.clock.elapsedMilliseconds();
  progress.begin(() => `the clock stands at ${seen}`);
  for (;;) {
    const { time, move } = await development.getClock();
    if (move === undefined) return;
    if (move.failure !== null)
      throw new CommandFailure(
        EXIT.failed,
        `the clock stopped at ${time}: ${move.failure}. See: callsign status`,
      );
    if (time !== seen) [seen, seenAt] = [time, host.clock.elapsedMilliseconds()];
    if (host.clock.elapsedMilliseconds() > seenAt + STALLED_MILLISECONDS)
      throw new CommandFailure(
        EXIT.failed,
        `the clock stays at ${time} on its way to ${move.to}. See: callsign status`,
      );
    await sleep(LOOK_MILLISECONDS, { timers: host.timers, signal: interrupted });
  }
}
