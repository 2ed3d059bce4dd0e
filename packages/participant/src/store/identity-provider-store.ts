/** Identity providers other than the default one, which has the empty id and no row. */
import type { IdentityProviderConfig } from "@callsign/api";
import type { Sql, SqlRow, Store } from "@callsign/node";
import { MAX_IDENTITY_PROVIDERS } from "../limits/limits.ts";
import { invalidArgument } from "../requests/identifiers.ts";

/** The reason against a change. */
export type IdentityProviderConflict = "unknown" | "id-taken" | "issuer-taken" | "too-many";

export class IdentityProviderStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(id: string, sql: Sql = this.#store): Promise<IdentityProviderConfig | undefined> {
    const row = await sql.get("select * from identity_provider_config where identity_provider_id = $1", id);
    return row === undefined ? undefined : readConfig(row);
  }

  async findByIssuer(issuer: string, sql: Sql = this.#store): Promise<IdentityProviderConfig | undefined> {
    const row = await sql.get("select * from identity_provider_config where issuer = $1", issuer);
    return row === undefined ? undefined : readConfig(row);
  }

  async list(): Promise<readonly IdentityProviderConfig[]> {
    const rows = await this.#store.all(
      "select * from identity_provider_config order by identity_provider_id",
    );
    return rows.map(readConfig);
  }

  /** True if users and parties may belong to it: the default one, or a stored one. */
  async exists(id: string): Promise<boolean> {
    return id === "" || (await this.find(id)) !== undefined;
  }

  /** Returns null on success. */
  create(config: IdentityProviderConfig): Promise<IdentityProviderConflict | null> {
    return this.#store.transaction(async (sql) => {
      if ((await this.find(config.identityProviderId, sql)) !== undefined) return "id-taken";
      if ((await this.findByIssuer(config.issuer, sql)) !== undefined) return "issuer-taken";
      const row = await sql.get("select count(*) as providers from identity_provider_config");
      if (Number(row?.["providers"]) >= MAX_IDENTITY_PROVIDERS) return "too-many";
      await sql.run(
        `insert into identity_provider_config (identity_provider_id, is_deactivated, issuer, jwks_url, audience)
          values ($1, $2, $3, $4, $5)`,
        config.identityProviderId,
        config.isDeactivated ? 1n : 0n,
        config.issuer,
        config.jwksUrl,
        config.audience,
      );
      return null;
    });
  }

  /** Stores and returns the result of `change`. */
  update(
    id: string,
    change: (config: IdentityProviderConfig) => IdentityProviderConfig,
  ): Promise<IdentityProviderConfig | IdentityProviderConflict> {
    return this.#store.transaction(async (sql) => {
      const known = await this.find(id, sql);
      if (known === undefined) return "unknown";
      const changed = change(known);
      const holder = await this.findByIssuer(changed.issuer, sql);
      if (holder !== undefined && holder.identityProviderId !== id) return "issuer-taken";
      await sql.run(
        `update identity_provider_config set is_deactivated = $2, issuer = $3, jwks_url = $4, audience = $5
          where identity_provider_id = $1`,
        id,
        changed.isDeactivated ? 1n : 0n,
        changed.issuer,
        changed.jwksUrl,
        changed.audience,
      );
      return changed;
    });
  }

  /** Returns false if there was none. Users and parties keep its id, in case it is created again. */
  async remove(id: string): Promise<boolean> {
    return (
      (await this.#store.run("delete from identity_provider_config where identity_provider_id = $1", id)) > 0
    );
  }
}

/** Throws for an identity provider that does not exist. */
export async function checkIdentityProvider(providers: IdentityProviderStore, id: string): Promise<void> {
  if (await providers.exists(id)) return;
  throw invalidArgument(`Provided identity_provider_id ${id.slice(0, 255)} has not been found.`);
}

function readConfig(row: SqlRow): IdentityProviderConfig {
  return {
    identityProviderId: row["identity_provider_id"] as string,
    isDeactivated: row["is_deactivated"] !== 0n,
    issuer: row["issuer"] as string,
    jwksUrl: row["jwks_url"] as string,
    audience: row["audience"] as string,
  };
}
