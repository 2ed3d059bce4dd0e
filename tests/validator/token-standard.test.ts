// Coin by the token standard, from one validator's wallet to another's: transfers, allocations, and their place in the history.

import type { TransactionItem } from "@callsign/api";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { fresh } from "../support/fresh.ts";
import { compareWithBalance, historyOf } from "../support/history.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let alices: ValidatorClient;
let bobs: ValidatorClient;
let alice: string;
let bob: string;
let dso: string;

beforeAll(async () => {
  // As in Splice's images: coin of a transfer that nobody answered stays locked.
  network = await LocalNetwork.start({
    pausedAutomations: ["record-liveness", "expire-transfer-instructions"],
  });
  [alices, bobs] = [network.validator("app-user"), network.validator("app-provider")];
  [alice, bob] = [await network.party("app-user"), await network.party("app-provider")];
  dso = (await alices.scanProxyGetDsoPartyId()).dso_party_id;
  await alices.tap({ body: { amount: "5" } });
});
afterAll(() => network?.close());

afterEach(async () => {
  await network.settle();
  for (const wallet of [alices, bobs]) {
    const { sum, balance } = await compareWithBalance(wallet);
    expect(sum).toBe(balance);
  }
});

const inTime = (microseconds: bigint) => Number(network.net.now() + microseconds);
const says = (text: string | RegExp) => ({ error: expect.stringMatching(text) });
const CID = expect.stringMatching(/^00[0-9a-f]+$/);

function transfer(
  change: Partial<Parameters<ValidatorClient["createTokenStandardTransfer"]>[0]["body"]> = {},
) {
  return {
    body: {
      receiver_party_id: bob,
      amount: "10.0",
      description: "for the tickets",
      expires_at: inTime(HOUR),
      tracking_id: fresh("tokens"),
      ...change,
    },
  };
}

/** A transfer that waits for Bob. */
async function offered(change: Parameters<typeof transfer>[0] = {}) {
  const request = transfer(change);
  const { output } = await alices.createTokenStandardTransfer(request);
  if (!("transfer_instruction_cid" in output)) throw new Error("the transfer did not wait");
  await network.settle();
  return { request, byContract: { params: { contract_id: output.transfer_instruction_cid } } };
}

async function coins(wallet: ValidatorClient): Promise<readonly [number, number]> {
  await network.settle();
  const { effective_unlocked_qty, effective_locked_qty } = await wallet.getBalance();
  return [Number(effective_unlocked_qty), Number(effective_locked_qty)];
}

async function lastOf(wallet: ValidatorClient): Promise<TransactionItem> {
  const [item] = await historyOf(wallet);
  return item ?? expect.fail("the history is empty");
}

describe("a transfer to a receiver without a preapproval", () => {
  test("is locked, shows to both, and is handed over when the receiver accepts it", async () => {
    const [[unlocked], [bobsCoin]] = [await coins(alices), await coins(bobs)];
    const request = transfer();
    const created = await alices.createTokenStandardTransfer(request);
    expect(created).toEqual({
      output: { transfer_instruction_cid: CID },
      sender_change_cids: [CID],
      meta: {
        "splice.lfdecentralizedtrust.org/sender": alice,
        "splice.lfdecentralizedtrust.org/tx-kind": "transfer",
      },
    });
    const contract_id =
      "transfer_instruction_cid" in created.output ? created.output.transfer_instruction_cid : "";
    expect(await coins(alices)).toEqual([unlocked - 10, 10]);
    const [seen] = (await bobs.listTokenStandardTransfers()).transfers;
    expect(seen).toMatchObject({
      contract_id,
      template_id: expect.stringMatching(/:Splice\.AmuletTransferInstruction:AmuletTransferInstruction$/),
      payload: {
        transfer: {
          ...{ sender: alice, receiver: bob, instrumentId: { admin: dso, id: "Amulet" } },
          meta: { values: { "splice.lfdecentralizedtrust.org/reason": "for the tickets" } },
        },
      },
    });
    expect((await alices.listTokenStandardTransfers()).transfers).toEqual([seen]);
    expect(await lastOf(bobs)).toMatchObject({
      transaction_subtype: { choice: "TransferFactory_Transfer" },
      sender: { party: alice, amount: "0.0000000000" },
      ...{ transfer_instruction_cid: contract_id, description: "for the tickets" },
    });
    const accepted = await bobs.acceptTokenStandardTransfer({ params: { contract_id } });
    expect(accepted).toEqual({
      output: { receiver_holding_cids: [CID] },
      sender_change_cids: [],
      meta: created.meta,
    });
    expect([await coins(alices), await coins(bobs)]).toEqual([
      [unlocked - 10, 0],
      [bobsCoin + 10, 0],
    ]);
    expect(await alices.listTokenStandardTransfers()).toEqual({ transfers: [] });
    expect(await lastOf(bobs)).toMatchObject({
      transaction_subtype: { choice: "TransferInstruction_Accept" },
      receivers: [{ party: bob, amount: "10.0000000000" }],
    });
    // Each repeated call gets its first answer, and no coin moves.
    expect(await alices.createTokenStandardTransfer(request)).toEqual(created);
    expect(await bobs.acceptTokenStandardTransfer({ params: { contract_id } })).toEqual(accepted);
    expect(await coins(bobs)).toEqual([bobsCoin + 10, 0]);
  });

  test("is rejected by the receiver alone and withdrawn by the sender alone, and the coin comes back", async () => {
    const before = await coins(alices);
    const [rejected, withdrawn] = [await offered(), await offered()];
    for (const attempt of [
      () => alices.acceptTokenStandardTransfer(rejected.byContract),
      () => alices.rejectTokenStandardTransfer(rejected.byContract),
      () => bobs.withdrawTokenStandardTransfer(withdrawn.byContract),
    ])
      expect(await outcomeOf(attempt())).toMatchObject({ status: 404, body: says(/^Contract id not found/) });
    const back = { output: {}, sender_change_cids: [CID], meta: {} };
    expect(await bobs.rejectTokenStandardTransfer(rejected.byContract)).toEqual(back);
    expect(await alices.withdrawTokenStandardTransfer(withdrawn.byContract)).toEqual(back);
    expect(await coins(alices)).toEqual(before);
    const [second, first] = await historyOf(alices);
    expect([first, second]).toMatchObject([
      { transaction_subtype: { choice: "TransferInstruction_Reject" } },
      { transaction_subtype: { choice: "TransferInstruction_Withdraw" } },
    ]);
    expect((await outcomeOf(bobs.acceptTokenStandardTransfer(rejected.byContract))).status).toBe(404);
    expect(await bobs.rejectTokenStandardTransfer(rejected.byContract)).toEqual(back);
  });

  test("is too late after its time; its coin pays the next one", async () => {
    const [unlocked] = await coins(alices);
    const { byContract } = await offered({ amount: "100.0" });
    await network.net.moveClock(2n * HOUR);
    await network.settle();
    expect((await outcomeOf(bobs.acceptTokenStandardTransfer(byContract))).status).not.toBe(200);
    expect(await coins(alices)).toEqual([unlocked - 100, 100]);
    const next = await offered({ amount: `${unlocked - 1}.0` });
    await alices.withdrawTokenStandardTransfer(next.byContract);
    expect(await coins(alices)).toEqual([unlocked, 0]);
  });
});

test("a receiver with a preapproval gets the coin at once, and a wallet splits its own coin", async () => {
  await network.tap("app-provider", "10");
  await bobs.createTransferPreapproval();
  await network.settle();
  const [[unlocked], [bobsCoin]] = [await coins(alices), await coins(bobs)];
  const { output } = await alices.createTokenStandardTransfer(transfer({ description: "" }));
  expect(output).toEqual({ receiver_holding_cids: [CID] });
  expect([await coins(alices), await coins(bobs)]).toEqual([
    [unlocked - 10, 0],
    [bobsCoin + 10, 0],
  ]);
  const own = await alices.createTokenStandardTransfer(transfer({ receiver_party_id: alice }));
  expect(own.output).toEqual({ receiver_holding_cids: [CID] });
  expect(await coins(alices)).toEqual([unlocked - 10, 0]);
});

test("too little coin says how much is missing, at once; a wallet without coin as well", async () => {
  const [unlocked] = await coins(alices);
  const rich = transfer({ amount: `${unlocked + 7}.0` });
  const missing = { status: 400, body: says(/^Not enough coin: 7\.0 more is needed/) };
  expect(await outcomeOf(alices.createTokenStandardTransfer(rich))).toMatchObject(missing);
  // Nothing was sent: the same tracking id is free for a smaller amount.
  const poor = await network.makeUser("poor");
  const validator = await network.startValidator(["app-user", "poor"], "poor");
  const poors = validatorClient(validator.url, poor.token);
  expect(await outcomeOf(poors.createTokenStandardTransfer(transfer({ amount: "3.5" })))).toMatchObject({
    ...{ status: 400, body: says(/^Not enough coin: 3\.5 more is needed/) },
  });
  expect(await outcomeOf(poors.allocateAmulet(allocation({ amount: "2.0" })))).toMatchObject({
    ...{ status: 400, body: says(/^Not enough coin: 2\.0 more is needed/) },
  });
  await validator.close();
});

test("terms that could only fail are refused, and so is a tracking id with other content", async () => {
  const request = transfer();
  await alices.createTokenStandardTransfer(request);
  const other = { body: { ...request.body, amount: "11.0" } };
  expect(await outcomeOf(alices.createTokenStandardTransfer(other))).toMatchObject({
    ...{
      status: 409,
      body: says(`^Token standard transfer with tracking_id ${request.body.tracking_id} already exists`),
    },
  });
  const refused: readonly [number, RegExp, Parameters<typeof transfer>[0]][] = [
    [400, /^amount: 0 is not allowed/, { amount: "0" }],
    [400, /^expires_at: .* is over/, { expires_at: 1 }],
    [400, /^receiver_party_id/, { receiver_party_id: "nobody" }],
    [404, /^No participant of this network hosts/, { receiver_party_id: bob.replace(/^[^:]+/, "nobody") }],
    [400, /^description has at most/, { description: "x".repeat(2001) }],
    [400, /^tracking_id/, { tracking_id: "\u0000" }],
  ];
  for (const [status, text, change] of refused)
    expect(await outcomeOf(alices.createTokenStandardTransfer(transfer(change)))).toMatchObject({
      ...{ status, body: says(text) },
    });
});

function allocation(
  change: { amount?: string; id?: string; allocate_before?: number; requested_at?: number } = {},
) {
  const { amount = "10.0", id = fresh("settlement"), ...times } = change;
  return {
    body: {
      settlement: {
        ...{ executor: bob, settlement_ref: { id }, meta: { "example.com/note": "Saturday" } },
        ...{ requested_at: inTime(0n), allocate_before: inTime(HOUR), settle_before: inTime(2n * HOUR) },
        ...times,
      },
      ...{ transfer_leg_id: "leg 0", transfer_leg: { receiver: bob, amount } },
    },
  };
}

describe("an allocation", () => {
  test("locks the coin of a leg, once, and is withdrawn by its sender", async () => {
    const [unlocked] = await coins(alices);
    const request = allocation();
    const made = await alices.allocateAmulet(request);
    expect(made).toMatchObject({ output: { allocation_cid: CID }, sender_change_cids: [CID] });
    const contract_id = "allocation_cid" in made.output ? made.output.allocation_cid : "";
    expect(await coins(alices)).toEqual([unlocked - 10, 10]);
    expect(await alices.allocateAmulet(request)).toEqual(made);
    expect(await coins(alices)).toEqual([unlocked - 10, 10]);
    const { allocations } = await alices.listAmuletAllocations();
    expect(allocations).toMatchObject([
      {
        contract: {
          contract_id,
          payload: {
            allocation: {
              settlement: { executor: bob, meta: { values: { "example.com/note": "Saturday" } } },
              transferLeg: { sender: alice, receiver: bob, amount: "10.0" },
            },
          },
        },
      },
    ]);
    // The executor sees it on the ledger, but it is not his.
    expect(await bobs.listAmuletAllocations()).toEqual({ allocations: [] });
    const byContract = { params: { contract_id } };
    expect((await outcomeOf(bobs.withdrawAmuletAllocation(byContract))).status).toBe(404);
    const withdrawn = await alices.withdrawAmuletAllocation(byContract);
    expect(withdrawn).toEqual({ sender_holding_cids: [CID], meta: {} });
    expect(await coins(alices)).toEqual([unlocked, 0]);
    expect(await alices.withdrawAmuletAllocation(byContract)).toEqual(withdrawn);
    expect(await alices.listAmuletAllocations()).toEqual({ allocations: [] });
  });

  test("is refused on terms that the ledger refuses, and on other terms for the same leg", async () => {
    const id = fresh("settlement");
    await alices.allocateAmulet(allocation({ id }));
    const refused: readonly [number, RegExp, Parameters<typeof allocation>[0]][] = [
      [
        409,
        /^An allocation for executor, settlement_ref and transfer_leg_id .* already exists/,
        { id, amount: "11.0" },
      ],
      [400, /^settlement.allocate_before: .* is over/, { allocate_before: 1 }],
      [400, /later than settlement.settle_before/, { allocate_before: inTime(3n * HOUR) }],
      [400, /^settlement.requested_at: .* is yet to come/, { requested_at: inTime(HOUR) }],
      [400, /^transfer_leg.amount/, { amount: "-1" }],
    ];
    for (const [status, text, change] of refused)
      expect(await outcomeOf(alices.allocateAmulet(allocation(change)))).toMatchObject({
        ...{ status, body: says(text) },
      });
  });
});

test("no application has asked for an allocation, and none can be rejected", async () => {
  expect(await alices.listAllocationRequests()).toEqual({ allocation_requests: [] });
  const contract_id = `00${"ab".repeat(32)}`;
  expect(await outcomeOf(alices.rejectAllocationRequest({ params: { contract_id } }))).toEqual({
    status: 404,
    body: { error: `No AllocationRequest with contract id ${contract_id} found.` },
  });
});
