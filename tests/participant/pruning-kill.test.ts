/** Killed in the middle of a prune: readers are refused what is pruned, and the rest goes after the restart. */
import { openStore, type StorePlace, silentLog, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { participantMigrations } from "../../packages/participant/src/store/open-participant-store.ts";
import { ADMIN, AUDIENCE, type LedgerClient, ledgerClient, SECRET } from "../support/participants.ts";
import { type StoreKind, storeIn, TESTED_STORES } from "../support/postgres.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { adminClient } from "./admin-client.ts";
import { refusalOf } from "./call.ts";
import { spawnParticipant } from "./participant-process.ts";
import { createPreference, everythingOf, listActive, PREFERENCE } from "./preferences.ts";

/** Rows that should have been removed. The participant does not run. */
async function countLeft(file: string, store: Omit<StorePlace, "file">, prunedUpTo: number): Promise<number> {
  const parts = { host: systemHost, log: silentLog };
  const database = await openStore({ ...store, file }, participantMigrations, parts);
  try {
    const row = await database.get(
      `select (select count(*) from contract where archived_offset <= $1)
        + (select count(*) from stream_item where ledger_offset <= $1) as rows`,
      prunedUpTo,
    );
    return Number(row?.["rows"]);
  } finally {
    await database.close();
  }
}

/** A prune takes longer on a server. */
const BATCHES: Readonly<Record<StoreKind, number>> = { SQLite: 3, PostgreSQL: 1 };

/** Creates many contracts and archives them; answers an offset behind that. */
async function makeHistory(alice: LedgerClient, party: string, batches: number): Promise<number> {
  const one = createPreference(party);
  const kept = await listActive(alice, party);
  for (let i = 0; i < batches; i++) {
    const commands = Array.from({ length: 180 }, () => one.commands).flat();
    await alice.submitAndWait({ body: { ...createPreference(party), commands } });
    const archivals = (await listActive(alice, party)).slice(kept.length).flatMap(({ contractEntry }) => {
      if (!("JsActiveContract" in contractEntry)) return [];
      const { contractId } = contractEntry.JsActiveContract.createdEvent;
      const exercise = { templateId: PREFERENCE, contractId, choice: "Archive", choiceArgument: {} };
      return [{ ExerciseCommand: exercise }];
    });
    expect(archivals).toHaveLength(180);
    await alice.submitAndWait({ body: { ...createPreference(party), commands: archivals } });
  }
  return (await alice.submitAndWait({ body: createPreference(party) })).completionOffset - 1;
}

test.for(TESTED_STORES)(
  "a prune cut short by kills is finished, and nothing else is lost: %s",
  async (kind, context) => {
    const { sequencers } = await startSvNodes(1);
    const dataFolder = temporaryFolder();
    const store = await storeIn(dataFolder, kind, context);
    const left = (prunedUpTo: number) => countLeft(`${dataFolder}/participant.sqlite`, store, prunedUpTo);
    const auth = { kind: "hs256", secret: SECRET, audience: AUDIENCE } as const;
    const config = { dataFolder, ...store, sequencers, auth, adminUsers: [ADMIN] };
    let running = await spawnParticipant(config);
    onTestFinished(() => running.kill());
    const admin = ledgerClient(running.url, ADMIN);
    await admin.createUser({ body: { user: { id: "alice" }, rights: [] } });
    const { partyDetails } = await admin.allocateParty({ body: { partyIdHint: "alice", userId: "alice" } });
    const { party } = partyDetails;
    let offset = 0;
    let rounds = 0;
    // On a slow day the prune is done before the kill comes.
    for (let rows = 0; rows === 0; rounds++) {
      expect(rounds).toBeLessThan(5);
      if (rounds > 0) running = await spawnParticipant(config);
      offset = await makeHistory(ledgerClient(running.url, "alice"), party, BATCHES[kind] * (rounds + 1));
      const { url } = running;
      const pruning = adminClient(url)
        .prune({ body: { offset } })
        .catch(() => undefined);
      await until(async () => {
        const pruned = await ledgerClient(url, ADMIN).getLatestPrunedOffsets();
        return pruned.participantPrunedUpToInclusive === offset;
      }, "it has begun");
      await running.kill();
      await pruning;
      rows = await left(offset);
    }

    running = await spawnParticipant(config);
    const again = ledgerClient(running.url, "alice");
    expect(await again.getLatestPrunedOffsets()).toMatchObject({ participantPrunedUpToInclusive: offset });
    const refused = await refusalOf(
      again.listActiveContracts({ body: { activeAtOffset: offset - 1, eventFormat: everythingOf(party) } }),
    );
    expect(refused.code).toBe("PARTICIPANT_PRUNED_DATA_ACCESSED");
    const status = () => adminClient(running.url).getPruningStatus();
    await until(async () => !(await status()).isRunning, "the rest is gone");
    // It follows on, and what is active is there.
    await again.submitAndWait({ body: createPreference(party) });
    expect(await listActive(again, party)).toHaveLength(rounds + 1);
    // A kill may bring the last removed rows back, unless a later write is on disk.
    await ledgerClient(running.url, ADMIN).createUser({ body: { user: { id: "bob" }, rights: [] } });
    await running.kill();
    expect(await left(offset)).toBe(0);
  },
);
