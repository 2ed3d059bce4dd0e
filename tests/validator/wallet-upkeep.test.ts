// Offers, requests, delegations and preapprovals of wallets: paid when agreed, ended after their time, renewed in time.

import type { Command } from "@callsign/api";
import {
  AcceptedTransferOffer,
  AppPaymentRequest,
  BuyTrafficRequest,
  MintingDelegation,
  MintingDelegationProposal,
  type PartyId,
  type PayloadOf,
  parsePartyId,
  TerminatedAppPayment,
  type Time,
  TransferOffer,
  TransferPreapproval,
  TransferPreapprovalProposal,
  ValidatorLicense,
  WalletAppInstall,
} from "@callsign/ledger";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { create, exercise } from "../../packages/validator/src/ledger/commands.ts";
import { automationOf } from "../support/automation-of.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

const HOUR = 3_600_000_000n;

let network: LocalNetwork;
let validator: Validator;
let operator: PartyId;
let bob: PartyId;
let dso: PartyId;
let wallet: ValidatorClient;
let bobs: ValidatorClient;

beforeAll(async () => {
  network = await LocalNetwork.start();
  const made = await network.makeUser("bob");
  validator = await network.startValidator(["app-user", "bob"], "hosting");
  operator = validator.operatorParty() as PartyId;
  [bob, wallet, bobs] = [
    made.party as PartyId,
    network.validator(),
    validatorClient(validator.url, made.token),
  ];
  const found = parsePartyId((await wallet.scanProxyGetDsoPartyId()).dso_party_id);
  if (!found.ok) throw new Error(found.error);
  dso = found.value;
  await bobs.tap({ body: { amount: "5" } });
});
afterAll(() => network?.close());

type InstallChoice = Parameters<typeof exercise<typeof WalletAppInstall, never>>[3];

async function installOf(party: PartyId) {
  const installs = await network.listActive(WalletAppInstall, party);
  const install = installs.find(({ payload }) => payload.endUserParty === party);
  if (install === undefined) throw new Error(`${party} has no wallet`);
  return install.contractId;
}

async function quiet(): Promise<void> {
  await validator.idle();
  await network.net.settle();
  // The network's own validators may have done something that concerns this one's wallets.
  await validator.idle();
}

/** Moves the clock. Resolves when every validator has done the tasks that fell due. */
async function pass(microseconds: bigint): Promise<void> {
  await network.net.moveClock(microseconds);
  await quiet();
}

async function balance(client: ValidatorClient): Promise<number> {
  return Number((await client.getBalance()).effective_unlocked_qty);
}

const inTime = (microseconds: bigint) => (network.net.now() + microseconds) as Time;

async function submit(actAs: readonly PartyId[], commands: readonly Command[]): Promise<void> {
  await network.submit(actAs, commands, [bob, operator]);
  await quiet();
}

async function offer(amount: bigint, trackingId: string): Promise<void> {
  const argument = {
    receiver: operator,
    amount: { amount: amount * 10_000_000_000n, unit: "AmuletUnit" },
    description: "",
    expiresAt: inTime(HOUR),
    trackingId,
  };
  const choice = "WalletAppInstall_CreateTransferOffer";
  const command = exercise(
    WalletAppInstall,
    await installOf(bob),
    choice,
    argument as unknown as InstallChoice,
  );
  await submit([operator], [command]);
}

async function accept(): Promise<void> {
  const [made] = await network.listActive(TransferOffer, operator);
  if (made === undefined) throw new Error("no offer");
  const choice = "WalletAppInstall_TransferOffer_Accept";
  await submit(
    [operator],
    [exercise(WalletAppInstall, await installOf(operator), choice, { cid: made.contractId })],
  );
}

describe("transfer offers", () => {
  test("an accepted offer is paid automatically", async () => {
    await offer(100n, "paid");
    await accept();
    expect(await network.listActive(AcceptedTransferOffer, bob)).toEqual([]);
    expect(await balance(bobs)).toBe(900);
    expect(await balance(wallet)).toBe(100);
  });

  test("an unanswered offer expires at its time, not before", async () => {
    await offer(1n, "unanswered");
    await pass(HOUR - 60_000_000n);
    expect(await network.listActive(TransferOffer, bob)).toHaveLength(1);
    await pass(60_000_000n);
    expect(await network.listActive(TransferOffer, bob)).toEqual([]);
  });

  test("an accepted offer without coin waits for coin, and expires at its time", async () => {
    await offer(5000n, "too much");
    await accept();
    expect(await network.listActive(AcceptedTransferOffer, bob)).toHaveLength(1);
    const operators = validatorClient(validator.url, network.net.serviceToken);
    const waiting = await automationOf(operators, "complete-transfer-offers");
    expect(waiting.waits).toEqual([
      {
        task: expect.any(String),
        for: "coin",
        reason: expect.stringContaining("Not enough coin"),
        details: null,
      },
    ]);
    expect(waiting).toMatchObject({ failed: 0, stuck: [] });
    await pass(HOUR);
    expect(await network.listActive(AcceptedTransferOffer, bob)).toEqual([]);
    expect(await balance(bobs)).toBe(900);
  });

  test("an accepted offer without coin is paid when coin arrives", async () => {
    await offer(1000n, "later");
    await accept();
    expect(await balance(bobs)).toBe(900);
    await bobs.tap({ body: { amount: "5" } });
    await quiet();
    expect(await balance(bobs)).toBe(900);
    expect(await balance(wallet)).toBe(1100);
  });
});

describe("after their time", () => {
  test("traffic requests that could not be paid expire", async () => {
    const argument = {
      ...{ memberId: "PAR::somebody", synchronizerId: "unknown::1220", migrationId: 0n },
      ...{ trafficAmount: 1n, expiresAt: inTime(HOUR), trackingId: "never" },
    };
    const choice = "WalletAppInstall_CreateBuyTrafficRequest";
    await submit([operator], [exercise(WalletAppInstall, await installOf(bob), choice, argument)]);
    expect(await network.listActive(BuyTrafficRequest, bob)).toHaveLength(1);
    await pass(HOUR);
    expect(await network.listActive(BuyTrafficRequest, bob)).toEqual([]);
  });

  test("payment requests of an app expire", async () => {
    const request = {
      sender: bob,
      receiverAmounts: [{ receiver: operator, amount: { amount: 10_000_000_000n, unit: "AmuletUnit" } }],
      ...{ provider: operator, dso, expiresAt: inTime(HOUR), description: "" },
    } as unknown as PayloadOf<typeof AppPaymentRequest>;
    await submit([bob, operator], [create(AppPaymentRequest, request)]);
    expect(await network.listActive(AppPaymentRequest, bob)).toHaveLength(1);
    await pass(HOUR);
    expect(await network.listActive(AppPaymentRequest, bob)).toEqual([]);
    expect(await network.listActive(TerminatedAppPayment, bob)).toHaveLength(1);
  });

  test("minting delegations and their proposals are rejected", async () => {
    const terms = {
      beneficiary: bob,
      delegate: operator,
      dso,
      expiresAt: inTime(HOUR),
      amuletMergeLimit: 10n,
    };
    await submit([bob], [create(MintingDelegationProposal, { delegation: terms })]);
    await submit([bob, operator], [create(MintingDelegation, terms)]);
    await pass(HOUR - 60_000_000n);
    expect(await network.listActive(MintingDelegation, operator)).toHaveLength(1);
    await pass(60_000_000n);
    expect(await network.listActive(MintingDelegation, operator)).toEqual([]);
    expect(await network.listActive(MintingDelegationProposal, operator)).toEqual([]);
  });
});

describe("preapprovals", () => {
  // 90 days × 0.00274 $ ÷ 0.005 $.
  const FEE = 49.32;

  test("a hosted party's proposal is accepted for 90 days, and paid by the operator", async () => {
    // Many proposals of a party of another participant come first.
    const mallory = (await network.party("app-provider")) as PartyId;
    const asking = { receiver: mallory, provider: operator, expectedDso: dso };
    const commands: Command[] = new Array(600).fill(create(TransferPreapprovalProposal, asking));
    const ledger = network.ledger("app-provider");
    for (const commandId of ["first", "second"])
      await ledger.submitAndWait({ body: { commandId, actAs: [mallory], commands } });
    const before = await balance(wallet);
    const proposal = { receiver: bob, provider: operator, expectedDso: dso };
    await submit([bob], [create(TransferPreapprovalProposal, proposal)]);
    expect(await network.listActive(TransferPreapprovalProposal, bob)).toEqual([]);
    const [made] = await network.listActive(TransferPreapproval, bob);
    const { validFrom, expiresAt, provider } = made?.payload ?? {};
    expect(provider).toBe(operator);
    expect(Number((expiresAt ?? 0n) - (validFrom ?? 0n)) / Number(DAY)).toBeCloseTo(90, 3);
    expect(await balance(wallet)).toBeCloseTo(before - FEE, 2);
  });

  test("a preapproval is renewed by 90 days in its last 30 days, once", async () => {
    const [made] = await network.listActive(TransferPreapproval, bob);
    const before = await balance(wallet);
    await pass(59n * DAY);
    expect(await network.listActive(TransferPreapproval, bob)).toEqual([made]);
    await pass(2n * DAY);
    const [renewed] = await network.listActive(TransferPreapproval, bob);
    expect(renewed?.payload.expiresAt).toBe((made?.payload.expiresAt ?? 0n) + 90n * DAY);
    await pass(DAY);
    expect(await network.listActive(TransferPreapproval, bob)).toEqual([renewed]);
    // One fee; a fifth of each may have come back as a validator reward.
    const spent = before - (await balance(wallet));
    expect(spent).toBeLessThan(FEE + 0.01);
    expect(spent).toBeGreaterThan(FEE - 2 * 0.2 * FEE - 0.01);
  });
});

describe("the license", () => {
  const license = async () => {
    const [held] = await network.listActive(ValidatorLicense, operator);
    if (held === undefined) throw new Error("no license");
    return held.payload;
  };

  test("reports activity once an hour", async () => {
    const before = (await license()).lastActiveAt ?? 0n;
    await pass(HOUR / 2n);
    expect((await license()).lastActiveAt).toBe(before);
    await pass(HOUR / 2n);
    expect((await license()).lastActiveAt).toBeGreaterThan(before);
  });

  test("gets a new contact point", async () => {
    await validator.close();
    const before = (await license()).metadata;
    expect(before?.contactPoint).toBe("");
    const renamed = await network.startValidator(["app-user", "bob"], "hosting", {
      contactPoint: "ops@example.com",
    });
    const { metadata } = await license();
    expect(metadata).toMatchObject({ contactPoint: "ops@example.com", version: before?.version });
    await renamed.close();
  });
});
