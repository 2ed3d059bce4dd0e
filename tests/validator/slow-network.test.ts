// A slow network: a request takes effect once, however late it is answered.

import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { FaultyParticipant } from "../support/faulty-participant.ts";
import type { ValidatorClient } from "../support/network-clients.ts";
import { startFaultyWallet } from "./faulty-wallet.ts";

let participant: FaultyParticipant;
let wallet: ValidatorClient;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ participant, wallet, close } = await startFaultyWallet());
});
afterAll(() => close?.());
beforeEach(() => {
  participant.spoil = () => undefined;
});

const inFlight = ledgerFailure(409, "SUBMISSION_ALREADY_IN_FLIGHT", { errorCategory: 2, grpcCodeValue: 10 });
const stopping = ledgerFailure(503, "SERVICE_NOT_RUNNING", { errorCategory: 1, grpcCodeValue: 14 });
const busy = ledgerFailure(409, "PARTICIPANT_BACKPRESSURE", { errorCategory: 2, grpcCodeValue: 10 });

function ledgerFailure(status: number, code: string, numbers: object) {
  return { status, body: { code, cause: "because", definiteAnswer: false, ...numbers } };
}

/** Delays the first sending until `arrive` is called, and loses its answer. Until then all others get the given answer. */
function delayFirst(answer: { readonly status: number; readonly body: unknown }) {
  const { promise: after, resolve } = Promise.withResolvers<void>();
  const commandIds = new Set<string>();
  let sendings = 0;
  let isOver = false;
  participant.spoil = (path, body) => {
    if (!path.startsWith("/v2/commands")) return undefined;
    commandIds.add(JSON.parse(body).commands.commandId);
    if (++sendings === 1) return { after };
    return isOver ? undefined : answer;
  };
  const arrive = () => {
    isOver = true;
    resolve();
  };
  return { arrive, commandIds, sendings: () => sendings };
}

/** A tap that happens behind everything the wallet has sent before. */
async function passOneTap(): Promise<void> {
  await wallet.tap({ body: { amount: "1" } });
}

async function balance(): Promise<number> {
  return Number((await wallet.getBalance()).effective_unlocked_qty);
}

test.each([
  ["is said to be in flight", inFlight],
  ["meets a participant that is being stopped", stopping],
  ["meets a participant that is busy", busy],
])("a tap whose resending %s mints once", async (_, answer) => {
  const before = await balance();
  const { arrive, commandIds, sendings } = delayFirst(answer);
  let isAnswered = false;
  const tapped = wallet
    .tap({ body: { amount: "1" } })
    .catch((error: unknown) => String(error))
    .finally(() => {
      isAnswered = true;
    });
  await vi.waitUntil(() => isAnswered || sendings() > 4, { timeout: 60_000 });
  arrive();
  await tapped;
  await expect.poll(balance).toBe(before + 200);
  expect(commandIds.size).toBe(1);
  await passOneTap();
  expect(await balance()).toBe(before + 400);
});

test("a tap that is in flight for a while is answered when it has taken effect", async () => {
  const { arrive, sendings } = delayFirst(inFlight);
  const tapped = wallet.tap({ body: { amount: "1" } });
  await expect.poll(sendings, { timeout: 60_000 }).toBeGreaterThan(5);
  arrive();
  expect((await tapped).contract_id).toMatch(/^00/);
});

test("a request whose outcome is unknown is answered so, and found when it has taken effect", async () => {
  const body = { name: "late", url: "", description: "" };
  const { arrive, commandIds } = delayFirst(stopping);
  await expect(wallet.createAnsEntry({ body })).rejects.toThrow(/status 503.*may still happen.*Look/);
  // The name is requested again before the first request arrives.
  await expect(wallet.createAnsEntry({ body })).rejects.toThrow(/status 503.*may still happen/);
  expect(commandIds.size).toBe(1);
  arrive();
  const { subscriptionRequestCid, entryContextCid } = await wallet.createAnsEntry({ body });
  await passOneTap();
  const { subscription_requests } = await wallet.listSubscriptionRequests();
  expect(subscription_requests.map(({ contract_id }) => contract_id)).toEqual([subscriptionRequestCid]);
  expect(await wallet.createAnsEntry({ body })).toMatchObject({ subscriptionRequestCid, entryContextCid });
  // One command id of the request, and one of the tap.
  expect(commandIds.size).toBe(2);
});

test("a request repeated while the first is in flight waits for it", async () => {
  const body = { name: "meanwhile", url: "", description: "" };
  const { arrive } = delayFirst(stopping);
  await expect(wallet.createAnsEntry({ body })).rejects.toThrow(/may still happen/);
  let left = 3;
  participant.spoil = (path) => {
    if (!path.startsWith("/v2/commands") || left === 0) return undefined;
    if (--left === 0) arrive();
    return inFlight;
  };
  const { subscriptionRequestCid } = await wallet.createAnsEntry({ body });
  await passOneTap();
  expect((await wallet.createAnsEntry({ body })).subscriptionRequestCid).toBe(subscriptionRequestCid);
});

test("a name whose request was rejected after an unknown outcome can be requested again", async () => {
  const body = { name: "again", url: "", description: "" };
  const { arrive } = delayFirst(stopping);
  await expect(wallet.createAnsEntry({ body })).rejects.toThrow(/may still happen/);
  const requests = async () => (await wallet.listSubscriptionRequests()).subscription_requests;
  const known = new Set((await requests()).map(({ contract_id }) => contract_id));
  arrive();
  const findNew = async () => (await requests()).find(({ contract_id }) => !known.has(contract_id));
  await expect.poll(findNew).toBeDefined();
  const contract_id = (await findNew())?.contract_id ?? "";
  await wallet.rejectSubscriptionRequest({ params: { contract_id } });
  const { subscriptionRequestCid } = await wallet.createAnsEntry({ body });
  expect(subscriptionRequestCid).not.toBe(contract_id);
});
