import { test } from "vitest";
import { checkEngine, FAULTS_TIMEOUT } from "./check-engine.ts";
import { startNatsEngine } from "./nats-engine.ts";

const engine = { name: "NATS", start: startNatsEngine, packages: [] };

test("nothing acknowledged is lost or doubled on NATS under faults", { timeout: FAULTS_TIMEOUT }, (context) =>
  checkEngine(engine, context),
);
