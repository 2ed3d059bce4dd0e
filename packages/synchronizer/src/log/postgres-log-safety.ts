/**
 * The settings without which a crash or a failover of the server may lose appended entries. A server that lacks one is refused
 * unless the operator accepts that risk by name.
 */
import type { Log, PostgresConnection } from "@callsign/node";
import type { FoundRisk } from "./refuse-risks.ts";

export const POSTGRES_RISKS = [
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "synchronous_standby_names",
] as const;

/** The setting that is not as it should be. */
export type PostgresRisk = (typeof POSTGRES_RISKS)[number];

interface Requirement {
  readonly isMet: (value: string) => boolean;
  /** The value to set, and the reason. */
  readonly remedy: string;
}

const REQUIREMENTS: Readonly<Record<PostgresRisk, Requirement>> = {
  fsync: {
    isMet: (value) => value === "on",
    remedy: "set it to on: otherwise a crash of its machine loses commits",
  },
  full_page_writes: {
    isMet: (value) => value === "on",
    remedy: "set it to on: otherwise a crash of its machine damages tables",
  },
  synchronous_commit: {
    isMet: (value) => ["on", "remote_apply", "remote_write"].includes(value),
    remedy: "set it to on: otherwise a failover loses commits",
  },
  synchronous_standby_names: {
    isMet: hasQuorum,
    remedy:
      'set it to "ANY 1 (…)" with the names of two standbys, or so that each commit is on a majority of the servers: ' +
      "otherwise a failover loses commits",
  },
};

export async function findRisks(connection: PostgresConnection): Promise<readonly FoundRisk<PostgresRisk>[]> {
  const values = await readSettings(connection);
  const unmet = POSTGRES_RISKS.filter((risk) => !REQUIREMENTS[risk].isMet(values[risk]));
  return unmet.map((risk) => {
    const { remedy } = REQUIREMENTS[risk];
    return { risk, words: `the log's database server runs with ${risk} = "${values[risk]}": ${remedy}` };
  });
}

export async function warnOfRisks(
  connection: PostgresConnection,
  accepted: readonly PostgresRisk[],
  log: Log,
): Promise<void> {
  const values = await readSettings(connection);
  for (const setting of accepted) {
    const value = values[setting];
    const { isMet, remedy } = REQUIREMENTS[setting];
    const advice = isMet(value) ? "it is as it should be now: withdraw the acceptance" : remedy;
    log.warn({ setting, value }, `the log accepts any ${setting} of its database server; ${advice}`);
  }
}

async function readSettings(connection: PostgresConnection): Promise<Readonly<Record<PostgresRisk, string>>> {
  const columns = POSTGRES_RISKS.map((name) => `current_setting('${name}') as ${name}`);
  const { rows } = await connection.query({ text: `select ${columns.join(", ")}` });
  return rows[0] as Readonly<Record<PostgresRisk, string>>;
}

/**
 * True if each commit is on a majority of the primary and its standbys: `ANY 1 (a, b)`, `FIRST 2 (a, b, c)`, `2 (a, b)`,
 * or `a, b`, which is `FIRST 1 (a, b)`. `*` stands for any standbys, whose number is not known.
 */
export function hasQuorum(names: string): boolean {
  const counted = /^\s*(?:(?:any|first)\s+)?(\d+)\s*\((.*)\)\s*$/is.exec(names);
  const listed: readonly string[] = (counted?.[2] ?? names).match(/"(?:[^"]|"")*"|[^",\s]+/g) ?? [];
  const copies = 1 + (counted === null ? 1 : Number(counted[1]));
  if (listed.length === 0 || copies < 2) return false;
  return listed.includes("*") || listed.includes('"*"') || copies > (1 + listed.length) / 2;
}
