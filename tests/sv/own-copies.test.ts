/** SVs on a log that is kept elsewhere, each with its own copy of it. */
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { CopiedLog } from "../../packages/synchronizer/src/log/copied-log.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import { identityNamed, openSvNode } from "../support/sv-nodes.ts";
import { appendAll, batchOf, EMPTY, readEntries, readLog } from "../synchronizer/log-entries.ts";
import { copyOf } from "../synchronizer/open-log.ts";

const signal = AbortSignal.timeout(60_000);

interface Place {
  readonly remote: OrderedLog;
  readonly folder: string;
  readonly rank: number;
  readonly peers: ProcessPeers;
}

async function openSv({ remote, folder, rank, peers }: Place): Promise<{ node: SvNode; log: CopiedLog }> {
  const name = `sv${rank + 1}`;
  const log = copyOf(remote, folder);
  onTestFinished(() => log.close());
  const place = { dataFolder: folder, name, identity: identityNamed(name), peers };
  const node = await openSvNode({ ...place, orderedLog: log, logIsElsewhere: true });
  onTestFinished(() => node.close());
  return { node, log };
}

test("an applied entry is in the copy of its SV, and a log that lost it is refused", async () => {
  const remote = new SqliteLog(":memory:", systemHost);
  const peers = new ProcessPeers();
  const folders = Array.from({ length: 4 }, () => temporaryFolder());
  const svs = await Promise.all(folders.map((folder, rank) => openSv({ remote, folder, rank, peers })));
  const [first] = svs as [(typeof svs)[number]];
  const founders = svs.map(({ node }) => ({ identity: node.identity }));
  await first.node.submit(signFounding({ svs: founders, movableClock: true, isDevNet: true }));
  await until(() => first.node.replica.state.network !== null, "the network is founded");
  await first.node.moveClock(1_000_000n);
  const applied = svs.filter(({ node }) => node.replica.state.network?.clockOffset === 1_000_000n);
  expect(applied.length).toBeGreaterThanOrEqual(3);
  for (const { node, log } of applied)
    expect((await log.copy.head()).sequence).toBeGreaterThanOrEqual(node.replica.state.head.sequence);
  const { sequence } = first.node.replica.state.head;
  const whole = await readEntries(remote, 0, sequence);
  for (const { node, log } of svs) {
    await node.replica.reach(sequence, signal);
    expect((await readEntries(log, 0, sequence)).slice(0, sequence)).toEqual(whole.slice(0, sequence));
  }
  const entries = await readLog(remote);
  for (const { node } of svs) await node.close();
  for (const { log } of svs) await log.close();
  const shorter = new SqliteLog(":memory:", systemHost);
  await appendAll(shorter, [batchOf(EMPTY, entries.slice(0, sequence - 2))]);
  const place = { remote: shorter, folder: folders[0] as string, rank: 0, peers };
  const again = await openSv(place);
  await until(() => again.node.failure() !== null, "the SV halts");
  expect(again.node.missing()).toMatch(/the log ends with entry \d+, but .* has/);
  await expect(again.node.submit({ content: "nonsense", signatures: [] })).rejects.toThrow(
    "the log ends with",
  );
  expect((await shorter.head()).sequence).toBe(sequence - 2);
});
