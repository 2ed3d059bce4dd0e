import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../packages/node/src/database/open-store.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { formatText } from "../../packages/node/src/observability/text-exposition.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { STORE_KINDS, sharedDatabase } from "../support/postgres.ts";

const PLAN = { store: "example", migrations: ["create table thing (id bigint primary key)"] };

test.each(STORE_KINDS)("%s: statements and transactions are timed", async (kind) => {
  const metrics = new Metrics();
  const database = kind === "PostgreSQL" ? { database: await sharedDatabase() } : {};
  const place = { ...database, file: join(temporaryFolder(), "example.sqlite") };
  const store = await openStore(place, PLAN, { host: systemHost, log: silentLog, metrics });
  await store.run("insert into thing (id) values ($1)", 1n);
  await store.transaction(async (sql) => {
    await sql.run("insert into thing (id) values ($1)", 2n);
    await sql.get("select id from thing where id = $1", 1n);
  });
  expect(await store.all("select id from thing order by id")).toHaveLength(2);
  const text = formatText(await metrics.gather(systemHost.timers));
  for (const [timer, count] of [
    ["query", 2],
    ["exec", 2],
    ["commit", 1],
  ] as const)
    expect(text).toContain(`daml_db_${timer}_duration_seconds_count{name="example"} ${count}\n`);
  const idle = /^db_client_connections_usage\{pool_name="example",state="idle"\} (\d+)$/m.exec(text)?.[1];
  expect(idle).toBe(kind === "PostgreSQL" ? "1" : undefined);
  await store.close();
});
