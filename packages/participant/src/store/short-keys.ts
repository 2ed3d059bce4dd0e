/**
 * Takes long texts out of the indexes of a store from before `indexedText`: command keys name every acting party, and an
 * issuer may have thousands of characters. Runs once, as a migration.
 */
import { indexedText, mayNeedHash, type Sql } from "@callsign/node";

const BATCH = 500n;

/** The few identity providers need no index by issuer: a transaction sees that no two share one. */
const WITHOUT_UNIQUE_ISSUER = [
  `create table if not exists identity_provider_config (
    identity_provider_id text primary key,
    is_deactivated bigint not null,
    issuer text not null,
    jwks_url text not null,
    audience text not null
  )`,
  `insert into identity_provider_config (identity_provider_id, is_deactivated, issuer, jwks_url, audience)
    select identity_provider_id, is_deactivated, issuer, jwks_url, audience from identity_provider where true
    on conflict (identity_provider_id) do nothing`,
  "drop table identity_provider",
];

export async function shortenKeys(sql: Sql): Promise<void> {
  for (const statement of WITHOUT_UNIQUE_ISSUER) await sql.run(statement);
  for (let after: bigint | null = -1n; after !== null; ) {
    const rows = await sql.all(
      `select ledger_offset, command_key from completion where ledger_offset > $1 and ${mayNeedHash("command_key")}
        order by ledger_offset limit $2`,
      after,
      BATCH,
    );
    for (const row of rows) {
      await sql.run(
        "update completion set command_key = $1 where ledger_offset = $2",
        indexedText(row["command_key"] as string),
        row["ledger_offset"] as bigint,
      );
    }
    after = (rows.at(-1)?.["ledger_offset"] as bigint | undefined) ?? null;
  }
}
