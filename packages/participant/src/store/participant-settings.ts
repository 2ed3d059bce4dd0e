/**
 * Settings of the admin API, the member whose stream the store has, and on PostgreSQL the member's keys, as JSON by name.
 */
import type { Sql } from "@callsign/node";

export type SettingName =
  | "pruning-schedule"
  | "last-pruning"
  | "sequencer-connections"
  | "member"
  | "identity";

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
