/** SVs agree on snapshots, prune and start again on logs that real servers keep, each with a copy of its own. */
import { randomUUID } from "node:crypto";
import type { PostgresConfig } from "@callsign/node";
import { systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { fresh } from "../support/fresh.ts";
import { type NatsCluster, startNatsCluster } from "../support/nats-cluster.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { type LogBackend, openLog } from "../synchronizer/open-log.ts";
import { expectEqual, loseLast, provenOf } from "./lost-sv.ts";

let database: PostgresConfig;
let cluster: NatsCluster;
const atEnd = atEndOfFile();

beforeAllOrSkip(async (test) => {
  database = await sharedDatabase(systemHost.randomness.uuid(), test);
  cluster = await startNatsCluster({}, atEnd, test);
}, 300_000);

const BACKENDS: readonly LogBackend[] = [
  { name: "postgres", newPlace: () => JSON.stringify({ ...database, schema: fresh("log") }) },
  { name: "nats", newPlace: () => JSON.stringify(cluster.log(randomUUID())) },
];

describe.each(BACKENDS)("on $name", ({ name, newPlace }) => {
  test("the SVs prune log, copies and streams behind an agreed snapshot, and a lost SV starts from another's", async () => {
    const place = newPlace();
    const { network, folder } = await loseLast({ openLog: () => openLog(name, place) });
    const { sequence } = await network.log.start();
    expect(sequence).toBeGreaterThan(0);
    const urls = [network.svs[1]?.sequencerUrl ?? ""];
    const again = await network.open(3, { snapshotFolders: [folder], snapshotUrls: urls });
    await expectEqual(network, again);
    await network.prune();
    expect((await network.log.start()).sequence).toBeGreaterThan(sequence);
    expect(new Set(network.svs.map(provenOf)).size).toBe(1);
  });
});
