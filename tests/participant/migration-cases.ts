/** Cases of a participant that is carried over to the next migration of its network: into an empty store, once, whole or not at all. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { openStore, type PostgresConfig, type Store, silentLog, systemHost } from "@callsign/node";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { ParticipantConfig } from "../../packages/participant/src/start-participant.ts";
import { participantMigrations } from "../../packages/participant/src/store/open-participant-store.ts";
import type { Child } from "../support/child-process.ts";
import {
  ADMIN,
  AUDIENCE,
  newActor,
  newParticipant,
  ready,
  SECRET,
  type TestParticipant,
} from "../support/participants.ts";
import { type StoreKind, sharedDatabase } from "../support/postgres.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { adminClient } from "./admin-client.ts";
import { beginParticipant } from "./participant-process.ts";
import { createPreference } from "./preferences.ts";

const SCHEDULE = { cron: "0 0 * * * ?", maxDuration: "30m", retention: "48h" };
/** More than one page of them is read. */
const USERS = 600;

let sequencers: readonly string[];

type MigrationConfig = Pick<
  ParticipantConfig,
  "dataFolder" | "database" | "previousDatabase" | "migrationId" | "migrating"
>;

interface Node {
  readonly folder: string;
  readonly configOf: (migrationId: number, migrating?: boolean) => MigrationConfig;
  readonly open: (migrationId: number) => Promise<Store>;
}

export async function placeNode(
  kind: StoreKind,
  context: Parameters<typeof sharedDatabase>[1],
): Promise<Node> {
  const folder = temporaryFolder();
  const databaseOf = async (id: number): Promise<PostgresConfig | undefined> =>
    kind === "SQLite" ? undefined : sharedDatabase(`${folder} ${id}`, context);
  const databases = new Map<number, PostgresConfig | undefined>();
  for (const id of [-1, 0, 1, 2]) databases.set(id, await databaseOf(id));
  const configOf = (migrationId: number, migrating = false): MigrationConfig => {
    const [database, previousDatabase] = [databases.get(migrationId), databases.get(migrationId - 1)];
    return {
      ...{ dataFolder: folder, migrationId, migrating },
      ...(database === undefined ? {} : { database }),
      ...(previousDatabase === undefined ? {} : { previousDatabase }),
    };
  };
  const open = (id: number) => {
    const database = databases.get(id);
    const before = join(folder, `migration-${id}`, "participant.sqlite");
    const file = existsSync(before) ? before : join(folder, "participant.sqlite");
    const place = { file, ...(database === undefined ? {} : { database }) };
    return openStore(place, participantMigrations, { host: systemHost, log: silentLog });
  };
  return { folder, configOf, open };
}

/** Rows of every table that holds any, but for the version of the store. */
async function rowsOf(store: Store): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables = [
    "participant_user",
    "user_right",
    "identity_provider_config",
    "party_record",
    "participant_setting",
  ];
  const ledger = ["ledger_position", "contract", "stream_item", "completion", "party"];
  const rows: Record<string, readonly unknown[]> = {};
  for (const table of [...tables, ...ledger])
    rows[table] = await store.all(`select * from ${table} order by 1, 2`);
  return rows;
}

export async function closing<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Users with rights, written as the participant would. */
async function addUsers(store: Store): Promise<void> {
  await store.transaction(async (sql) => {
    for (let i = 0; i < USERS; i++) {
      await sql.run(
        `insert into participant_user (user_id, primary_party, is_deactivated, identity_provider_id,
          primary_party_authentication, resource_version, annotations) values ($1, '', 0, '', 0, 1, $2)`,
        `user-${i}`,
        JSON.stringify({ number: String(i) }),
      );
      for (const kind of ["CanReadAsAnyParty", "CanExecuteAsAnyParty"])
        await sql.run("insert into user_right (user_id, kind, party) values ($1, $2, '')", `user-${i}`, kind);
    }
  });
}

/** Users, rights and settings of the operator and of applications, as the API tells them. */
async function describeNode({ admin, url, participantId }: TestParticipant, party: string) {
  const users: unknown[] = [];
  let pageToken = "";
  do {
    const page = await admin.listUsers({ query: { pageSize: 1000, pageToken } });
    users.push(...page.users);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return {
    participantId,
    users,
    rights: await admin.listUserRights({ params: { "user-id": "alice" } }),
    providers: await admin.listIdentityProviderConfigs(),
    schedule: await adminClient(url).getPruningSchedule(),
    party: (await admin.getParties({ params: { party }, query: {} })).partyDetails,
  };
}

/** A participant of migration 0 that has lived a little; it is stopped. */
async function makeNode(kind: StoreKind, context: Parameters<typeof sharedDatabase>[1]) {
  const node = await placeNode(kind, context);
  const participant = await newParticipant(sequencers, node.configOf(0));
  await ready(participant);
  const { admin, url } = participant;
  const { party, client } = await newActor(participant, "alice");
  const provider = {
    identityProviderId: "acme",
    issuer: "https://login.acme.example",
    jwksUrl: "https://login.acme.example/keys",
    audience: "https://ledger.acme.example",
    isDeactivated: true,
  };
  await admin.createIdentityProviderConfig({ body: { identityProviderConfig: provider } });
  await adminClient(url).setPruningSchedule({ body: SCHEDULE });
  await adminClient(url).setSequencerConnections({ body: { urls: [...sequencers], threshold: null } });
  await client.submitAndWait({ body: createPreference(party) });
  await participant.close();
  await closing(await node.open(0), addUsers);
  return { ...node, party };
}

/** It is carried over and then waits for sequencers. */
async function startNext(node: Node, options: Partial<ParticipantConfig> = {}): Promise<TestParticipant> {
  return await newParticipant([], { ...node.configOf(1, true), ...options });
}

/** The same on every kind of store. */
export function describeMigration(kind: StoreKind): void {
  const atEnd = atEndOfFile();
  beforeAll(async () => {
    sequencers = (await startSvNodes(1, atEnd)).sequencers;
  });

  test("keys, users, rights, identity providers, records of parties and the schedule go over; the ledger stays behind", async (context) => {
    const node = await makeNode(kind, context);
    const before = await newParticipant([], node.configOf(0));
    await ready(before);
    const described = await describeNode(before, node.party);
    expect(described.users).toHaveLength(USERS + 3);
    expect(described.schedule).toEqual({ schedule: SCHEDULE });
    await before.close();
    const old = await closing(await node.open(0), rowsOf);
    const after = await startNext(node);
    expect(await after.admin.getLedgerEnd()).toEqual({ offset: 0 });
    expect(await adminClient(after.url).getSequencerConnections()).toEqual({
      ...{ urls: [], threshold: null, migrationId: 1, needed: 1 },
    });
    // The party itself comes with the new stream; its record is there.
    const { party: _, ...carried } = await describeNode(after, node.party);
    const { party: __, ...expected } = described;
    expect(carried).toEqual(expected);
    await after.close();
    const rows = await closing(await node.open(1), rowsOf);
    for (const table of ["participant_user", "user_right", "identity_provider_config", "party_record"])
      expect(rows[table]).toEqual(old[table]);
    for (const table of ["contract", "stream_item", "completion", "party"]) expect(rows[table]).toEqual([]);
    expect(old["contract"]).toHaveLength(1);
    // The store before is as it was.
    expect(await closing(await node.open(0), rowsOf)).toEqual(old);
  });

  test("another id is refused without migrating, with the remedy, and nothing is made", async (context) => {
    const node = await makeNode(kind, context);
    const start = (id: number, migrating = false) => newParticipant([], node.configOf(id, migrating));
    await expect(start(1)).rejects.toThrow(
      kind === "SQLite"
        ? /participant\.sqlite belongs to the network's migration 0, and migration\.id is 1: .*migration\.migrating: true/
        : /of migration 1 is empty, and the database "\w+" has the participant of the migration before: set migration\.migrating to true/,
    );
    await expect(start(2, true)).rejects.toThrow(
      kind === "SQLite"
        ? /participant\.sqlite is of migration 0, and migration\.migrating leads from 1 to 2/
        : /there is no store of migration 1 to carry over in the database/,
    );
    await expect(start(0, true)).rejects.toThrow(/migrating is true, and migrationId is 0/);
    expect(existsSync(join(node.folder, "migration-0"))).toBe(false);
    await (await start(1, true)).close();
    // From now on it is of migration 1, with `migrating` and without it.
    for (const migrating of [true, false]) await (await start(1, migrating)).close();
    if (kind === "SQLite")
      await expect(start(0)).rejects.toThrow(/belongs to the network's migration 1, and/);
    else await start(0);
  });

  test("a store that another process uses is not carried over", async (context) => {
    const node = await makeNode(kind, context);
    const old = await newParticipant([], node.configOf(0));
    await expect(startNext(node)).rejects.toThrow(/in use/);
    await old.close();
    await startNext(node);
  });

  test("a new participant under a later id begins there, and is not taken for one that was carried over", async (context) => {
    const node = await placeNode(kind, context);
    const made = await newParticipant([], node.configOf(1));
    const { participantId } = made;
    await made.close();
    await expect(startNext(node)).rejects.toThrow(/began under migration 1, and was not carried over/);
    const again = await newParticipant([], node.configOf(1));
    expect(again.participantId).toBe(participantId);
  });

  if (kind === "SQLite")
    test("a run that was killed between the moves of the two files is finished by the next start", async (context) => {
      const node = await makeNode(kind, context);
      const after = await startNext(node);
      const described = await describeNode(after, node.party);
      await after.close();
      const [present, unfinished] = [
        join(node.folder, "participant.sqlite"),
        join(node.folder, "migration.unfinished"),
      ];
      mkdirSync(unfinished);
      renameSync(present, join(unfinished, "participant.sqlite"));
      await expect(newParticipant([], node.configOf(0))).rejects.toThrow(/a migration to 1 was interrupted/);
      const finished = await newParticipant([], node.configOf(1));
      expect(await describeNode(finished, node.party)).toEqual(described);
      expect(existsSync(unfinished)).toBe(false);
    });

  test("a carried participant follows no sequencer of another migration", async (context) => {
    const node = await makeNode(kind, context);
    const early = await startNext(node, { sequencers });
    const reason = /serves migration 0 of its network, and this participant is of migration 1/;
    await until(() => reason.test(early.missing() ?? ""), "it says that the network is behind");
    expect(early.failure()).toBeNull();
    expect(await early.admin.getLedgerEnd()).toEqual({ offset: 0 });
  });
}

/** Killed with SIGKILL in the middle. */
export function describeKills(kind: StoreKind): void {
  const atEnd = atEndOfFile();
  beforeAll(async () => {
    sequencers = (await startSvNodes(1, atEnd)).sequencers;
  });

  test("a killed copy is repeated, and a finished one is not", { timeout: 60_000 }, async (context) => {
    const node = await makeNode(kind, context);
    const before = await newParticipant([], node.configOf(0));
    const { users } = await describeNode(before, node.party);
    await before.close();
    if (kind === "PostgreSQL") {
      await killWhileItWaits(node);
      expect(await closing(await node.open(1), countUsers)).toBe(0);
    } else {
      await killEarly(node);
      expect(existsSync(join(node.folder, "migration.unfinished"))).toBe(true);
    }
    const after = await startNext(node);
    expect((await describeNode(after, node.party)).users).toEqual(users);
    await after.admin.createUser({ body: { user: { id: "later" }, rights: [] } });
    await after.close();
    const again = await startNext(node);
    expect((await describeNode(again, node.party)).users).toHaveLength(users.length + 1);
  });
}

async function countUsers(store: Store): Promise<number> {
  return Number((await store.get("select count(*) as number from participant_user"))?.["number"]);
}

function spawnNext(node: Node): Child {
  const auth = { kind: "hs256", secret: SECRET, audience: AUDIENCE } as const;
  const config = { ...node.configOf(1, true), sequencers: [], auth, adminUsers: [ADMIN] };
  const child = beginParticipant(config);
  onTestFinished(() => child.kill());
  return child;
}

/** In the middle of its transaction the copy waits for a table of the store before. */
async function killWhileItWaits(node: Node): Promise<void> {
  const { database } = node.configOf(0);
  if (database === undefined) throw new Error("it has no database");
  const client = new pg.Client({ ...database, ssl: false });
  await client.connect();
  try {
    await client.query(`begin; lock table ${database.schema}.user_right in access exclusive mode`);
    const child = spawnNext(node);
    const waits = "select 1 from pg_locks where not granted and relation is not null";
    await until(async () => (await client.query(waits)).rows.length > 0, "the copy waits");
    await child.kill();
  } finally {
    await client.end();
  }
}

/** As soon as the new file is there. A kill that comes too late for that is tried again. */
async function killEarly({ folder, ...node }: Node): Promise<void> {
  const before = join(folder, "migration-0", "participant.sqlite");
  for (;;) {
    const child = spawnNext({ folder, ...node });
    const began = () => existsSync(join(folder, "migration.unfinished", "participant.sqlite"));
    await until(() => began() || existsSync(before), "the copy has begun");
    await child.kill();
    if (!existsSync(before)) return;
    renameSync(before, join(folder, "participant.sqlite"));
  }
}
