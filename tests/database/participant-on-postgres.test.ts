// A participant, and the copy of a validator on it, whose PostgreSQL server crashes or goes away: 503 while it is gone, and
// afterwards every acknowledged command is there once. Its identity is in the database.

import { HttpError } from "@callsign/api";
import { RenewalPreference } from "@callsign/ledger";
import { openStore, silentLog, systemHost } from "@callsign/node";
import { beforeAll, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { LedgerFollower } from "../../packages/validator/src/follower/ledger-follower.ts";
import { LedgerClock } from "../../packages/validator/src/ledger/ledger-clock.ts";
import { ParticipantClient } from "../../packages/validator/src/ledger/participant-client.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { WalletStore } from "../../packages/validator/src/store/wallet-store.ts";
import { createPreference, everythingOf, listActive } from "../participant/preferences.ts";
import {
  type Actor,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
  tokenFor,
} from "../support/participants.ts";
import { ownServer } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { startSvNodes } from "../support/sv-nodes.ts";

const atEnd = atEndOfFile();
let server: PostgresServer;
let sequencers: readonly string[];
let participant: TestParticipant;
let alice: Actor;

beforeAll(async () => {
  // Commits that need not be on disk stay in the server's memory for ten seconds: a crash of its processes loses them.
  server = await ownServer({ settings: { wal_writer_delay: "10s" } }, atEnd);
  ({ sequencers } = await startSvNodes(1, atEnd));
  participant = await newParticipant(sequencers, { database: server.config("participant") }, atEnd);
  await ready(participant);
  alice = await newActor(participant, "alice");
});

const submit = (commandId: string) =>
  alice.client.submitAndWait({ body: createPreference(alice.party, { commandId }) });

async function listCommands(): Promise<readonly string[]> {
  const includeTransactions = {
    eventFormat: everythingOf(alice.party),
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
  };
  const updates = await alice.client.listUpdates({
    body: { beginExclusive: 0, updateFormat: { includeTransactions } },
  });
  return updates.flatMap(({ update }) =>
    "Transaction" in update ? [update.Transaction.value.commandId] : [],
  );
}

const storedEnd = async () =>
  Number(await server.sql("select ledger_offset from callsign.ledger_position", "participant"));

async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 200,
    (error: unknown) => (error instanceof HttpError ? error.status : 0),
  );
}

/**
 * Acts and crashes the server until that loses commits: one in its memory may come to disk just before. `act` answers the
 * offset that it has reached, which is answered again.
 */
async function crashAndLose(act: () => Promise<number>, storedEnd: () => Promise<number>): Promise<number> {
  for (;;) {
    await until(async () => (await statusOf(act())) === 200, "it works");
    const reached = await act();
    await server.stop("SIGKILL");
    await server.start();
    if ((await storedEnd()) < reached) return reached;
  }
}

test("commits that a crash of the server loses are read again from the network", async () => {
  const sent: string[] = [];
  const act = async () => {
    const commandId = `command ${sent.length}`;
    await submit(commandId);
    sent.push(commandId);
    return (await alice.client.getLedgerEnd()).offset;
  };
  const reached = await crashAndLose(act, storedEnd);
  await until(
    async () => participant.isReady() && (await storedEnd()) >= reached,
    "the stream is whole again",
  );
  expect(await listCommands()).toEqual(sent);
  await act();
  expect(await listCommands()).toEqual(sent);
  expect(await listActive(alice.client, alice.party)).toHaveLength(sent.length);
  expect((await alice.client.getLedgerEnd()).offset).toBeGreaterThan(reached);
});

test("commits of a validator's copy that a crash loses are read again from its participant", async () => {
  const place = { database: server.config("validator"), file: "" };
  const opened = await openStore(place, walletMigrations, { host: systemHost, log: silentLog });
  const store = new WalletStore(opened);
  const user = { userId: "alice", token: () => tokenFor("alice") };
  const client = new ParticipantClient({ url: participant.url, ...user, host: systemHost });
  const parts = { participant: client, store, clock: new LedgerClock(), host: systemHost, log: silentLog };
  const follower = await LedgerFollower.open(parts, [alice.party], "the DSO");
  const storedOffset = async () =>
    Number(await server.sql("select ledger_offset from callsign.position where id = 1", "validator"));
  let sent = 0;
  const act = async () => {
    await submit(`copied ${sent++}`);
    const { offset } = await alice.client.getLedgerEnd();
    expect(await follower.waitFor(offset, 60_000)).toBe(true);
    return offset;
  };
  const copied = async () => (await store.list(RenewalPreference, { owner: alice.party })).length;
  const active = async () => (await listActive(alice.client, alice.party)).length;
  try {
    const reached = await crashAndLose(act, storedOffset);
    await until(async () => (await storedOffset()) >= reached, "the copy is whole again");
    await ready(participant);
    expect(await copied()).toBe(await active());
    await until(async () => (await statusOf(act())) === 200, "it goes on");
    expect(await copied()).toBe(await active());
    expect(follower.missing).toBeNull();
  } finally {
    client.close();
    await follower.close();
    await opened.close();
  }
});

test("without its server it answers 503 and is not ready; then it goes on by itself", async () => {
  const before = await listCommands();
  await server.stop("SIGINT");
  const body = { user: { id: "late" }, rights: [] };
  expect(await statusOf(listCommands())).toBe(503);
  expect(await statusOf(participant.admin.createUser({ body }))).toBe(503);
  expect(await statusOf(submit("during"))).toBe(503);
  await until(() => !participant.isReady(), "it says that it is not ready");
  await until(() => participant.missing() === "the database does not answer", "it names the reason");
  expect((await fetch(`${participant.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${participant.url}/livez`)).status).toBe(200);
  await server.start();
  await ready(participant);
  await until(async () => (await statusOf(submit("after"))) === 200, "commands succeed again");
  expect(await listCommands()).toEqual([...before, "after"]);
  expect(await statusOf(participant.admin.createUser({ body }))).toBe(200);
});

test("the identity is in the database: another folder makes no difference, and its loss is told", async () => {
  await participant.close();
  const database = server.config("participant");
  const again = await newParticipant(sequencers, { database, dataFolder: temporaryFolder() });
  await ready(again);
  expect(again.participantId).toBe(participant.participantId);
  expect(await listActive(again.as("alice"), alice.party)).not.toEqual([]);
  await again.close();
  await server.sql("delete from callsign.participant_setting where setting = 'identity'", "participant");
  await expect(newParticipant(sequencers, { database })).rejects.toThrow(
    /the identity in the table participant_setting of the database "participant" is missing, and the store has the stream of .* up to offset \d+: restore that database whole/,
  );
});
