// PostgreSQL databases of earlier releases, restored from a dump, open with equal answers. README.md says how they were made.

import pg from "pg";
import { test } from "vitest";
import type { PostgresConfig } from "../../packages/node/src/database/postgres-config.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { decompress } from "./packed-folder.ts";
import { expectToGoOn, readAnswers, readBeside } from "./upgrade.ts";

async function restore(config: PostgresConfig, dump: string): Promise<void> {
  const run = async (database: string, sql: string) => {
    const { host, port, user, password } = config;
    const client = new pg.Client({ host, port, user, password, database });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run("postgres", `create database "${config.database}"`);
  await run(config.database, dump);
}

test("participants and validators of 0.1.0 on PostgreSQL open with equal answers, and go on", async (context) => {
  const database = await sharedDatabase(undefined, context);
  await restore(database, decompress(readBeside("0.1.0/postgres.sql.br")).toString());
  await expectToGoOn({
    dataFolder: "0.1.0/postgres-data-folder.br",
    recorded: readAnswers("0.1.0/postgres-answers.json.br"),
    store: { database },
  });
});
