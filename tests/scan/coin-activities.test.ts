/** Transfers, taps and mints of a local network's wallets, as its scan tells them. */
import type { CoinTransaction } from "@callsign/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { fresh } from "../support/fresh.ts";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let scanUrl: string;
let [alice, bob, dso] = ["", "", ""];
let [alices, bobs] = [] as unknown as [ValidatorClient, ValidatorClient];
/** The instruction that Bob accepts, and those that end otherwise. */
let [accepted, rejected, withdrawn] = ["", "", ""];

async function post(
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${scanUrl}/api/scan${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function offer(amount: string, description: string): Promise<string> {
  const expires_at = Number(network.net.now() + HOUR);
  const { output } = await alices.createTokenStandardTransfer({
    body: { receiver_party_id: bob, amount, description, expires_at, tracking_id: fresh("tokens") },
  });
  if (!("transfer_instruction_cid" in output)) throw new Error("the transfer did not wait");
  await network.settle();
  return output.transfer_instruction_cid;
}

beforeAll(async () => {
  network = await LocalNetwork.start({
    pausedAutomations: ["record-liveness", "expire-transfer-instructions"],
  });
  scanUrl = network.net.svs[0]?.scanUrl ?? "";
  [alices, bobs] = [network.validator("app-user"), network.validator("app-provider")];
  [alice, bob] = [await network.party("app-user"), await network.party("app-provider")];
  dso = (await alices.scanProxyGetDsoPartyId()).dso_party_id;
  await alices.tap({ body: { amount: "5" } });
  accepted = await offer("10.0", "for the tickets");
  await bobs.acceptTokenStandardTransfer({ params: { contract_id: accepted } });
  rejected = await offer("11.0", "for the show");
  await bobs.rejectTokenStandardTransfer({ params: { contract_id: rejected } });
  withdrawn = await offer("12.0", "for nothing");
  await alices.withdrawTokenStandardTransfer({ params: { contract_id: withdrawn } });
  await bobs.tap({ body: { amount: "1" } });
  await bobs.createTransferPreapproval();
  await network.settle();
  await alices.transferPreapprovalSend({
    body: { receiver_party_id: bob, amount: "3.0", deduplication_id: fresh("send"), description: "rent" },
  });
  const { subscriptionRequestCid } = await alices.createAnsEntry({
    body: { name: "told", url: "", description: "" },
  });
  await alices.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  await network.settle();
});
afterAll(() => network?.close());

async function listAll(order: "asc" | "desc", page_size = 1000): Promise<readonly CoinTransaction[]> {
  const all: CoinTransaction[] = [];
  for (;;) {
    const page_end_event_id = all.at(-1)?.event_id ?? "";
    const { status, body } = await post("/v0/transactions", {
      page_end_event_id,
      sort_order: order,
      page_size,
    });
    expect(status).toBe(200);
    const { transactions } = body as { transactions: readonly CoinTransaction[] };
    if (transactions.length === 0) return all;
    expect(transactions.length).toBeLessThanOrEqual(page_size);
    all.push(...transactions);
  }
}

/** A line for people. */
function tell({ transaction_type: type, transfer, tap, abort_transfer_instruction: abort }: CoinTransaction) {
  if (tap !== null) return [type, tap.amulet_owner, tap.amulet_amount];
  if (abort !== null) return [type, abort.abort_kind, abort.transfer_instruction_cid];
  const { sender, receivers, transfer_kind: kind, description, transferInstructionCid: cid } = transfer ?? {};
  return [
    type,
    kind,
    sender?.party,
    receivers?.map(({ party, amount }) => [party, amount]),
    description,
    cid,
  ];
}

/** Those of the two wallets: SVs mint rewards meanwhile. */
const own = (all: readonly CoinTransaction[]) =>
  all
    .filter(({ transfer, tap }) => {
      const party = transfer?.sender.party ?? tap?.amulet_owner;
      return party === undefined || [alice, bob].includes(party);
    })
    .map(tell);

test("wallets' taps and transfers are told, with those that ended", async () => {
  const all = await listAll("asc");
  const told = own(all);
  expect(told.slice(0, 7)).toEqual([
    ["devnet_tap", alice, "1000.0000000000"],
    [
      ...["transfer", "create_transfer_instruction", alice],
      ...[[[alice, "10.0000000000"]], "for the tickets", accepted],
    ],
    ["transfer", "transfer_instruction_accept", alice, [[bob, "10.0000000000"]], null, accepted],
    [
      ...["transfer", "create_transfer_instruction", alice],
      ...[[[alice, "11.0000000000"]], "for the show", rejected],
    ],
    ["abort_transfer_instruction", "reject", rejected],
    [
      ...["transfer", "create_transfer_instruction", alice],
      ...[[[alice, "12.0000000000"]], "for nothing", withdrawn],
    ],
    ["abort_transfer_instruction", "withdraw", withdrawn],
  ]);
  const sends = told.filter(([, kind]) => kind === "preapproval_send");
  expect(sends).toEqual([["transfer", "preapproval_send", alice, [[bob, "3.0000000000"]], "rent", null]]);
  // A name costs a dollar, which is 200 coin; the payment is the DSO's before it is burned.
  expect(told.at(-1)).toEqual(["transfer", null, alice, [[dso, "200.0000000000"]], null, null]);
});

test("every activity has its place, its time and its round", async () => {
  const { body } = await post("/v2/updates", { page_size: 1000 });
  const { transactions: updates } = body as {
    transactions: readonly {
      readonly update_id: string;
      readonly effective_at: string;
      readonly synchronizer_id: string;
      readonly events_by_id: object;
    }[];
  };
  const byId = new Map(updates.map((update) => [update.update_id, update]));
  const all = await listAll("asc");
  for (const { event_id, date, domain_id, round: of, transaction_type: type } of all) {
    const update = byId.get(event_id.slice(1).split(":")[0] ?? "");
    expect(Date.parse(date)).toBe(Date.parse(update?.effective_at ?? ""));
    expect(domain_id).toBe(update?.synchronizer_id);
    if (type === "devnet_tap")
      expect(JSON.stringify(update?.events_by_id)).toContain(`"round":{"number":"${of}"}`);
    if (type === "abort_transfer_instruction") expect(of).toBeNull();
  }
});

test("pages of any size, in both orders, have every activity once", async () => {
  const all = await listAll("asc");
  expect(all.length).toBeGreaterThan(8);
  expect(await listAll("asc", 1)).toEqual(all);
  expect(await listAll("asc", 3)).toEqual(all);
  expect(await listAll("desc", 2)).toEqual(all.toReversed());
  const { body } = await post("/v0/activities", { page_size: 5, begin_after_id: all.at(-2)?.event_id });
  const expected = all
    .toReversed()
    .slice(2, 7)
    .map(({ transaction_type: activity_type, ...activity }) => ({ activity_type, ...activity }));
  expect(body).toEqual({ activities: expected });
});

test("a page behind an unknown activity is empty, and one of no size or too large is refused", async () => {
  for (const page_end_event_id of [`#1220${"00".repeat(32)}:0`, "nonsense", "#:"])
    expect(await post("/v0/transactions", { page_end_event_id, page_size: 10 })).toEqual({
      status: 200,
      body: { transactions: [] },
    });
  expect(await post("/v0/activities", { page_size: 0 })).toEqual({
    status: 400,
    body: { error: "Limit must be at least 1." },
  });
  expect(await post("/v0/transactions", { page_size: 1001 })).toEqual({
    status: 400,
    body: { error: "Exceeded limit maximum (1001 > 1000)." },
  });
});
