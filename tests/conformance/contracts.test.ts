/** ContractServiceIT: one contract by its id. */
import { beforeAll, describe, expect, test } from "vitest";
import { archive, create, newParty } from "./dummies.ts";
import { expectFailure } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
const NOWHERE = `${"00".repeat(32)}0001`;
let party: string;
let other: string;
beforeAll(async () => {
  party = await newParty(ledger);
  other = await newParty(ledger);
});

const contractOf = (contractId: string, ...queryingParties: string[]) =>
  ledger.open.getContract({ body: { contractId, queryingParties } });

describe("ContractServiceIT", () => {
  test("CSNotFound: there is none, or another party asks", async () => {
    const { contractId } = await create(ledger, party);
    for (const [id, asking] of [
      [NOWHERE, party],
      [contractId, other],
    ] as const) {
      const failure = await expectFailure(contractOf(id, asking), "CONTRACT_PAYLOAD_NOT_FOUND");
      expect([failure.status, failure.resources]).toEqual([404, [["CONTRACT_ID", id]]]);
    }
  });

  test("CSanyParty: without querying parties every contract is there, with its blob", async () => {
    const { contractId } = await create(ledger, party, other);
    const { createdEvent } = await contractOf(contractId);
    expect(createdEvent.contractId).toBe(contractId);
    expect(createdEvent.createdEventBlob).not.toBe("");
    expect(createdEvent.witnessParties).toEqual([party, other]);
    expect([createdEvent.offset, createdEvent.nodeId]).toEqual([1, 0]);
  });

  test("CSforParty: a stakeholder that reads for itself is the only witness", async () => {
    const created = await create(ledger, party, other);
    const { createdEvent } = await contractOf(created.contractId, other);
    const { createArgument, signatories, observers, createdAt, templateId } = created;
    expect(createdEvent).toMatchObject({ createArgument, signatories, observers, createdAt, templateId });
    expect(createdEvent.witnessParties).toEqual([other]);
    expect(createdEvent.createdEventBlob).not.toBe("");
  });
});

test("an archived contract is found until it is pruned", async () => {
  const { contractId } = await create(ledger, party);
  await archive(ledger, party, contractId);
  expect((await contractOf(contractId, party)).createdEvent.contractId).toBe(contractId);
});

test.each([
  ["", [], "MISSING_FIELD"],
  ["xyz", [], "INVALID_FIELD"],
  [NOWHERE, ["not@party"], "INVALID_ARGUMENT"],
])("%j for %j is refused", async (contractId, parties, code) => {
  const failure = await expectFailure(contractOf(contractId, ...parties), code);
  expect(failure.status).toBe(400);
});
