import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../testing/archive-contract.ts";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { shapeOf } from "../../../testing/transaction-changes.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY, HOUR, MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AmuletAllocation } from "../splice-amulet/declarations/amulet-allocation.ts";
import { AmuletTransferInstruction } from "../splice-amulet/declarations/amulet-transfer-instruction.ts";
import {
  ExternalPartyAmuletRules,
  TransferCommandCounter,
} from "../splice-amulet/declarations/external-party-amulet-rules.ts";
import { ExternalPartyConfigState } from "../splice-amulet/declarations/external-party-config-state.ts";
import { onDsoRules } from "./confirmed-actions.ts";
import type { DsoRulesAction } from "./declarations/confirmed-action.ts";
import { BootstrapExternalPartyConfigStateInstruction, DsoRules } from "./declarations/dso-rules.ts";
import { ElectionRequest } from "./declarations/retired-choices.ts";

const [alice, bob, app] = [testParty("alice"), testParty("bob"), testParty("app")];
const meta = { values: [] };

/** Alice's 10 coins, locked for the DSO for an hour. */
function lockCoin({ sandbox, dso }: DsoFixture): ContractId {
  const amount = {
    initialAmount: decimal("10.0"),
    createdAt: { number: 0n },
    ratePerRound: { rate: decimal("0.00380518") },
  };
  const lock = { holders: [dso], expiresAt: addDuration(sandbox.now, HOUR), optContext: null };
  const amulet = { dso, owner: alice, amount };
  return sandbox.create(LockedAmulet, { amulet, lock }, { actAs: [dso, alice] });
}

function offer(network: DsoFixture): ContractId {
  const { sandbox, dso } = network;
  const lockedAmulet = lockCoin(network);
  const transfer = {
    sender: alice,
    receiver: bob,
    amount: decimal("10.0"),
    instrumentId: { admin: dso, id: "Amulet" },
    requestedAt: sandbox.now,
    executeBefore: addDuration(sandbox.now, HOUR),
    inputHoldingCids: [lockedAmulet],
    meta,
  };
  return sandbox.create(AmuletTransferInstruction, { lockedAmulet, transfer }, { actAs: [dso, alice] });
}

function allocate(network: DsoFixture): ContractId {
  const { sandbox, dso } = network;
  const end = addDuration(sandbox.now, HOUR);
  const allocation = {
    settlement: {
      executor: app,
      settlementRef: { id: "trade", cid: null },
      requestedAt: sandbox.now,
      allocateBefore: end,
      settleBefore: end,
      meta,
    },
    transferLegId: "leg0",
    transferLeg: {
      sender: alice,
      receiver: bob,
      amount: decimal("10.0"),
      instrumentId: { admin: dso, id: "Amulet" },
      meta,
    },
  };
  const payload = { lockedAmulet: lockCoin(network), allocation };
  return sandbox.create(AmuletAllocation, payload, { actAs: [dso, alice] });
}

describe.each([
  {
    what: "transfers that nobody accepted",
    make: offer,
    template: AmuletTransferInstruction,
    deadline: "Transfer.executeBefore",
    remove: (network: DsoFixture, cid: ContractId, expectedDso: PartyId, sv?: PartyId) => {
      const inputs = [{ transferInstructionCid: cid, expireLock: true }];
      const argument = {
        amuletRulesCid: network.amuletRules,
        transferInsts: { expectedDso, inputs, observers: [alice] },
      };
      const { result } = network.bySv("DsoRules_Amulet_ExpireTransferInstructions", argument, sv);
      return result.results.flatMap(({ senderChangeCids }) => senderChangeCids);
    },
    steps: [
      "DsoRules_Amulet_ExpireTransferInstructions DsoRules",
      "AmuletRules_Amulet_ExpireTransferInstructions AmuletRules",
      "TransferInstruction_Update AmuletTransferInstruction",
    ],
  },
  {
    what: "allocations that nobody settled",
    make: allocate,
    template: AmuletAllocation,
    deadline: "allocation.settlement.settleBefore",
    remove: (network: DsoFixture, cid: ContractId, expectedDso: PartyId, sv?: PartyId) => {
      const argument = {
        extAmuletRulesCid: network.only(ExternalPartyAmuletRules).contractId,
        expireAllocations: {
          expectedDso,
          inputs: [{ allocationCid: cid, expireLock: true }],
          observers: [alice],
        },
      };
      const { result } = network.bySv("DsoRules_ExpireAmuletAllocations", argument, sv);
      return result.results.flatMap(({ senderHoldingCids }) => senderHoldingCids);
    },
    steps: [
      "DsoRules_ExpireAmuletAllocations DsoRules",
      "ExternalPartyAmuletRules_ExpireAmuletAllocations ExternalPartyAmuletRules",
      "AmuletAllocation_DsoExpire AmuletAllocation",
    ],
  },
])("an SV removes $what", ({ make, template, deadline, remove, steps }) => {
  test("from their end on, and the coin goes back", () => {
    const network = new DsoFixture();
    const { sandbox, dso } = network;
    const cid = make(network);
    const end = addDuration(sandbox.now, HOUR);
    sandbox.now = addDuration(end, -MICROSECOND);
    expectTooEarly(deadline, () => remove(network, cid, dso));
    sandbox.now = end;
    const back = remove(network, cid, dso, network.sv(3));
    expect(back.map((each) => sandbox.payloadOf(Amulet, each).owner)).toEqual([alice]);
    expect(sandbox.active(template)).toEqual([]);
    expect(shapeOf(sandbox)).toEqual([...steps, "LockedAmulet_UnlockV2 LockedAmulet", "create Amulet"]);
    expectNotFound(() => remove(network, cid, dso));
  });

  test("as a member, for the network's own DSO", () => {
    const network = new DsoFixture();
    const { sandbox, dso } = network;
    const cid = make(network);
    sandbox.advance(HOUR);
    expectUnmet("SV party is an actual SV", () => remove(network, cid, dso, app));
    const label = `expectedDso '${app}' matches the actualDso '${dso}'`;
    expectUnmet(label, () => remove(network, cid, app));
  });
});

function decide(network: DsoFixture, dsoAction: DsoRulesAction): void {
  network.agree(onDsoRules(dsoAction));
}

describe("the SVs together", () => {
  test("let a party that signs outside begin to count its commands", () => {
    const network = new DsoFixture();
    decide(network, { tag: "SRARC_CreateTransferCommandCounter", value: { sender: alice } });
    const { payload } = network.only(TransferCommandCounter);
    expect(payload).toEqual({ dso: network.dso, sender: alice, nextNonce: 0n });
  });

  test("have the first configuration states made, once", () => {
    const network = new DsoFixture();
    const { sandbox } = network;
    const states = () => sandbox.active(ExternalPartyConfigState);
    for (const { contractId } of states()) {
      archiveContract(sandbox, ExternalPartyConfigState, contractId, network.asDso());
    }
    decide(network, { tag: "SRARC_CreateBootstrapExternalPartyConfigStateInstruction", value: {} });
    const { contractId: instructionCid } = network.only(BootstrapExternalPartyConfigStateInstruction);
    const [round0Cid, round1Cid, round2Cid] = [0n, 1n, 2n].map(
      (number) => network.openRound(number).contractId,
    ) as [ContractId, ContractId, ContractId];
    const argument = {
      amuletRulesCid: network.amuletRules,
      instructionCid,
      openMiningRoundTriple: { round0Cid, round1Cid, round2Cid },
    };
    const choice = "DsoRules_BootstrapExternalPartyConfigState";
    expectUnmet("SV party is an actual SV", () => network.bySv(choice, argument, app));
    network.bySv(choice, argument, network.sv(1));
    expect(states().map(({ payload }) => payload.targetArchiveAfter)).toEqual([
      addDuration(sandbox.now, DAY),
      addDuration(sandbox.now, 2n * DAY),
    ]);
    expectNotFound(() => network.bySv(choice, argument));
    const foreign = sandbox.create(
      BootstrapExternalPartyConfigStateInstruction,
      { dso: network.sv(0) },
      { actAs: [network.sv(0)] },
    );
    expectOtherGroup("BootstrapExternalPartyConfigStateInstruction", () =>
      network.bySv(choice, { ...argument, instructionCid: foreign }, network.sv(0)),
    );
  });

  test("are needed for both: a single SV does neither", () => {
    const network = new DsoFixture();
    const { sandbox, dsoRules } = network;
    const as = network.asSv();
    expectUnauthorized(() =>
      sandbox.exercise(DsoRules, dsoRules, "DsoRules_CreateTransferCommandCounter", { sender: alice }, as),
    );
    const choice = "DsoRules_CreateBootstrapExternalPartyConfigStateInstruction";
    expectUnauthorized(() => sandbox.exercise(DsoRules, dsoRules, choice, {}, as));
  });
});

test("choices that were replaced always abort", () => {
  const network = new DsoFixture();
  const { sandbox, dso, dsoRules, amuletRules: amuletRulesCid } = network;
  const sv = network.sv(0);
  const reason = { tag: "ERR_OtherReason", value: "tired" } as const;
  const request = { dso, requester: sv, epoch: 0n, reason, ranking: [sv] };
  const requestCid = sandbox.create(ElectionRequest, request, network.asDso());
  const cid = lockCoin(network);
  const choiceArg = { roundCid: network.openRound(0n).contractId };
  const as = network.asSv();
  const attempts = {
    DsoRules_RequestElection: () =>
      sandbox.exercise(
        DsoRules,
        dsoRules,
        "DsoRules_RequestElection",
        { requester: sv, reason, ranking: [] },
        as,
      ),
    DsoRules_ElectDsoDelegate: () =>
      sandbox.exercise(
        DsoRules,
        dsoRules,
        "DsoRules_ElectDsoDelegate",
        { actor: sv, requestCids: [requestCid] },
        as,
      ),
    DsoRules_ArchiveOutdatedElectionRequest: () =>
      network.bySv("DsoRules_ArchiveOutdatedElectionRequest", { requestCid }),
    DsoRules_PruneAmuletConfigSchedule: () =>
      network.bySv("DsoRules_PruneAmuletConfigSchedule", { amuletRulesCid }),
    DsoRules_Amulet_Expire: () => network.bySv("DsoRules_Amulet_Expire", { cid, choiceArg }),
    LockedAmulet_ExpireAmulet: () => network.bySv("DsoRules_LockedAmulet_ExpireAmulet", { cid, choiceArg }),
  };
  for (const [choice, attempt] of Object.entries(attempts)) {
    const start = `${GENERAL_ERROR}Choice "${choice}" is no longer supported since "splice-`;
    expect(rejectionOf(attempt).cause.slice(0, start.length)).toBe(start);
  }
});
