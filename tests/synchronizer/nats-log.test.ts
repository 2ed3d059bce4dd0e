import { randomUUID } from "node:crypto";
import { describe } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { type NatsCluster, startNatsCluster } from "../support/nats-cluster.ts";
import type { LogBackend } from "./open-log.ts";
import { describeOrderedLog } from "./ordered-log-conformance.ts";
import { describeSharedLog } from "./shared-log-conformance.ts";

const atEnd = atEndOfFile();
let cluster: NatsCluster;

beforeAllOrSkip(async (test) => {
  cluster = await startNatsCluster({}, atEnd, test);
}, 120_000);

describe("the log on three NATS nodes", () => {
  const backend: LogBackend = { name: "nats", newPlace: () => JSON.stringify(cluster.log(randomUUID())) };
  describeOrderedLog(backend);
  describeSharedLog(backend);
});
