import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../packages/node/src/database/postgres-store.ts";
import { createLog } from "../../packages/node/src/observability/log.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { ownServer } from "../support/postgres.ts";

test("smoke", async () => {
  console.time("start");
  const server = await ownServer({}, onTestFinished);
  console.timeEnd("start");
  console.time("open");
  const parts = { host: systemHost, log: createLog({ level: "info" }) };
  const plan = {
    store: "pot",
    migrations: ["create table pot (name text primary key, coins bigint not null)"],
  };
  const store = await openPostgresStore(server.config("x"), plan, parts);
  console.timeEnd("open");
  expect(await store.run("insert into pot (name, coins) values ($2, $1)", 2n ** 62n, "a\u0000\u0001b")).toBe(
    1,
  );
  expect(
    await store.all("select coins, name, $1 as again from pot where name = $1", "a\u0000\u0001b"),
  ).toEqual([{ coins: 2n ** 62n, name: "a\u0000\u0001b", again: "a\u0000\u0001b" }]);
  expect(await store.all("select sum(coins) as s, count(*) as c from pot")).toEqual([
    { s: 2n ** 62n, c: 1n },
  ]);
  console.time("100");
  for (let i = 0; i < 100; i++)
    await store.transaction((sql) => sql.run("insert into pot values ($1, 1)", `n${i}`));
  console.timeEnd("100");
  await expect(openPostgresStore(server.config("x"), plan, parts)).rejects.toThrow(
    /in use by another process/,
  );
  await server.stop("SIGKILL");
  await expect(store.get("select 1")).rejects.toThrow(/does not answer/);
  await expect(store.run("insert into pot values ('z', 1)")).rejects.toThrow(/does not answer/);
  await server.start();
  await expect.poll(() => store.run("insert into pot values ('z', 1)").catch((e) => e.message)).toBe(1);
  await store.close();
});
