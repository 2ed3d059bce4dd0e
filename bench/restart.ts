/**
 * How long a local network takes to start again on a long log, until every endpoint answers. The floor is the same network with a
 * short log, in the same run. `--entries=` says how long.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signEntry, systemHost } from "@callsign/node";
import type { SvNode } from "@callsign/sv";
import { addDuration } from "../packages/ledger/src/values/time.ts";
import { startLocalnet } from "../packages/localnet/src/index.ts";
import { median, numberOption, report } from "./measure.ts";
import { RunningNetwork } from "./network-load/running-network.ts";

const ENTRIES = numberOption("--entries", 1_000_000);
const SAMPLES = 3;
const IN_FLIGHT = 2000;
const MOST_SECONDS = 5;
const LIFETIME = 60_000_000n;

/** Ticks are the shortest entries. What a start reads does not depend on what they say. */
async function lengthen(folder: string, entries: number): Promise<void> {
  const network = await startLocalnet({ dataFolder: folder });
  const [sv] = network.svs;
  if (sv === undefined) throw new Error("the network has no SV");
  for (let i = 0; i < entries; i += IN_FLIGHT) {
    const count = Math.min(IN_FLIGHT, entries - i);
    const last = await Promise.all(Array.from({ length: count }, () => sv.submit(signTick(sv))));
    const { signal } = new AbortController();
    for (const { replica } of network.svs) await replica.reach(Math.max(...last), signal);
  }
  await network.close();
}

function signTick({ identity, replica, now }: SvNode) {
  const value = {
    network: replica.state.network?.id ?? "",
    member: identity.id,
    submissionId: systemHost.randomness.uuid(),
    maxRecordTime: addDuration(now(), LIFETIME),
  };
  return signEntry({ tag: "Tick", value }, [identity.signingKey]);
}

async function restart(folder: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const began = performance.now();
    const network = await RunningNetwork.start(folder);
    times.push((performance.now() - began) / 1000);
    await network.stop();
  }
  return median(times);
}

const folder = mkdtempSync(join(tmpdir(), "callsign-restart-"));
try {
  await lengthen(folder, 0);
  const short = await restart(folder);
  await lengthen(folder, ENTRIES);
  const long = await restart(folder);
  report(
    "restart",
    [
      {
        what: `a log of ${ENTRIES.toLocaleString("en-US")} entries: until every endpoint answers`,
        ...{ value: long, unit: "s", floor: short, target: `≤ ${MOST_SECONDS}`, met: long <= MOST_SECONDS },
      },
    ],
    [`Medians of ${SAMPLES} starts. The floor is the start on the log of a network that was just founded.`],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
