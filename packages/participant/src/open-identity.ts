/**
 * The participant's identity: in its data folder, or in its database where that is on a PostgreSQL server. Its store
 * remembers the member whose stream it has: a store without its identity, or with another one, stops the start, because a
 * new identity would have none of the parties that the store knows.
 */
import { join } from "node:path";
import {
  CannotStart,
  findMemberIdentity,
  type Host,
  loadMemberIdentity,
  type MemberIdentity,
  makeIdentity,
  type PostgresConfig,
  readIdentityValue,
  type Store,
} from "@callsign/node";
import { LedgerStore } from "./store/ledger-store.ts";
import { ParticipantSettings } from "./store/participant-settings.ts";

interface IdentityConfig {
  readonly dataFolder: string;
  readonly nodeIdentifier: string;
  readonly database?: PostgresConfig;
}

/** The place that keeps the identity. */
interface IdentityPlace {
  readonly name: string;
  /** The remedy for a lost or wrong identity. */
  readonly restore: string;
  readonly find: () => Promise<MemberIdentity | null>;
  readonly make: () => Promise<MemberIdentity>;
}

/** Makes an identity only for a store without a ledger. */
export async function openIdentity(
  config: IdentityConfig,
  store: Store,
  host: Host,
): Promise<MemberIdentity> {
  const settings = new ParticipantSettings(store);
  const known = (await settings.find("member")) as { readonly id: string } | undefined;
  const place = config.database === undefined ? inFolder(config, host) : inDatabase(config, settings, host);
  const found = await place.find();
  if (found === null) await checkNoLedger(place, store, known?.id);
  else checkIdentity(place, found, { nodeIdentifier: config.nodeIdentifier, known: known?.id });
  const identity = found ?? (await place.make());
  if (known?.id !== identity.id) await settings.set("member", { id: identity.id });
  return identity;
}

function inFolder({ dataFolder, nodeIdentifier }: IdentityConfig, host: Host): IdentityPlace {
  return {
    name: join(dataFolder, "identity.json"),
    restore: "restore identity.json from a backup",
    find: async () => findMemberIdentity(dataFolder, host),
    make: async () => loadMemberIdentity(dataFolder, nodeIdentifier, host),
  };
}

function inDatabase(
  { nodeIdentifier, database }: IdentityConfig,
  settings: ParticipantSettings,
  { randomness }: Host,
): IdentityPlace {
  const name = `the identity in the table participant_setting of the database "${database?.database}"`;
  const restore = "restore that database whole from a backup";
  const read = (stored: unknown): MemberIdentity => {
    const identity = readIdentityValue(stored);
    if (identity === null) throw new CannotStart(`${name} is damaged: ${restore}`);
    return identity;
  };
  return {
    name,
    restore,
    find: async () => {
      const stored = await settings.find("identity");
      return stored === undefined ? null : read(stored);
    },
    make: async () => {
      const made = makeIdentity(nodeIdentifier, randomness);
      const identity = read(made);
      await settings.set("identity", made);
      return identity;
    },
  };
}

async function checkNoLedger(place: IdentityPlace, store: Store, member: string | undefined): Promise<void> {
  const { position } = await new LedgerStore(store).open();
  if (position.offset === 0) return;
  throw new CannotStart(
    `${place.name} is missing, and the store has the stream of ${member ?? "a participant"} up to offset ` +
      `${position.offset}: ${place.restore}. Without it that participant's parties cannot be used; ` +
      "a new participant needs an empty data folder and an empty store",
  );
}

function checkIdentity(
  place: IdentityPlace,
  { id, nodeIdentifier: fixed }: MemberIdentity,
  { nodeIdentifier, known }: { readonly nodeIdentifier: string; readonly known: string | undefined },
): void {
  if (known !== undefined && known !== id)
    throw new CannotStart(
      `${place.name} is the identity of ${id}, and the store is that of ${known}: restore the identity of ${known}, ` +
        "or give this participant a store of its own",
    );
  if (fixed !== nodeIdentifier)
    throw new CannotStart(
      `nodeIdentifier is ${JSON.stringify(nodeIdentifier)}, and this participant was made as ${JSON.stringify(fixed)}: ` +
        `the identifier is fixed by the first start. Configure ${JSON.stringify(fixed)}, or take another data folder or database ` +
        "for a new participant",
    );
}
