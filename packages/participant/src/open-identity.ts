/**
 * The participant's identity: in its data folder, or in its database where that is on a PostgreSQL server. Its store
 * remembers the member whose stream it has: a store without its identity, or with another one, stops the start, because a
 * new identity would have none of the parties that the store knows.
 */
import { join } from "node:path";
import {
  CannotStart,
  type Host,
  IDENTITY_FILE,
  identityOf,
  KeptIdentity,
  type Log,
  makeIdentity,
  openStore,
  type PostgresConfig,
  type PrivateIdentity,
  parseIdentity,
  readIdentityFile,
  type Store,
  writeIdentityFile,
} from "@callsign/node";
import { LedgerStore } from "./store/ledger-store.ts";
import { ParticipantSettings } from "./store/participant-settings.ts";
import { participantStore } from "./store/participant-store.ts";

interface IdentityConfig {
  readonly dataFolder: string;
  readonly nodeIdentifier: string;
  readonly earlierIdentifiers?: readonly string[];
  readonly database?: PostgresConfig;
}

/** The place that keeps the identity. */
interface IdentityPlace {
  readonly name: string;
  /** The remedy for a lost or wrong identity. */
  readonly restore: string;
  readonly find: () => Promise<PrivateIdentity | null>;
  /** Replaces it whole. */
  readonly keep: (identity: PrivateIdentity) => Promise<void>;
}

/** Makes an identity only for a store without a ledger. */
export async function openIdentity(config: IdentityConfig, store: Store, host: Host): Promise<KeptIdentity> {
  const { place, settings, known } = await findPlace(config, store, host);
  const found = await place.find();
  if (found === null) await checkNoLedger(place, store, known);
  else checkIdentity(place, found, { config, known });
  const stored = found ?? makeIdentity(config.nodeIdentifier, host.randomness);
  const identity = new KeptIdentity(stored, place.keep);
  if (found === null) await place.keep(stored);
  if (known !== identity.id) await settings.set("member", { id: identity.id });
  return identity;
}

/**
 * Gives an identity to a participant that has neither one nor a ledger, and does not run. Throws `CannotStart` otherwise.
 * Its next start reads its whole stream.
 */
export async function importIdentity(
  config: IdentityConfig,
  identity: PrivateIdentity,
  { host, log }: { readonly host: Host; readonly log: Log },
): Promise<void> {
  const { dataFolder } = config;
  if (config.database === undefined) host.files.makeFolder(dataFolder);
  const file = join(dataFolder, participantStore.fileName);
  const store = await openStore({ ...config, file }, participantStore.migrations, { host, log });
  try {
    const { place, settings, known } = await findPlace(config, store, host);
    const found = await place.find();
    if (found !== null)
      throw new CannotStart(
        `${place.name} is there already, that of ${identityOf(found).id}: an identity is imported into an empty place`,
      );
    await checkNoLedger(place, store, known);
    checkIdentity(place, identity, { config, known });
    await place.keep(identity);
    await settings.set("member", { id: identityOf(identity).id });
  } finally {
    await store.close();
  }
}

async function findPlace(config: IdentityConfig, store: Store, host: Host) {
  const settings = new ParticipantSettings(store);
  const member = (await settings.find("member")) as { readonly id: string } | undefined;
  const place = config.database === undefined ? inFolder(config, host) : inDatabase(config, settings);
  return { place, settings, known: member?.id };
}

function inFolder({ dataFolder }: IdentityConfig, { files }: Host): IdentityPlace {
  return {
    name: join(dataFolder, IDENTITY_FILE),
    restore: `restore ${IDENTITY_FILE} from a backup`,
    find: async () => readIdentityFile(dataFolder, files),
    keep: async (identity) => writeIdentityFile(dataFolder, identity, files),
  };
}

function inDatabase({ database }: IdentityConfig, settings: ParticipantSettings): IdentityPlace {
  const name = `the identity in the table participant_setting of the database "${database?.database}"`;
  const restore = "restore that database whole from a backup";
  return {
    name,
    restore,
    find: async () => {
      const stored = await settings.find("identity");
      if (stored === undefined) return null;
      const identity = parseIdentity(stored);
      if (identity === null) throw new CannotStart(`${name} is damaged: ${restore}`);
      return identity;
    },
    keep: (identity) => settings.set("identity", identity),
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
  found: PrivateIdentity,
  { config, known }: { readonly config: IdentityConfig; readonly known: string | undefined },
): void {
  const { nodeIdentifier, earlierIdentifiers = [] } = config;
  const { id, nodeIdentifier: fixed } = identityOf(found);
  if (known !== undefined && known !== id)
    throw new CannotStart(
      `${place.name} is the identity of ${id}, and the store is that of ${known}: restore the identity of ${known}, ` +
        "or give this participant a store of its own",
    );
  if (![nodeIdentifier, ...earlierIdentifiers].includes(fixed))
    throw new CannotStart(
      `nodeIdentifier is ${JSON.stringify(nodeIdentifier)}, and this participant was made as ${JSON.stringify(fixed)}: ` +
        `the identifier is fixed by the first start. Configure ${JSON.stringify(fixed)}, or take another data folder or database ` +
        "for a new participant",
    );
}
