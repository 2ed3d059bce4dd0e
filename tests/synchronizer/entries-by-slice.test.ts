import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { ScanIndex } from "../../packages/scan/src/rows/scan-index.ts";
import { Agenda } from "../../packages/sv/src/agenda/agenda.ts";
import { COMMIT_ENTRIES } from "../../packages/synchronizer/src/limits/limits.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import type { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { MemberStreams } from "../../packages/synchronizer/src/streams/member-streams.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { type NamedConsumers, openReplica } from "../support/open-replica.ts";
import { hurriedClock, withoutCommits } from "./hurried-clock.ts";
import { appendAll, cutIntoBatches } from "./log-entries.ts";

/** Fewer than a commit has: where blocks of texts end follows from commits, too. */
const golden = readGoldenLog().log.slice(0, COMMIT_ENTRIES - 1);

async function openGolden(): Promise<SqliteLog> {
  const log = new SqliteLog(join(temporaryFolder(), "log.db"), systemHost);
  onTestFinished(() => log.close());
  await appendAll(log, cutIntoBatches(golden, 40));
  return log;
}

async function replay(
  options: { readonly log: SqliteLog; readonly clock?: Clock },
  makeConsumers: (state: SqliteState) => NamedConsumers,
): Promise<DatabaseSync> {
  const shared = { sharedCommits: true, timers: withoutCommits };
  const { catchUp, database } = openReplica({ ...options, ...shared }, makeConsumers);
  onTestFinished(() => database.close());
  await catchUp();
  return database;
}

function dump(database: DatabaseSync): Record<string, unknown> {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const names = tables.map(({ name }) => String(name));
  return Object.fromEntries(names.map((name) => [name, database.prepare(`select * from ${name}`).all()]));
}

test("consumers write the same rows, however many entries a slice has", async () => {
  const log = await openGolden();
  const consumers = (state: SqliteState) => ({
    streams: new MemberStreams(state, sha256),
    index: new ScanIndex(state),
    agenda: new Agenda(state, sha256),
  });
  const bySlice = await replay({ log }, consumers);
  const byEntry = await replay({ log, clock: hurriedClock() }, consumers);
  expect(dump(bySlice)).toEqual(dump(byEntry));
});

test("a consumer that absorbs by slice finds the network and the hosts as they are behind each entry", async () => {
  const log = await openGolden();
  const parties = new Set<string>();
  const found = (isBySlice: boolean, list: unknown[]): ReplicaConsumer => ({
    name: `by slice: ${isBySlice}`,
    kinds: [],
    absorbsBySlice: isBySlice,
    absorb: ({ outcome }, state) => {
      for (const change of outcome?.changes ?? [])
        if (change.kind === "hosting") parties.add(change.hosting.party);
      list.push([
        outcome?.head.sequence,
        state.network,
        [...parties].map((party) => state.findHosting(party as never)),
      ]);
      ahead ||= state.head.sequence > (outcome?.head.sequence ?? 0);
    },
    reload: () => undefined,
  });
  let ahead = false;
  const [bySlice, byEntry]: [unknown[], unknown[]] = [[], []];
  await replay({ log }, () => ({ consumer: found(true, bySlice) }));
  expect(ahead).toBe(true);
  ahead = false;
  parties.clear();
  await replay({ log }, () => ({ consumer: found(false, byEntry) }));
  expect(ahead).toBe(false);
  expect(bySlice).toEqual(byEntry);
});
