// Parties that a participant hosts and that have no wallet: their preapprovals, and their rewards, which a delegate mints.

import type { Command, ContractWithState } from "@callsign/api";
import {
  Amulet,
  AppRewardCoupon,
  decimal,
  FeaturedAppRight,
  MintingDelegation,
  MintingDelegationProposal,
  multiply,
  type PartyId,
  type Time,
  TransferPreapproval,
  TransferPreapprovalProposal,
} from "@callsign/ledger";
import { SERVICE_USER } from "@callsign/localnet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { automationOf } from "../support/automation-of.ts";
import { LocalNetwork, TICK } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

const MERGE_LIMIT = 2n;

let network: LocalNetwork;
let operators: ValidatorClient;
let operator: PartyId;
let dora: PartyId;
let doras: string;
let dso: PartyId;

beforeAll(async () => {
  network = await LocalNetwork.start();
  operators = network.validator();
  operator = (await network.party("app-user")) as PartyId;
  const made = await network.makeUser("dora");
  [dora, doras] = [made.party as PartyId, made.token];
  dso = (await operators.scanProxyGetDsoPartyId()).dso_party_id as PartyId;
  await network.tap("app-user", "10");
});
afterAll(() => network?.close());

const proposal = (receiver: PartyId) =>
  create(TransferPreapprovalProposal, { receiver, provider: operator, expectedDso: dso });

const automation = (name: string) =>
  automationOf(network.validator("app-user", network.net.serviceToken), name);

test("the operator accepts the preapproval proposal of a hosted party that has no wallet", async () => {
  await submit([proposal(dora)]);
  const [made] = await network.listActive(TransferPreapproval, operator);
  expect(made?.payload).toMatchObject({ receiver: dora, provider: operator });
  expect(await network.listActive(TransferPreapprovalProposal, operator)).toEqual([]);
});

test("the proposal of a party that another participant hosts costs the operator nothing, and is looked at once", async () => {
  const stranger = (await network.party("app-provider")) as PartyId;
  const before = await network.unlocked("app-user");
  const content = { actAs: [stranger], userId: SERVICE_USER, commands: [proposal(stranger)] };
  await network
    .ledger("app-provider")
    .submitAndWait({ body: { commandId: crypto.randomUUID(), ...content } });
  await network.settle();
  const { lost } = await automation("accept-preapproval-proposals");
  expect(lost).toBe(1);
  expect(await network.listActive(TransferPreapprovalProposal, operator)).toHaveLength(1);
  expect(await network.listActive(TransferPreapproval, operator)).toHaveLength(1);
  expect(await network.unlocked("app-user")).toBe(before);
  // Another proposal makes the automation list again.
  await submit([proposal(dora)]);
  expect(await automation("accept-preapproval-proposals")).toMatchObject({ lost: 2, failed: 0, stuck: [] });
});

/** Submits as Dora: the validator may not act for her. */
async function submit(commands: Command[], disclosed: readonly ContractWithState[] = []): Promise<void> {
  const disclosedContracts = disclosed.map(({ contract, domain_id }) => ({
    ...{ templateId: contract.template_id, contractId: contract.contract_id },
    ...{ createdEventBlob: contract.created_event_blob, synchronizerId: domain_id ?? "" },
  }));
  const content = { actAs: [dora], commands, disclosedContracts };
  await network
    .ledger("app-user", doras)
    .submitAndWait({ body: { commandId: crypto.randomUUID(), ...content } });
  await network.settle();
}

test("a delegate mints the rewards of a hosted party that has no wallet, to the last digit", async () => {
  const delegation = {
    ...{ beneficiary: dora, delegate: operator, dso, amuletMergeLimit: MERGE_LIMIT },
    expiresAt: (network.net.now() + DAY) as Time,
  };
  await submit([create(MintingDelegationProposal, { delegation })]);
  const [offered] = (await operators.listMintingDelegationProposals()).proposals;
  expect(offered?.beneficiary_hosted).toBe(true);
  await operators.acceptMintingDelegationProposal({
    params: { contract_id: offered?.contract.contract_id ?? "" },
  });
  const { amulet_rules } = await operators.scanProxyGetAmuletRules();
  const feature = {
    templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
    contractId: amulet_rules.contract.contract_id,
    ...{ choice: "AmuletRules_DevNet_FeatureApp", choiceArgument: { provider: dora } },
  };
  await submit([{ ExerciseCommand: feature }], [amulet_rules]);
  const [right] = await network.listActive(FeaturedAppRight, dora);
  const marker = {
    templateId: "#splice-api-featured-app-v1:Splice.Api.FeaturedAppRightV1:FeaturedAppRight",
    ...{ contractId: right?.contractId ?? "", choice: "FeaturedAppRight_CreateActivityMarker" },
    choiceArgument: { beneficiaries: [{ beneficiary: dora, weight: "1.0" }] },
  };
  await submit([{ ExerciseCommand: marker }]);
  await network.net.moveClock(60_000_000n);
  await network.settle();
  const [coupon] = await network.listActive(AppRewardCoupon, dora);
  const round = String(coupon?.payload.round.number);
  expect(await network.listActive(Amulet, dora)).toEqual([]);
  for (let ticks = 0; ticks < 5 && (await network.listActive(Amulet, dora)).length === 0; ticks++) {
    await network.net.moveClock(TICK);
    await network.settle();
  }
  const { issuing_mining_rounds } = await operators.scanProxyGetOpenAndIssuingMiningRounds();
  const issuing = issuing_mining_rounds
    .map(({ contract }) => contract.payload as Record<string, unknown>)
    .find((payload) => (payload["round"] as { number: string }).number === round);
  const rate = decimal(String(issuing?.["issuancePerFeaturedAppRewardCoupon"]));
  const minted = await network.listActive(Amulet, dora);
  expect(minted.map(({ payload }) => payload.amount.initialAmount)).toEqual([
    multiply(coupon?.payload.amount ?? decimal("0.0"), rate),
  ]);
  expect(await network.listActive(AppRewardCoupon, dora)).toEqual([]);
  expect(await network.listActive(MintingDelegation, dora)).toHaveLength(1);
  expect((await automation("mint-by-delegation")).failed).toBe(0);
});

test("the delegate merges the smallest coins of the party, once it has twice as many as it wants to keep", async () => {
  const pay = async (amount: string) => {
    const body = { receiver_party_id: dora, amount, deduplication_id: amount };
    await operators.transferPreapprovalSend({ body });
    await network.settle();
    const coins = await network.listActive(Amulet, dora);
    return coins.map(({ payload }) => payload.amount.initialAmount).sort((a, b) => Number(a - b));
  };
  const [minted] = await pay("1.0").then(([, largest]) => [largest ?? 0n]);
  expect(await pay("2.0")).toEqual([decimal("1.0"), decimal("2.0"), minted]);
  expect(await pay("3.0")).toEqual([decimal("6.0"), minted]);
});

test("a party whose delegation has ended keeps its rewards and its coins as they are", async () => {
  const [standing] = (await operators.listMintingDelegations()).delegations;
  await operators.rejectMintingDelegation({ params: { contract_id: standing?.contract.contract_id ?? "" } });
  for (const amount of ["4.0", "5.0", "7.0"])
    await operators.transferPreapprovalSend({
      body: { receiver_party_id: dora, amount, deduplication_id: amount },
    });
  await network.settle();
  expect(await network.listActive(Amulet, dora)).toHaveLength(5);
});
