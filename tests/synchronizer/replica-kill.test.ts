import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { Child, runAndKill } from "../support/child-process.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { Journal } from "./journal.ts";
import { logFile } from "./open-log.ts";
import { Oracle } from "./oracle.ts";
import { openStreamReplica } from "./stream-replica.ts";

const REPLICATE = join(import.meta.dirname, "children/replicate.ts");
const KILLS = 5;
const BATCH = 4;

test("a replica that is killed again and again has applied every entry once, to the same digests", async () => {
  const random = new Random(seed);
  const { log: golden, expected } = readGoldenLog();
  const folder = temporaryFolder();
  // Killed when it has got so many batches further; together that is less than there are.
  const share = Math.floor(golden.length / BATCH / (KILLS + 1));
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await runAndKill(REPLICATE, [folder, `${BATCH}`], 1 + random.below(share));
    expect(child).toMatchObject({ signal: "SIGKILL" });
  }
  const last = await new Child(REPLICATE, folder, `${BATCH}`).ended;
  expect(last).toMatchObject({ code: 0 });
  expect(last.lines.at(-1)).toBe(`${golden.length}`);

  const oracle = new Oracle();
  oracle.apply(golden);
  const log = new SqliteLog(logFile(folder), systemHost);
  const killed = openStreamReplica({ log, file: join(folder, "replica.db") });
  oracle.compare(killed.replica.state);
  expect(killed.replica.state.head.digest).toBe(expected.final);
  const shown = oracle.heads.map(({ sequence, digest }) => ({ sequence, digest }));
  expect(new Journal(killed.database).list()).toEqual(shown);
  const whole = openStreamReplica({ log });
  await whole.catchUp();
  for (const member of oracle.members) {
    expect(killed.streams.page(member, 0, 10_000)).toEqual(whole.streams.page(member, 0, 10_000));
  }
  killed.close();
  whole.close();
  await log.close();
});
