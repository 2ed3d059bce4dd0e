/**
 * The lock that keeps a second process from writing: an advisory lock of the writer's session. A session that holds it knows
 * that every earlier session has ended, and with it every commit that was under way.
 */
import { hash } from "node:crypto";
import type { Timers } from "../host/host.ts";
import { sleep } from "../waiting/sleep.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { describeDatabase } from "./postgres-failures.ts";
import { LOCK_PATIENCE_MILLISECONDS, LOCK_POLL_MILLISECONDS } from "./postgres-limits.ts";
import { DatabaseInUse } from "./store-errors.ts";

interface LockParts {
  readonly config: PostgresConfig;
  /** The name of this process's sessions. */
  readonly session: string;
  readonly timers: Timers;
}

/** Ends an earlier session of this process that the server still keeps; waits a moment for one of a killed process. */
export async function takeWriterLock(connection: PostgresConnection, parts: LockParts): Promise<void> {
  const key = keyOf(parts.config.schema);
  let holder: string | null = null;
  for (let waited = 0; waited <= LOCK_PATIENCE_MILLISECONDS; waited += LOCK_POLL_MILLISECONDS) {
    const { rows } = await connection.query({
      text: "select pg_try_advisory_lock($1) as is_taken",
      parameters: [key],
    });
    if (rows[0]?.["is_taken"] === 1n) return;
    holder = await endOwnHolder(connection, parts.session, key);
    await sleep(LOCK_POLL_MILLISECONDS, { timers: parts.timers });
  }
  throw new DatabaseInUse(
    `${describeDatabase(parts.config)}: schema "${parts.config.schema}" is in use by another process` +
      `${holder === null ? "" : ` (connected from ${holder})`}: stop that one first`,
  );
}

/** Returns the address of a holder that is not this process. */
async function endOwnHolder(
  connection: PostgresConnection,
  session: string,
  key: bigint,
): Promise<string | null> {
  const { rows } = await connection.query({
    text: `select a.pid as pid, a.application_name as session, coalesce(host(a.client_addr), 'this machine') as address
      from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and a.datname = current_database() and l.objsubid = 1
        and l.classid::bigint = ($1::bigint >> 32) & 4294967295 and l.objid::bigint = $1::bigint & 4294967295
        and a.pid <> pg_backend_pid()`,
    parameters: [key],
  });
  const [holder] = rows;
  if (holder === undefined) return null;
  if (holder["session"] !== session) return String(holder["address"]);
  await connection.query({
    text: "select pg_terminate_backend($1::int)",
    parameters: [holder["pid"] ?? null],
  });
  return null;
}

/** Advisory locks belong to a database; the key follows from the schema. */
export function keyOf(schema: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash("sha256", `callsign ${schema}`).slice(0, 16)}`));
}
