/** The ordered log of a configuration. A backend is loaded only if it is the one: the SQLite log needs no other module. */
import type { Host, Log, PostgresConfig } from "@callsign/node";
import type { NatsLogConfig } from "./nats-config.ts";
import { openNatsLog } from "./open-nats-log.ts";
import { openPostgresLog } from "./open-postgres-log.ts";
import type { OrderedLog } from "./ordered-log.ts";
import type { PostgresRisk } from "./postgres-log-safety.ts";
import { SqliteLog } from "./sqlite-log.ts";

/** A log that SVs on several machines share. */
export type SharedLogSettings =
  | {
      readonly kind: "postgres";
      readonly database: PostgresConfig;
      readonly acceptedRisks: readonly PostgresRisk[];
    }
  | { readonly kind: "nats"; readonly stream: NatsLogConfig };

export type OrderedLogSettings = { readonly kind: "sqlite"; readonly path: string } | SharedLogSettings;

export interface LogOpening {
  readonly host: Host;
  readonly log: Log;
  /** A shared log is only read, with a user who may do no more. False if omitted. */
  readonly readOnly?: boolean;
}

export async function openOrderedLog(
  settings: OrderedLogSettings,
  { host, log, readOnly = false }: LogOpening,
): Promise<OrderedLog> {
  switch (settings.kind) {
    case "sqlite":
      return new SqliteLog(settings.path, host);
    case "postgres":
      return openPostgresLog(settings.database, {
        host,
        log,
        acceptedRisks: settings.acceptedRisks,
        readOnly,
      });
    case "nats":
      return openNatsLog(settings.stream, { host, log, readOnly });
  }
}

/** The log's place for people, without a password. */
export function describeOrderedLog(settings: OrderedLogSettings): string {
  switch (settings.kind) {
    case "sqlite":
      return settings.path;
    case "postgres": {
      const { database, schema, otherPlaces = [], ...first } = settings.database;
      const servers = [first, ...otherPlaces].map(({ host, port }) => `${host}:${port}`);
      return `schema ${schema} of the PostgreSQL database ${database} at ${servers.join(", ")}`;
    }
    case "nats": {
      const { stream, servers } = settings.stream;
      return `stream ${stream} of NATS at ${servers.join(", ")}`;
    }
  }
}
