/**
 * Transfers, taps and mints of an update, as Splice's scan tells them. Where a choice of the token standard or of a
 * preapproval makes a transfer, that transfer is told once, under the id of the outer choice.
 */
import type { CoinTransaction, CoinTransfer } from "@callsign/api";
import {
  Amulet,
  type ContractId,
  type Decimal,
  decimal,
  formatDecimal,
  formatTime,
  type Metadata,
  multiply,
  type Network,
  type PartyId,
  type PayloadOf,
  type TransferResult,
  ZERO,
} from "@callsign/ledger";
import type { KnownUpdate, StoredEvent, StoredExercise } from "../history/stored-update.ts";
import { decodeExercise } from "./decode-exercise.ts";
import { needTemplate } from "./need-template.ts";
import { formatOffset } from "./wire-update.ts";

/** An activity before it has its place in the log. */
interface Draft
  extends Pick<
    CoinTransaction,
    "transaction_type" | "transfer" | "mint" | "tap" | "abort_transfer_instruction"
  > {
  readonly nodeId: number;
  readonly round: bigint | null;
}

interface Told {
  readonly event: StoredExercise;
  /** The events below it. */
  readonly below: readonly StoredEvent[];
}

type Rule = (told: Told) => readonly Draft[];

const REASON = "splice.lfdecentralizedtrust.org/reason";
const SENDER = "splice.lfdecentralizedtrust.org/sender";
const ONE = decimal("1.0");

/** In the order of the transaction. */
export function listCoinActivities(
  update: KnownUpdate,
  { synchronizerId }: Network,
): readonly CoinTransaction[] {
  return walk(update.events).map(({ nodeId, round, ...activity }) => ({
    ...activity,
    event_id: activityId(update.updateId, nodeId),
    offset: formatOffset(update.recordTime),
    date: formatTime(update.ledgerTime),
    domain_id: synchronizerId,
    round: round === null ? null : Number(round),
  }));
}

function activityId(updateId: string, nodeId: number): string {
  return `#${updateId}:${nodeId}`;
}

function walk(events: readonly StoredEvent[]): readonly Draft[] {
  const drafts: Draft[] = [];
  for (let i = 0; i < events.length; ) {
    const event = events[i++] as StoredEvent;
    if (event.kind === "create") continue;
    const begin = i;
    while (i < events.length && (events[i] as StoredEvent).nodeId <= event.lastDescendant) i++;
    const told = { event, below: events.slice(begin, i) };
    drafts.push(...(RULES.get(event.choice)?.(told) ?? walk(told.below)));
  }
  return drafts;
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["AmuletRules_Transfer", tellTransfer],
  ["AmuletRules_DevNet_Tap", (told) => tellCreated(told, "devnet_tap")],
  ["AmuletRules_Mint", (told) => tellCreated(told, "mint")],
  ["TransferPreapproval_Send", tellSend],
  ["TransferPreapproval_SendV2", tellSendV2],
  ["TransferFactory_Transfer", tellTokenTransfer],
  ["TransferInstruction_Accept", tellAccept],
  ["TransferInstruction_Withdraw", (told) => tellAbort(told, "withdraw")],
  ["TransferInstruction_Reject", (told) => tellAbort(told, "reject")],
  ["AllocationFactory_Allocate", tellAllocation],
  ["Allocation_ExecuteTransfer", tellExecution],
  [
    "AnsRules_CollectInitialEntryPayment",
    (told) => tellCollected(told, "SubscriptionInitialPayment_Collect"),
  ],
  ["AnsRules_CollectEntryRenewalPayment", (told) => tellCollected(told, "SubscriptionPayment_Collect")],
  // Coin that is burned for something is no transfer.
  ["AmuletRules_BuyMemberTraffic", () => []],
  ["AmuletRules_CreateExternalPartySetupProposal", () => []],
  ["AmuletRules_CreateTransferPreapproval", () => []],
  ["TransferPreapproval_Renew", () => []],
]);

interface Output {
  readonly receiver: PartyId;
  readonly amount: Decimal;
  readonly receiverFeeRatio: Decimal;
}

function draftTransfer(
  nodeId: number,
  sender: PartyId,
  outputs: readonly Output[],
  { round, summary }: TransferResult,
): Draft {
  const fees = outputs.map(({ receiverFeeRatio }, i) => {
    const fee = summary.outputFees[i] ?? ZERO;
    return {
      ofReceiver: multiply(fee, receiverFeeRatio),
      ofSender: multiply(fee, (ONE - receiverFeeRatio) as Decimal),
    };
  });
  const receivers = new Map<PartyId, { amount: bigint; fee: bigint }>();
  for (const [i, { receiver, amount }] of outputs.entries()) {
    const known = receivers.get(receiver) ?? { amount: 0n, fee: 0n };
    receivers.set(receiver, { amount: known.amount + amount, fee: known.fee + (fees[i]?.ofReceiver ?? 0n) });
  }
  const { inputValidatorFaucetAmount: faucet } = summary;
  return transferDraft(nodeId, round.number, {
    ...PLAIN,
    balance_changes: [],
    sender: {
      party: sender,
      input_amulet_amount: formatDecimal(summary.inputAmuletAmount),
      input_app_reward_amount: formatDecimal(summary.inputAppRewardAmount),
      input_validator_reward_amount: formatDecimal(summary.inputValidatorRewardAmount),
      input_sv_reward_amount: formatDecimal(summary.inputSvRewardAmount),
      input_validator_faucet_amount: faucet === null ? null : formatDecimal(faucet),
      sender_change_fee: formatDecimal(summary.senderChangeFee),
      sender_change_amount: formatDecimal(summary.senderChangeAmount),
      sender_fee: formatDecimal(fees.reduce((sum, { ofSender }) => sum + ofSender, 0n) as Decimal),
      holding_fees: formatDecimal(summary.holdingFees),
    },
    receivers: [...receivers].map(([party, { amount, fee }]) => ({
      party,
      amount: formatDecimal(amount as Decimal),
      receiver_fee: formatDecimal(fee as Decimal),
    })),
  });
}

const NO_COIN = formatDecimal(ZERO);
const PLAIN = {
  ...{ description: null, transferInstructionReceiver: null, transferInstructionAmount: null },
  ...{ transferInstructionCid: null, transfer_kind: null },
} as const;

/** A transfer without fees, of which no round is known: Splice tells it as of round 0. */
function draftPlain(
  nodeId: number,
  from: readonly [PartyId, Decimal],
  to: readonly [PartyId, Decimal],
): Draft {
  const [[sender, input], [receiver, amount]] = [from, to];
  return transferDraft(nodeId, 0n, {
    ...PLAIN,
    balance_changes: [],
    sender: {
      party: sender,
      input_amulet_amount: formatDecimal(input),
      input_app_reward_amount: NO_COIN,
      input_validator_reward_amount: NO_COIN,
      input_sv_reward_amount: NO_COIN,
      input_validator_faucet_amount: null,
      sender_change_fee: NO_COIN,
      sender_change_amount: NO_COIN,
      sender_fee: NO_COIN,
      holding_fees: NO_COIN,
    },
    receivers: [{ party: receiver, amount: formatDecimal(amount), receiver_fee: NO_COIN }],
  });
}

const NOTHING = { transfer: null, mint: null, tap: null, abort_transfer_instruction: null } as const;

function transferDraft(nodeId: number, round: bigint, transfer: CoinTransfer): Draft {
  return { ...NOTHING, transaction_type: "transfer", nodeId, round, transfer };
}

/** The transfers among the drafts, with other values. */
function change(drafts: readonly Draft[], changed: Partial<CoinTransfer>, nodeId?: number): readonly Draft[] {
  return drafts.map((draft) => {
    if (draft.transfer === null) return draft;
    return { ...draft, nodeId: nodeId ?? draft.nodeId, transfer: { ...draft.transfer, ...changed } };
  });
}

const hasTransfer = (drafts: readonly Draft[]) => drafts.some(({ transfer }) => transfer !== null);

function tellTransfer({ event }: Told): readonly Draft[] {
  const { argument, result } = decodeExercise(event);
  const { transfer } = argument as { transfer: { sender: PartyId; outputs: readonly Output[] } };
  return [draftTransfer(event.nodeId, transfer.sender, transfer.outputs, result as TransferResult)];
}

function tellCreated({ event, below }: Told, kind: "devnet_tap" | "mint"): readonly Draft[] {
  const { result } = decodeExercise(event);
  const { amuletSum } = result as { amuletSum: { amulet: ContractId; round: { number: bigint } } };
  const { owner, amount } = findCoin(below, amuletSum.amulet);
  const created = { amulet_owner: owner, amulet_amount: formatDecimal(amount.initialAmount) };
  const { nodeId } = event;
  const { round } = amuletSum;
  return kind === "mint"
    ? [{ ...NOTHING, transaction_type: kind, nodeId, round: null, mint: created }]
    : [{ ...NOTHING, transaction_type: kind, nodeId, round: round.number, tap: created }];
}

function tellSend({ event, below }: Told): readonly Draft[] {
  const { description } = decodeExercise(event).argument as { description: string | null };
  return change(walk(below), { description, transfer_kind: "preapproval_send" }, event.nodeId);
}

function tellSendV2({ event }: Told): readonly Draft[] {
  const { argument, result: given } = decodeExercise(event);
  const { sender, amount, description } = argument as {
    readonly sender: PartyId;
    readonly amount: Decimal;
    readonly description: string | null;
  };
  const { result } = given as { result: TransferResult };
  const others = result.summary.balanceChanges.map(([party]) => party).filter((party) => party !== sender);
  const output = { receiver: others[0] ?? sender, amount, receiverFeeRatio: ZERO };
  const drafts = [draftTransfer(event.nodeId, sender, [output], result)];
  return change(drafts, { description, transfer_kind: "preapproval_send" });
}

interface TokenTransfer {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Decimal;
  readonly meta: Metadata;
}

interface TokenResult {
  readonly output:
    | {
        readonly tag: "TransferInstructionResult_Pending";
        readonly value: { transferInstructionCid: ContractId };
      }
    | {
        readonly tag: "TransferInstructionResult_Completed";
        readonly value: { receiverHoldingCids: ContractId[] };
      }
    | { readonly tag: "TransferInstructionResult_Failed" };
  readonly meta: Metadata;
}

function tellTokenTransfer({ event, below }: Told): readonly Draft[] {
  const { argument, result } = decodeExercise(event);
  const { sender, receiver, amount, meta } = (argument as { transfer: TokenTransfer }).transfer;
  const { output } = result as TokenResult;
  const inner = walk(below);
  const { nodeId } = event;
  const description = find(meta, REASON);
  if (output.tag !== "TransferInstructionResult_Pending") {
    if (hasTransfer(inner)) return inner;
    return change([draftPlain(nodeId, [sender, amount], [receiver, amount])], { description });
  }
  // The coin stays the sender's, locked.
  const drafts = hasTransfer(inner) ? inner : [draftPlain(nodeId, [sender, ZERO], [sender, amount])];
  const instructed = {
    ...{
      description,
      transferInstructionReceiver: receiver,
      transferInstructionAmount: formatDecimal(amount),
    },
    transferInstructionCid: output.value.transferInstructionCid,
    transfer_kind: "create_transfer_instruction",
  } as const;
  return change(drafts, instructed, nodeId);
}

function tellAccept({ event, below }: Told): readonly Draft[] {
  const { output, meta } = decodeExercise(event).result as TokenResult;
  const inner = walk(below);
  const [coin] = output.tag === "TransferInstructionResult_Completed" ? output.value.receiverHoldingCids : [];
  const drafts =
    hasTransfer(inner) || coin === undefined ? inner : [tellReceived({ event, below }, coin, meta)];
  return change(drafts, {
    transferInstructionCid: event.contractId,
    transfer_kind: "transfer_instruction_accept",
  });
}

function tellAbort({ event }: Told, kind: "withdraw" | "reject"): readonly Draft[] {
  const aborted = { abort_kind: kind, transfer_instruction_cid: event.contractId };
  const { nodeId } = event;
  return [
    {
      ...{ ...NOTHING, nodeId, round: null, transaction_type: "abort_transfer_instruction" },
      abort_transfer_instruction: aborted,
    },
  ];
}

function tellAllocation({ event, below }: Told): readonly Draft[] {
  const inner = walk(below);
  if (hasTransfer(inner)) return inner;
  const { allocation } = decodeExercise(event).argument as {
    readonly allocation: { readonly transferLeg: { readonly sender: PartyId; readonly amount: Decimal } };
  };
  const { sender, amount } = allocation.transferLeg;
  return [draftPlain(event.nodeId, [sender, amount], [sender, amount])];
}

function tellExecution({ event, below }: Told): readonly Draft[] {
  const inner = walk(below);
  const { receiverHoldingCids, meta } = decodeExercise(event).result as {
    readonly receiverHoldingCids: readonly ContractId[];
    readonly meta: Metadata;
  };
  const [coin] = receiverHoldingCids;
  return hasTransfer(inner) || coin === undefined ? inner : [tellReceived({ event, below }, coin, meta)];
}

/** Of a name's payment, what the DSO receives: it is burned right behind. */
function tellCollected({ below }: Told, choice: string): readonly Draft[] {
  const begin = below.findIndex((event) => event.kind === "exercise" && event.choice === choice);
  const payment = below[begin];
  if (payment === undefined || payment.kind === "create") return [];
  return walk(below.slice(begin).filter(({ nodeId }) => nodeId <= payment.lastDescendant));
}

function tellReceived({ event, below }: Told, coin: ContractId, meta: Metadata): Draft {
  const { owner, amount } = findCoin(below, coin);
  const sender = (find(meta, SENDER) ?? owner) as PartyId;
  return draftPlain(event.nodeId, [sender, amount.initialAmount], [owner, amount.initialAmount]);
}

function findCoin(events: readonly StoredEvent[], coin: ContractId): PayloadOf<typeof Amulet> {
  const created = events.find((event) => event.kind === "create" && event.contractId === coin);
  if (created === undefined || created.kind !== "create") throw new Error(`${coin} was not created here`);
  return needTemplate(Amulet.id).payload.decode(created.payload) as PayloadOf<typeof Amulet>;
}

function find({ values }: Metadata, key: string): string | null {
  return values.find(([each]) => each === key)?.[1] ?? null;
}
