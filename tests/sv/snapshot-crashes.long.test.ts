/**
 * An SV crashes at each step of making a snapshot and of pruning, as by kill -9. It goes on after a restart: nothing is lost, the
 * next snapshot is agreed on, and pruning is finished.
 */
import { cpSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { CrashingHost, type Side } from "../support/crashing-host.ts";
import { DaysNetwork } from "../support/days-network.ts";
import { readEntries } from "../synchronizer/log-entries.ts";
import { openWallet } from "./days-wallet.ts";
import { provenOf } from "./lost-sv.ts";

const CONFIG = { retentionMicroseconds: DAY };
/** Statements and files of snapshots and of pruning. */
const STEPS =
  /snapshot-\d+\.db$|into (part|manifest|proof|start|first|stream_start)\b|delete from (entry|stream_entry|day)/;

interface Step {
  readonly side: Side;
  readonly effect: string;
}

/** A network with three days of history, stopped. */
async function prepare() {
  const network = await DaysNetwork.found(1, { config: CONFIG });
  const alice = await openWallet(network, "alice");
  for (let day = 0; day < 3; day++) {
    await alice.tap(decimal("1.0"));
    await network.passDay();
  }
  await network.prune();
  const { folder, offset } = network;
  const { sequence: start } = await network.log.start();
  const { sequence: head } = await network.log.head();
  await network.close();
  return { folder, offset, start, head };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** A day passes on a copy of the network, whose host crashes where it is told to. */
async function passDay({ folder, offset }: Prepared, visit: (step: Step) => boolean): Promise<string> {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  let isOpen = false;
  const crashing = new CrashingHost({ visit: (side, effect) => isOpen && visit({ side, effect }) });
  const { host } = crashing;
  const network = await DaysNetwork.reopen(1, {
    ...{ folder: copy, offset, host },
    config: { ...CONFIG, system: host },
  });
  isOpen = true;
  const passing = network.passDay().then(() => network.prune());
  await Promise.race([passing.catch(() => crashing.crashed), crashing.crashed]);
  if (!crashing.isDead) await network.close();
  return copy;
}

async function listSteps(prepared: Prepared): Promise<readonly Step[]> {
  const steps = new Map<string, Step>();
  await passDay(prepared, (step) => {
    if (STEPS.test(step.effect)) steps.set(`${step.side} ${step.effect.replace(/\d+/g, "")}`, step);
    return false;
  });
  return [...steps.values()];
}

test("nothing is lost at a crash in the middle of a snapshot or of pruning, and both are finished", async () => {
  const prepared = await prepare();
  const steps = await listSteps(prepared);
  for (const needed of ["into part", "into manifest", "into proof", "into start", "from stream_entry"])
    expect([needed, steps.some(({ effect }) => effect.includes(needed))]).toEqual([needed, true]);
  for (const step of steps) {
    let isCrashed = false;
    const folder = await passDay(prepared, ({ side, effect }) => {
      isCrashed ||= side === step.side && effect.replace(/\d+/g, "") === step.effect.replace(/\d+/g, "");
      return isCrashed;
    });
    expect([step, isCrashed]).toEqual([step, true]);
    const again = await DaysNetwork.reopen(1, { folder, offset: prepared.offset + DAY, config: CONFIG });
    onTestFinished(() => again.close());
    const { sequence: head } = await again.log.head();
    expect(head).toBeGreaterThanOrEqual(prepared.head);
    const { sequence: start } = await again.log.start();
    expect(await readEntries(again.log, start, head - start)).toHaveLength(head - start);
    await again.passDay();
    await again.prune();
    expect((await again.log.start()).sequence).toBeGreaterThan(prepared.start);
    const [sv] = again.svs;
    if (sv === undefined) throw new Error("no SV is open");
    expect(provenOf(sv)).toBeGreaterThan(head);
    expect(await sv.scrub.finishRound()).toBe(null);
    await again.close();
  }
});
