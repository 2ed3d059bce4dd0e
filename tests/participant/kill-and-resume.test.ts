/** Closed or killed at any moment and opened again: offsets stay dense, nothing is lost, nothing comes twice. */
import { cpSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { HttpError, TransportError } from "../../packages/api/src/index.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeSequencer } from "../support/faulty-sequencer.ts";
import {
  ledgerClient,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { chosenStore } from "../support/postgres.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { refusalOf } from "./call.ts";
import { createPreference, everythingOf, listActive } from "./preferences.ts";

interface Listed {
  readonly offset: number;
  readonly updateId: string;
  readonly commandId: string;
}

async function listOffsets(participant: TestParticipant, user: string, party: string) {
  const client = participant.as(user);
  const offsets: Listed[] = [];
  for (let beginExclusive = 0; ; ) {
    const { offset: endInclusive } = await client.getLedgerEnd();
    if (beginExclusive === endInclusive) return offsets;
    const updates = await client.listUpdates({
      query: { limit: 200n },
      body: {
        beginExclusive,
        endInclusive,
        updateFormat: {
          includeTransactions: {
            eventFormat: everythingOf(party),
            transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
          },
          includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [party] } },
        },
      },
    });
    const found: Listed[] = [];
    for (const { update } of updates) {
      if ("Transaction" in update) found.push(update.Transaction.value);
      if ("TopologyTransaction" in update) found.push({ ...update.TopologyTransaction.value, commandId: "" });
    }
    offsets.push(...found);
    const last = found.at(-1);
    if (last === undefined || found.length < 200) return offsets;
    beginExclusive = last.offset;
  }
}

test("every acknowledged creation is there once, after each of many restarts", async () => {
  const { sequencers } = await startSvNodes(4);
  const dataFolder = temporaryFolder();
  const acknowledged = new Set<string>();
  let alice = { party: "", user: "alice" };
  let sent = 0;
  for (let round = 0; round < 6; round++) {
    const participant = await newParticipant(sequencers, { dataFolder });
    await ready(participant);
    if (round === 0) alice = await newActor(participant, "alice");
    const client = ledgerClient(participant.url, "alice");
    const working = Array.from({ length: 10 }, async () => {
      for (;;) {
        const commandId = `restart-${++sent}`;
        try {
          await client.submitAndWait({ body: createPreference(alice.party, { commandId }) });
          acknowledged.add(commandId);
        } catch (error) {
          if (error instanceof TransportError || (error instanceof HttpError && error.status === 503)) return;
          throw error;
        }
      }
    });
    const goal = acknowledged.size + 10 + round * 7;
    await until(() => acknowledged.size >= goal, "enough was acknowledged");
    await participant.close();
    await Promise.all(working);
  }
  const participant = await newParticipant(sequencers, { dataFolder });
  await ready(participant);
  const updates = await listOffsets(participant, "alice", alice.party);
  expect(updates.map(({ offset }) => offset)).toEqual(updates.map((_, i) => i + 1));
  expect(new Set(updates.map(({ updateId }) => updateId)).size).toBe(updates.length);
  const commands = updates.map(({ commandId }) => commandId).filter((id) => id !== "");
  expect(new Set(commands).size).toBe(commands.length);
  expect([...acknowledged].filter((id) => !commands.includes(id))).toEqual([]);
  const { offset } = await participant.as("alice").getLedgerEnd();
  expect(offset).toBe(updates.length);
});

test("a second participant on the same folder is refused", async () => {
  const { sequencers } = await startSvNodes(1);
  const dataFolder = temporaryFolder();
  await newParticipant(sequencers, { dataFolder });
  await expect(newParticipant(sequencers, { dataFolder })).rejects.toThrow(/in use/);
});

test("transactions during a participant's downtime are there after its restart", async () => {
  const { sequencers } = await startSvNodes(1);
  const dataFolder = temporaryFolder();
  const first = await newParticipant(sequencers, { dataFolder });
  const other = await newParticipant(sequencers, { nodeIdentifier: "other" });
  await Promise.all([ready(first), ready(other)]);
  const alice = await newActor(first, "alice");
  const bob = await newActor(other, "bob");
  await first.close();
  for (let i = 0; i < 3; i++) {
    await bob.client.submitAndWait({ body: createPreference(bob.party, { provider: alice.party }) });
  }
  const again = await newParticipant(sequencers, { dataFolder });
  await ready(again);
  const seen = await listActive(again.as("alice"), alice.party);
  expect(seen).toHaveLength(3);
  expect(again.participantId).toBe(first.participantId);
});

/**
 * Kills a participant while the network has an entry of its and no answer has come: `begin` sends the entry. Resolves with
 * the participant that takes its place, and with the outcome of `prepare`.
 */
async function killDuring<T>(
  prepare: (participant: TestParticipant) => Promise<T>,
  begin: (participant: TestParticipant, prepared: T) => Promise<unknown>,
) {
  const { sequencers, svs } = await startSvNodes(1);
  const sequencer = await beforeSequencer(sequencers[0] ?? "", onTestFinished);
  const dataFolder = temporaryFolder();
  const first = await newParticipant([sequencer.url], { dataFolder });
  await ready(first);
  const prepared = await prepare(first);
  const headBefore = svs[0]?.replica.state.head.sequence ?? 0;
  sequencer.behave("lag");
  const unanswered = begin(first, prepared).catch(() => undefined);
  await until(() => (svs[0]?.replica.state.head.sequence ?? 0) > headBefore, "the network has it");
  // A copy of the folder while the participant runs is the state after a kill.
  const left = temporaryFolder();
  cpSync(dataFolder, left, { recursive: true });
  await first.close();
  await unanswered;
  sequencer.behave("honest");
  const again = await newParticipant([sequencer.url], { dataFolder: left });
  await ready(again);
  return { again, prepared };
}

test("a submission's workflow, id and trace survive a kill before its completion", async ({ skip }) => {
  skip(chosenStore !== "SQLite", "the files of a kill are copied, and a server has none");
  const { again, prepared: alice } = await killDuring(
    (participant) => newActor(participant, "alice"),
    (_, { party, client }) =>
      client.submitAndWait({
        body: createPreference(party, { workflowId: "my-flow", submissionId: "my-own" }),
      }),
  );
  const includeTransactions = {
    eventFormat: everythingOf(alice.party),
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
  };
  const [update] = await again
    .as("alice")
    .listUpdates({ body: { beginExclusive: 0, updateFormat: { includeTransactions } } });
  expect(update).toMatchObject({ update: { Transaction: { value: { workflowId: "my-flow" } } } });
  const [completion] = await again
    .as("alice")
    .listCompletions({ body: { userId: "alice", parties: [alice.party], beginExclusive: 0 } });
  expect(completion).toMatchObject({
    completionResponse: { Completion: { value: { submissionId: "my-own" } } },
  });
});

test("an allocation that a kill cut short is ended by asking again, for the same user", async ({ skip }) => {
  skip(chosenStore !== "SQLite", "the files of a kill are copied, and a server has none");
  const body = { partyIdHint: "alice", userId: "alice" };
  const { again } = await killDuring(
    async ({ admin }) => {
      for (const id of ["alice", "bob"]) await admin.createUser({ body: { user: { id }, rights: [] } });
    },
    ({ admin }) => admin.allocateParty({ body }),
  );
  const { admin } = again;
  const others = await refusalOf(admin.allocateParty({ body: { ...body, userId: "bob" } }));
  expect(others.cause).toContain("Party already exists");
  const { party } = (await admin.allocateParty({ body })).partyDetails;
  expect(await admin.listUserRights({ params: { "user-id": "alice" } })).toEqual({
    rights: [{ kind: { CanActAs: { value: { party } } } }],
  });
  expect((await refusalOf(admin.allocateParty({ body }))).cause).toContain("Party already exists");
});
