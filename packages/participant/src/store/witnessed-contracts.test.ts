/** Contracts that a party of ours sees and has no part in: looked up only if they came and went before its eyes. */

import type { StreamEvent, StreamItem } from "@callsign/api";
import { openDatabase } from "@callsign/node";
import { expect, test } from "vitest";
import { listActiveContracts } from "./active-contracts.ts";
import { LedgerStore } from "./ledger-store.ts";
import { openParticipantStore } from "./open-participant-store.ts";

/** Contracts of a party that another participant hosts. */
function frame(nodeId: number, contractId: string, signatory = "elsewhere") {
  return {
    ...{ nodeId, contractId, templateId: "T", observers: [], signatories: [signatory] },
    ...{ witnesses: ["alice"], acsDelta: false },
  };
}

function created(nodeId: number, contractId: string, signatory?: string): StreamEvent {
  return { kind: "created", payload: "[]", createdAt: "1", ...frame(nodeId, contractId, signatory) };
}

function exercised(nodeId: number, contractId: string, consuming: boolean): StreamEvent {
  return {
    ...{ kind: "exercised", lastDescendant: nodeId, interfaceId: null, choice: "C", consuming },
    ...{ actingParties: ["alice"], argument: "[]", result: "[]", ...frame(nodeId, contractId) },
  };
}

test("a witnessed contract of one transaction has both events for a reader for any party, and is never active", async () => {
  const store = await openParticipantStore(openDatabase(":memory:"));
  const ledger = new LedgerStore(store);
  await ledger.open();
  const events = [
    created(0, "came and went"),
    exercised(1, "came and went", true),
    created(2, "came"),
    exercised(3, "came", false),
    created(4, "held", "alice"),
  ];
  const update = { updateId: "u", ledgerTime: "1", events };
  const item: StreamItem = { recordTime: "1", completion: null, update, hostings: [] };
  await ledger.ingest([{ offset: 1, digest: "d", body: JSON.stringify(item), cause: null }]);
  expect(await ledger.findContract("came and went")).toMatchObject({
    ...{ signatories: ["elsewhere"], stakeholders: [], activated: false },
    ...{ offset: 1, nodeId: 0, archived: { offset: 1, nodeId: 1 } },
  });
  expect(await ledger.findContract("came")).toBeUndefined();
  expect((await ledger.findContract("held"))?.stakeholders).toEqual(["alice"]);
  const selections = [{ party: null, templateId: null }];
  expect(await listActiveContracts(ledger, { selections, activeAt: 1, after: -1n, limit: 9 })).toEqual([]);
  await store.close();
});
