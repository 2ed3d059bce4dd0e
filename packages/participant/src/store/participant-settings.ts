/**
 * Settings of the admin API, the member and the migration whose stream the store has, the network's SVs once they have
 * changed, and on PostgreSQL the member's keys, as JSON by name.
 */
import type { Sql } from "@callsign/node";
import type { ServedSvs } from "../agreement/network-votes.ts";

export type SettingName =
  | "pruning-schedule"
  | "last-pruning"
  | "sequencer-connections"
  | "member"
  | "identity"
  | "migration"
  | "svs";

export class ParticipantSettings {
  readonly #store: Sql;

  constructor(store: Sql) {
    this.#store = store;
  }

  /** Undefined if it was never set. */
  async find(name: SettingName): Promise<unknown> {
    const row = await this.#store.get(
      "select setting_value from participant_setting where setting = $1",
      name,
    );
    return row === undefined ? undefined : JSON.parse(row["setting_value"] as string);
  }

  async set(name: SettingName, value: object): Promise<void> {
    await this.#store.run(
      `insert into participant_setting (setting, setting_value) values ($1, $2)
        on conflict (setting) do update set setting_value = excluded.setting_value`,
      name,
      JSON.stringify(value),
    );
  }

  async remove(name: SettingName): Promise<void> {
    await this.#store.run("delete from participant_setting where setting = $1", name);
  }
}

/** The sequencers that were set over the admin API, if any were. An earlier version kept no threshold. */
export async function findSequencerConnections(
  settings: ParticipantSettings,
): Promise<{ readonly urls: readonly string[]; readonly threshold: number | null } | undefined> {
  const stored = (await settings.find("sequencer-connections")) as
    | { readonly urls: readonly string[]; readonly threshold?: number | null }
    | undefined;
  return stored === undefined ? undefined : { urls: stored.urls, threshold: stored.threshold ?? null };
}

/** The SVs of the network after the last change that was followed; null if none was. */
export async function findKeptSvs(settings: ParticipantSettings, network: string): Promise<ServedSvs | null> {
  const kept = (await settings.find("svs")) as KeptSvs | undefined;
  if (kept?.id !== network) return null;
  return { ...kept, migrationId: BigInt(kept.migrationId), svSerial: BigInt(kept.svSerial) };
}

export async function keepSvs(settings: ParticipantSettings, svs: ServedSvs): Promise<void> {
  const { id, synchronizerId, dso, migrationId, svSerial } = svs;
  const kept: KeptSvs = {
    ...{ id, synchronizerId, dso, svs: svs.svs },
    migrationId: String(migrationId),
    svSerial: String(svSerial),
  };
  await settings.set("svs", kept);
}

type KeptSvs = Omit<ServedSvs, "migrationId" | "svSerial"> & {
  readonly migrationId: string;
  readonly svSerial: string;
};

/** The migration of the network that the store belongs to. */
export interface StoreMigration {
  readonly id: number;
  /** Null for a store that began under this id. */
  readonly carriedFrom: CarriedFrom | null;
}

/** The store of the migration before, as it was left. */
export interface CarriedFrom {
  readonly id: number;
  readonly offset: number;
  /** Null if it had never reached its network. */
  readonly synchronizerId: string | null;
  readonly dso: string | null;
}

export async function findStoreMigration(settings: ParticipantSettings): Promise<StoreMigration | undefined> {
  return (await settings.find("migration")) as StoreMigration | undefined;
}
