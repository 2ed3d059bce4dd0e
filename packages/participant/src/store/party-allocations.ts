/**
 * Parties that the network was asked to host, until their records and rights are written. A caller that repeats the
 * request finishes an allocation that a crash or an error has interrupted.
 */
import type { Sql, Store } from "@callsign/node";
import { MAX_PENDING_ALLOCATIONS } from "../limits/limits.ts";
import { type KnownParty, type PartyRecord, type PartyStore, writeRecord } from "./party-store.ts";
import type { UserStore } from "./user-store.ts";

export interface PartyAllocation {
  readonly party: string;
  /** The user that may act as the party; empty for none. */
  readonly userId: string;
  /** The identity provider that the party will belong to; empty for the default one. */
  readonly identityProviderId: string;
}

export class PartyAllocations {
  readonly #store: Store;
  readonly #parties: PartyStore;
  readonly #users: UserStore;

  constructor(store: Store, parties: PartyStore, users: UserStore) {
    this.#store = store;
    this.#parties = parties;
    this.#users = users;
  }

  /** Resolves when it is on disk. */
  begin({ party, userId, identityProviderId }: PartyAllocation, maxRecordTime: bigint): Promise<void> {
    return this.#store.transaction(async (sql) => {
      await sql.run(
        `insert into party_allocation (party, user_id, max_record_time) values ($1, $2, $3)
          on conflict (party) do update set user_id = excluded.user_id, max_record_time = excluded.max_record_time`,
        party,
        userId,
        maxRecordTime,
      );
      await sql.run(
        `insert into party_allocation_provider (party, identity_provider_id) values ($1, $2)
          on conflict (party) do update set identity_provider_id = excluded.identity_provider_id`,
        party,
        identityProviderId,
      );
      await dropOldest(sql);
    });
  }

  /** True if it was begun for that user and that identity provider, and has not ended. */
  async isPending({ party, userId, identityProviderId }: PartyAllocation): Promise<boolean> {
    const row = await this.#store.get(
      `select user_id, identity_provider_id from party_allocation
        left join party_allocation_provider on party_allocation_provider.party = party_allocation.party
        where party_allocation.party = $1`,
      party,
    );
    return row?.["user_id"] === userId && (row["identity_provider_id"] ?? "") === identityProviderId;
  }

  /** Call when the network does not host the party. */
  drop(party: string): Promise<void> {
    return this.#store.transaction((sql) => forget(sql, party));
  }

  /** Writes the record and the right, both or none. `granted`: false if the user was deleted. */
  end(
    { party, userId }: PartyAllocation,
    record: PartyRecord,
  ): Promise<{ readonly made: KnownParty | undefined; readonly granted: boolean }> {
    return this.#users.transaction(async (sql) => {
      const known = await this.#parties.find(party, sql);
      if (known?.record === null) await writeRecord(sql, party, record);
      const right = { kind: "CanActAs", party } as const;
      const granted = userId === "" || (await this.#users.grantIn(sql, userId, [right])) !== undefined;
      await forget(sql, party);
      return { made: await this.#parties.find(party, sql), granted };
    });
  }
}

async function forget(sql: Sql, party: string): Promise<void> {
  await sql.run("delete from party_allocation where party = $1", party);
  await sql.run("delete from party_allocation_provider where party = $1", party);
}

async function dropOldest(sql: Sql): Promise<void> {
  const oldest = await sql.all(
    `select party from party_allocation where max_record_time <=
      (select max_record_time from party_allocation order by max_record_time desc limit 1 offset $1)`,
    MAX_PENDING_ALLOCATIONS,
  );
  for (const row of oldest) await forget(sql, row["party"] as string);
}
