import { test } from "vitest";
import { checkEngine, FAULTS_TIMEOUT } from "./check-engine.ts";
import { startPostgresEngine } from "./postgres-engine.ts";

const engine = { name: "PostgreSQL", start: startPostgresEngine, packages: ["pgbouncer"] };

test(
  "nothing acknowledged is lost or doubled on PostgreSQL under faults",
  { timeout: FAULTS_TIMEOUT },
  (context) => checkEngine(engine, context),
);
