/** Allocations: coin of the wallet that is locked for one leg of a settlement, until it is settled or withdrawn. */
import type { AllocateAmuletRequest, AllocationResult, WithdrawnAllocation } from "@callsign/api";
import {
  AmuletAllocation,
  addDuration,
  amuletInstrument,
  type ContractId,
  formatTime,
  type Metadata,
  MINUTE,
  parseContractId,
  type ResultOf,
  type Time,
  WalletAppInstall,
} from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { getExerciseResult } from "../ledger/exercise-result.ts";
import { MAX_COMMAND_ID, MAX_SENT_DESCRIPTION } from "../limits/limits.ts";
import { readAllocationFactory, readAllocationWithdrawal } from "../scans/registry-reads.ts";
import { actOnce } from "./act-once.ts";
import { invalid, readAmount, readPartyField, readText, readTimeField } from "./request-fields.ts";
import { gatherHoldings } from "./token-holdings.ts";
import { formatMeta, NO_EXTRA_ARGS, type TokenParts } from "./token-transfers.ts";
import { requireAhead, requireHosted } from "./tracked-requests.ts";
import type { Wallet } from "./wallet.ts";

/** A leg of a settlement is allocated once a day. */
export async function allocateCoin(
  parts: TokenParts,
  { party, install }: Wallet,
  given: AllocateAmuletRequest,
): Promise<AllocationResult> {
  const { once, ledger, participant, facts, scans, clock, treasury } = parts;
  const terms = readTerms(given);
  const { settlement, transferLegId } = terms;
  const choice = "WalletAppInstall_AllocationFactory_Allocate";
  const makeBatch = async () => {
    const dso = await facts.dso();
    const inputHoldingCids = await gatherHoldings(parts, party, terms.leg.amount);
    const transferLeg = { ...terms.leg, sender: party, instrumentId: amuletInstrument(dso) };
    const requestedAt = clock.now;
    const allocation = { settlement, transferLegId, transferLeg };
    const asked = { expectedAdmin: dso, allocation, requestedAt, inputHoldingCids };
    const { factory, context, disclosed } = await readAllocationFactory(scans, {
      ...asked,
      extraArgs: NO_EXTRA_ARGS,
    });
    const allocateArg = { ...asked, extraArgs: { ...NO_EXTRA_ARGS, context } };
    const argument = { allocationFactory: factory, allocateArg };
    return {
      commands: [exercise(WalletAppInstall, install, choice, argument)],
      disclosed,
      notBefore: settlement.requestedAt > requestedAt ? settlement.requestedAt : requestedAt,
    };
  };
  const { executor, settlementRef } = settlement;
  const answer = await once.run({
    ...{ operation: "allocateAmulet", party, content: given },
    what: "An allocation for executor, settlement_ref and transfer_leg_id",
    id: JSON.stringify([executor, settlementRef.id, settlementRef.cid, transferLegId]),
    check: async () => {
      await requireAhead(parts, "settlement.allocate_before", settlement.allocateBefore);
      checkTimes(settlement, clock.now);
      for (const each of [executor, terms.leg.receiver]) await requireHosted(parts, each);
    },
    submit: (identity) => treasury.run(party, () => ledger.submitAs("operator", party, makeBatch, identity)),
    answerOf: async ({ offset }) => {
      const sought = { template: WalletAppInstall, choice } as const;
      return JSON.stringify(formatResult(await getExerciseResult(participant, { offset, party }, sought)));
    },
  });
  return JSON.parse(answer);
}

type Settlement = AmuletAllocation["allocation"]["settlement"];

interface Terms {
  readonly settlement: Settlement;
  readonly transferLegId: string;
  readonly leg: Pick<AmuletAllocation["allocation"]["transferLeg"], "receiver" | "amount" | "meta">;
}

function readTerms({ settlement, transfer_leg_id, transfer_leg: leg }: AllocateAmuletRequest): Terms {
  const { settlement_ref: reference, requested_at, allocate_before, settle_before } = settlement;
  return {
    settlement: {
      executor: readPartyField("settlement.executor", settlement.executor),
      settlementRef: {
        id: readText("settlement.settlement_ref.id", reference.id, MAX_COMMAND_ID),
        cid: readReference(reference.cid),
      },
      requestedAt: readTimeField("settlement.requested_at", requested_at),
      allocateBefore: readTimeField("settlement.allocate_before", allocate_before),
      settleBefore: readTimeField("settlement.settle_before", settle_before),
      meta: readMeta("settlement.meta", settlement.meta),
    },
    transferLegId: readText("transfer_leg_id", transfer_leg_id, MAX_COMMAND_ID),
    leg: {
      receiver: readPartyField("transfer_leg.receiver", leg.receiver),
      amount: readAmount("transfer_leg.amount", leg.amount, "coin"),
      meta: readMeta("transfer_leg.meta", leg.meta),
    },
  };
}

function readReference(given: string | null): ContractId | null {
  if (given === null) return null;
  const cid = parseContractId(given);
  if (!cid.ok) throw invalid(`settlement.settlement_ref.cid: ${cid.error}`);
  return cid.value;
}

function readMeta(field: string, given: Readonly<Record<string, string>> | null): Metadata {
  const read = (text: string) => readText(field, text, MAX_SENT_DESCRIPTION);
  return { values: Object.entries(given ?? {}).map(([key, value]) => [read(key), read(value)] as const) };
}

/** Throws where the ledger would refuse the times later. A caller's clock may be a little ahead of the ledger's. */
function checkTimes({ requestedAt, allocateBefore, settleBefore }: Settlement, now: Time): void {
  if (allocateBefore > settleBefore)
    throw invalid(
      "settlement.allocate_before is later than settlement.settle_before: choose an earlier one.",
    );
  if (requestedAt > addDuration(now, MINUTE))
    throw invalid(
      `settlement.requested_at: ${formatTime(requestedAt)} is yet to come. Choose a time that is past.`,
    );
}

type Result = ResultOf<(typeof WalletAppInstall)["choices"]["WalletAppInstall_AllocationFactory_Allocate"]>;

function formatResult({ output, senderChangeCids, meta }: Result): AllocationResult {
  return { output: formatOutput(output), sender_change_cids: [...senderChangeCids], meta: formatMeta(meta) };
}

function formatOutput(output: Result["output"]): AllocationResult["output"] {
  switch (output.tag) {
    case "AllocationInstructionResult_Pending":
      return { allocation_instruction_cid: output.value.allocationInstructionCid };
    case "AllocationInstructionResult_Completed":
      return { allocation_cid: output.value.allocationCid };
    case "AllocationInstructionResult_Failed":
      return {};
  }
}

export async function withdrawAllocation(
  parts: TokenParts,
  wallet: Wallet,
  contractId: string,
): Promise<WithdrawnAllocation> {
  const { scans, participant } = parts;
  const { party, install } = wallet;
  const choice = "WalletAppInstall_Allocation_Withdraw";
  const answer = await actOnce(parts, wallet, {
    ...{ operation: "withdrawAmuletAllocation", template: AmuletAllocation, what: "allocation", contractId },
    makeBatch: async ({ contractId: allocationCid }) => {
      const { context, disclosed } = await readAllocationWithdrawal(scans, allocationCid);
      const withdrawArg = { extraArgs: { ...NO_EXTRA_ARGS, context } };
      return {
        commands: [exercise(WalletAppInstall, install, choice, { allocationCid, withdrawArg })],
        disclosed,
      };
    },
    answerOf: async ({ offset }) => {
      const sought = { template: WalletAppInstall, choice } as const;
      const { senderHoldingCids, meta } = await getExerciseResult(participant, { offset, party }, sought);
      return JSON.stringify({ sender_holding_cids: senderHoldingCids, meta: formatMeta(meta) });
    },
  });
  return JSON.parse(answer);
}
