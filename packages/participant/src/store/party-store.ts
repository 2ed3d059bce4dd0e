/**
 * Parties that the participant knows from the network, and the records it keeps about them: annotations, a version,
 * the identity provider. A record is separate from the party and may be absent.
 */
import type { Sql, SqlRow, Store } from "@callsign/node";
import type { Annotations } from "../resources/annotations.ts";
import { type AnnotatedPage, readAnnotatedPage } from "./annotated-page.ts";

export interface PartyRecord {
  readonly identityProviderId: string;
  readonly resourceVersion: bigint;
  readonly annotations: Annotations;
}

export interface KnownParty {
  readonly party: string;
  readonly isLocal: boolean;
  readonly record: PartyRecord | null;
}

/** Parties after the given one with a prefix, ordered by their bytes. */
export interface PartyPage {
  readonly after: string;
  readonly prefix: string;
  readonly limit: number;
}

const SELECT = `select party.party, is_local, identity_provider_id, resource_version, annotations
  from party left join party_record on party_record.party = party.party`;

export class PartyStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  find(party: string, sql: Sql = this.#store): Promise<KnownParty | undefined> {
    return sql.get(`${SELECT} where party.party = $1`, party).then((row) => row && readParty(row));
  }

  async list(page: PartyPage): Promise<AnnotatedPage<KnownParty>> {
    const read = (after: string, limit: number) => this.#read(SELECT, { ...page, after, limit });
    const { items, mayGoOn } = await readAnnotatedPage(read, { ...page, key: "party" });
    return { items: items.map(readParty), mayGoOn };
  }

  async listIds(page: PartyPage): Promise<readonly string[]> {
    return (await this.#read("select party from party", page)).map((row) => row["party"] as string);
  }

  /** Adds parties that other participants host; nothing changes for parties that are known. */
  async addOthers(parties: readonly string[]): Promise<void> {
    if (parties.length === 0) return;
    await this.#store.transaction(async (sql) => {
      for (const party of parties)
        await sql.run(
          "insert into party (party, is_local) values ($1, 0) on conflict (party) do nothing",
          party,
        );
    });
  }

  #read(select: string, { after, prefix, limit }: PartyPage): Promise<readonly SqlRow[]> {
    // No character of a party id is higher than z: every party with the prefix sorts before this bound.
    return this.#store.all(
      `${select} where party.party > $1 and party.party >= $2 and party.party < $3 order by party.party limit $4`,
      after,
      prefix,
      `${prefix}\u007f`,
      BigInt(limit),
    );
  }

  /**
   * Writes the record that `change` returns, or none for null. Concurrent updates run one after the other.
   */
  update(
    party: string,
    change: (known: KnownParty | undefined) => PartyRecord | null,
  ): Promise<KnownParty | undefined> {
    return this.#store.transaction(async (sql) => {
      const record = change(await this.find(party, sql));
      if (record !== null) await writeRecord(sql, party, record);
      return this.find(party, sql);
    });
  }
}

export async function writeRecord(sql: Sql, party: string, record: PartyRecord): Promise<void> {
  await sql.run(
    `insert into party_record (party, identity_provider_id, resource_version, annotations) values ($1, $2, $3, $4)
      on conflict (party) do update set identity_provider_id = excluded.identity_provider_id,
        resource_version = excluded.resource_version, annotations = excluded.annotations`,
    party,
    record.identityProviderId,
    record.resourceVersion,
    JSON.stringify(record.annotations),
  );
}

function readParty(row: SqlRow): KnownParty {
  const version = row["resource_version"] as bigint | null;
  return {
    party: row["party"] as string,
    isLocal: row["is_local"] !== 0n,
    record:
      version === null
        ? null
        : {
            identityProviderId: row["identity_provider_id"] as string,
            resourceVersion: version,
            annotations: JSON.parse(row["annotations"] as string) as Annotations,
          },
  };
}
