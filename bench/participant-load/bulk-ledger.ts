/**
 * A participant's database made in bulk: parties, each with ten coins, stored as the participant itself stores what
 * its sequencers agree on. Every second coin is archived again.
 */

import { join } from "node:path";
import { openDatabase, systemHost } from "@callsign/node";
import type { StreamEvent, StreamItem } from "../../packages/api/src/index.ts";
import { Amulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { contractIdOf } from "../../packages/ledger/src/engine/contract.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import { testParty } from "../../packages/ledger/testing/sandbox.ts";
import { sha256 } from "../../packages/node/src/identity/keys.ts";
import { openIdentity } from "../../packages/participant/src/open-identity.ts";
import { LedgerStore } from "../../packages/participant/src/store/ledger-store.ts";
import { openParticipantStore } from "../../packages/participant/src/store/open-participant-store.ts";
import { UserStore } from "../../packages/participant/src/store/user-store.ts";

export const COINS_PER_PARTY = 10;
const PARTIES_PER_BATCH = 100;
const BEGIN = 1_767_225_600_000_000n;
export const READER = "reader";
export const NODE_IDENTIFIER = "bulk";

export interface BulkLedger {
  readonly parties: readonly string[];
  readonly contractIds: readonly string[];
  readonly updateIds: readonly string[];
}

function databaseIn(folder: string): string {
  return join(folder, "participant.sqlite");
}

export async function makeLedger(folder: string, count: number): Promise<BulkLedger> {
  const store = await openParticipantStore(openDatabase(databaseIn(folder)));
  // A store with a ledger belongs to an identity.
  await openIdentity({ dataFolder: folder, nodeIdentifier: NODE_IDENTIFIER }, store, systemHost);
  const ledger = new LedgerStore(store);
  await ledger.open();
  await ledger.keepNetwork({ network: "bulk", synchronizerId: "global::1220aa", dso: testParty("dso") });
  const made = { parties: [] as string[], contractIds: [] as string[], updateIds: [] as string[] };
  let offset = 0;
  for (let first = 0; first < count; first += PARTIES_PER_BATCH) {
    const items: { offset: number; digest: string; body: string; cause: null }[] = [];
    const add = (item: StreamItem) =>
      items.push({ offset: ++offset, digest: sha256(`${offset}`), body: JSON.stringify(item), cause: null });
    for (let i = first; i < Math.min(count, first + PARTIES_PER_BATCH); i++) {
      const party = testParty(`bulk-${String(i).padStart(6, "0")}`);
      made.parties.push(party);
      const time = String(BEGIN + BigInt(offset) * 1_000_000n);
      add({ recordTime: time, completion: null, update: null, hostings: [{ party, hosted: true }] });
      const created = Array.from({ length: COINS_PER_PARTY }, (_, coin) => createdBy(party, i, coin, time));
      made.contractIds.push(...created.map(({ contractId }) => contractId));
      made.updateIds.push(...[updateOf(add, time, `created ${i}`, created)]);
      const archived = created.filter((_, coin) => coin % 2 === 0).map(archiveOf);
      made.updateIds.push(...[updateOf(add, time, `archived ${i}`, archived)]);
    }
    await ledger.ingest(items);
  }
  const right = { kind: "CanReadAsAnyParty", party: "" } as const;
  await new UserStore(store, systemHost.clock).create(
    {
      ...{ id: READER, primaryParty: "", isDeactivated: false, identityProviderId: "" },
      ...{ primaryPartyAuthentication: false, resourceVersion: 0n, annotations: {} },
    },
    [right, { kind: "ParticipantAdmin", party: "" }],
  );
  await store.close();
  return made;
}

function updateOf(
  add: (item: StreamItem) => void,
  recordTime: string,
  what: string,
  events: readonly StreamEvent[],
): string {
  const updateId = `1220${sha256(what)}`;
  add({ recordTime, completion: null, hostings: [], update: { updateId, ledgerTime: recordTime, events } });
  return updateId;
}

function createdBy(party: string, i: number, coin: number, createdAt: string) {
  const dso = testParty("dso");
  const amount = {
    initialAmount: decimal(`${i + 1}.5`),
    createdAt: { number: 1n },
    ratePerRound: { rate: decimal("0.00380518") },
  };
  const payload = Amulet.record.encode({ dso, owner: party as typeof dso, amount });
  const content = { templateId: Amulet.id, payload, createdAt: timeFromMicros(BigInt(createdAt)) };
  return {
    kind: "created" as const,
    nodeId: coin,
    contractId: contractIdOf(sha256, sha256(`coin ${coin} of ${i}`), content),
    templateId: Amulet.id,
    signatories: [dso, party],
    observers: [],
    witnesses: [party],
    acsDelta: true,
    payload,
    createdAt,
  };
}

function archiveOf(created: ReturnType<typeof createdBy>, nodeId: number): StreamEvent {
  const { kind: _, payload: __, createdAt: ___, ...frame } = created;
  return {
    ...frame,
    nodeId,
    kind: "exercised",
    lastDescendant: nodeId,
    interfaceId: null,
    choice: "Archive",
    consuming: true,
    actingParties: created.signatories,
    argument: "{}",
    result: "{}",
  };
}
