/** A replica on disk of a network of protocol version 4. */
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import {
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
} from "../../packages/ledger/src/transition/log-entry.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { replay } from "../../packages/ledger/testing/simulated-network.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { BACKED_TIME, readGoldenLog } from "../golden-log/golden-file.ts";
import { newTransition } from "../golden-log/replay-digests.ts";
import { openStreamReplica } from "./stream-replica.ts";

test("keeps stamps and newcomers over restarts: it ends where the golden log does, however often it was closed", async () => {
  const { log: golden, expected } = readGoldenLog(BACKED_TIME);
  const log = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => log.close());
  const file = join(temporaryFolder(), "replica.db");
  const transition = newTransition();
  for (let at = 0; at < golden.length; at += 7) {
    const entries = golden.slice(at, at + 7);
    const last = entries.at(-1) as LogEntry;
    await log.append({
      after: await log.head(),
      head: { sequence: last.sequence, entryHash: hashLogEntry(sha256, last) },
      entries: entries.map(formatLogEntry),
    });
    const node = openStreamReplica({ log, file, transition });
    await node.catchUp();
    expect(node.replica.state.head.sequence).toBe(last.sequence);
    node.close();
  }
  const node = openStreamReplica({ log, file, transition });
  onTestFinished(() => node.close());
  const { state } = node.replica;
  expect(state.head.digest).toBe(expected.final);
  const memory = replay(golden);
  expect(state.network).toEqual(memory.network);
  for (const sv of memory.network?.svs ?? []) expect(state.findStamp(sv)).toBe(memory.findStamp(sv));
});
