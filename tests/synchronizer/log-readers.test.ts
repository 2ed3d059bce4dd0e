/** Logs that are opened for reading alone, with users of real servers who may do no more. */
import { randomUUID } from "node:crypto";
import { DatabaseRefused, silentLog, systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { openNatsLog } from "../../packages/synchronizer/src/log/open-nats-log.ts";
import { openPostgresLog } from "../../packages/synchronizer/src/log/open-postgres-log.ts";
import type { LogHead, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { POSTGRES_RISKS } from "../../packages/synchronizer/src/log/postgres-log-safety.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import {
  NATS_PASSWORD,
  NATS_SYSTEM_USER,
  NATS_USER,
  type NatsCluster,
  startNatsCluster,
} from "../support/nats-cluster.ts";
import { ownServer } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { APPENDED, chainContents, EMPTY } from "./log-entries.ts";

const atEnd = atEndOfFile();
const parts = { host: systemHost, log: silentLog, patienceMilliseconds: 3000 };
const READER = "reader";

/** Entries of the writer reach the reader, those before it came and those after. */
async function expectFollowed(writer: OrderedLog, reader: OrderedLog, after: LogHead): Promise<void> {
  expect(await reader.head()).toEqual(after);
  const pages = reader.follow(0, AbortSignal.timeout(20_000))[Symbol.asyncIterator]();
  expect((await pages.next()).value).toMatchObject({ head: after });
  const [next, batch] = [pages.next(), chainContents(after, ["later"])];
  expect(await writer.append(batch)).toEqual(APPENDED);
  expect((await next).value).toMatchObject({ head: batch.head, entries: batch.entries });
  await pages.return?.();
}

/** Nothing is sent to the server. */
async function expectReadOnly(reader: OrderedLog): Promise<void> {
  const reason = "the log is opened for reading alone";
  await expect(reader.append(chainContents(await reader.head(), ["mine"]))).rejects.toThrow(reason);
  await expect(reader.trim(1)).rejects.toThrow(reason);
  // The copy of a log asks so for the entries that others have trimmed.
  await reader.trim(0);
  expect(reader.unwritable()).toBe(reason);
}

describe("on PostgreSQL", () => {
  let server: PostgresServer;

  beforeAllOrSkip(async (skip) => {
    server = await ownServer({}, atEnd, skip);
    await server.sql(`create role ${READER} login password 'readable'`);
  }, 120_000);

  const open = async (change: object, readOnly: boolean) => {
    const config = server.config("log", change);
    const log = await openPostgresLog(config, { ...parts, acceptedRisks: POSTGRES_RISKS, readOnly });
    onTestFinished(log.close);
    return log;
  };
  const login = { user: READER, password: "readable" };

  test("a user with the grants that a refusal names follows the log, and cannot write", async () => {
    const schema = `t${randomUUID().slice(0, 8)}`;
    const writer = await open({ schema }, false);
    const first = chainContents(EMPTY, ["one"]);
    await writer.append(first);
    const refused: unknown = await open({ schema, ...login }, true).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DatabaseRefused);
    const { message } = refused as Error;
    expect(message).toContain('has no store "log" that this user may read. As its owner run: grant usage');
    await server.sql(message.slice(message.indexOf("grant usage")), "log");
    const reader = await open({ schema, ...login }, true);
    await expectFollowed(writer, reader, first.head);
    // Only a writer can name the term of a new server. Until then pages have none.
    const termOfPage = async () => {
      const pages = reader.follow(0, AbortSignal.timeout(20_000))[Symbol.asyncIterator]();
      const { value } = await pages.next();
      await pages.return?.();
      return value?.term;
    };
    await server.sql(`delete from "${schema}".office`, "log");
    expect(await termOfPage()).toBeUndefined();
    const term = await writer.term();
    expect(await termOfPage()).toBe(term);
    await expectReadOnly(reader);
    const insert = `set role ${READER}; insert into "${schema}".office values ('x', 'y')`;
    await expect(server.sql(insert, "log")).rejects.toThrow("permission denied for table office");
    // The same user cannot open it as SVs do.
    await expect(open({ schema, ...login }, false)).rejects.toThrow();
  });

  test("a log that is missing is not made", async () => {
    await (await open({ schema: "other" }, false)).close();
    await expect(open({ schema: "nowhere", ...login }, true)).rejects.toThrow(
      /schema "nowhere" is missing, and only a user who may write makes it: start that one first/,
    );
    expect(await server.sql("select count(*) from pg_namespace where nspname = 'nowhere'", "log")).toBe("0");
  });
});

describe("on NATS", () => {
  let cluster: NatsCluster;
  const stream = "readable";

  beforeAllOrSkip(async (skip) => {
    const publish = ["STREAM.INFO", "STREAM.MSG.GET", "DIRECT.GET"].map(
      (each) => `$JS.API.${each}.${stream}`,
    );
    const permissions = { publish, subscribe: ["_INBOX.>", `callsign.stored.${stream}`] };
    const accounts = {
      LOG: {
        jetstream: "enabled",
        users: [
          { user: NATS_USER, password: NATS_PASSWORD },
          { user: READER, password: NATS_PASSWORD, permissions },
        ],
      },
      SYSTEM: { users: [{ user: NATS_SYSTEM_USER, password: NATS_PASSWORD }] },
    };
    cluster = await startNatsCluster({ nodes: 1, settings: { accounts } }, atEnd, skip);
  }, 120_000);

  const open = async (name: string, readOnly: boolean) => {
    const { systemLogin, ...config } = cluster.log(name, { replicas: 1 });
    const reading = { ...config, login: { user: READER, password: NATS_PASSWORD } };
    const writing = {
      ...config,
      ...(systemLogin && { systemLogin }),
      acceptedRisks: ["few-replicas"] as const,
    };
    const log = await openNatsLog(readOnly ? reading : writing, { ...parts, readOnly });
    onTestFinished(log.close);
    return log;
  };

  test("a user with permissions to read follows the log without a user of the system account", async () => {
    await expect(open(stream, true)).rejects.toThrow(
      `the stream ${stream} is missing, and only a user who may write makes it: start that one first`,
    );
    const writer = await open(stream, false);
    const first = chainContents(EMPTY, ["one"]);
    await writer.append(first);
    const reader = await open(stream, true);
    await expectFollowed(writer, reader, first.head);
    await expectReadOnly(reader);
  });

  test("a user without them is refused, with the permissions that it needs", async () => {
    await (await open("secret", false)).close();
    await expect(open("secret", true)).rejects.toThrow(
      /may not read the stream secret \(.*\)\. Let it publish to \$JS\.API\.STREAM\.INFO\.secret, .*, and subscribe to _INBOX\.> and callsign\.stored\.secret/,
    );
  });
});
