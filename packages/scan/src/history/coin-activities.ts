/**
 * Transfers, taps and mints of an update, in the order of its transaction, as Splice's scan tells them. Where a choice of the
 * token standard or of a preapproval makes a transfer, that transfer is told once, in the place of the outer choice.
 */
import {
  Amulet,
  type ContractId,
  type Decimal,
  decimal,
  findMetadata,
  type Metadata,
  multiply,
  type PartyId,
  type PayloadOf,
  REASON_KEY,
  SENDER_KEY,
  type TransferResult,
  ZERO,
} from "@callsign/ledger";
import { decodeExercise } from "./decode-exercise.ts";
import { needTemplate } from "./need-template.ts";
import type { StoredEvent, StoredExercise } from "./stored-update.ts";

export interface SenderAmounts {
  readonly input: Decimal;
  readonly appRewards: Decimal;
  readonly validatorRewards: Decimal;
  readonly svRewards: Decimal;
  readonly faucet: Decimal | null;
  readonly changeFee: Decimal;
  readonly change: Decimal;
  readonly fee: Decimal;
  readonly holdingFees: Decimal;
}

export interface ToldTransfer {
  readonly sender: PartyId;
  readonly amounts: SenderAmounts;
  readonly receivers: readonly { readonly party: PartyId; readonly amount: Decimal; readonly fee: Decimal }[];
  readonly description: string | null;
  /** Of an instruction that the transfer waits for, or that it follows. */
  readonly instruction: {
    readonly contractId: ContractId;
    /** Null of an instruction that was accepted. */
    readonly offer: { readonly receiver: PartyId; readonly amount: Decimal } | null;
  } | null;
  readonly kind: "create_transfer_instruction" | "transfer_instruction_accept" | "preapproval_send" | null;
}

export type ToldActivity =
  | { readonly type: "transfer"; readonly transfer: ToldTransfer }
  | { readonly type: "devnet_tap" | "mint"; readonly owner: PartyId; readonly amount: Decimal }
  | {
      readonly type: "abort_transfer_instruction";
      readonly kind: "withdraw" | "reject";
      readonly contractId: ContractId;
    };

export interface CoinActivity {
  readonly nodeId: number;
  /** Null where Splice tells none. */
  readonly round: bigint | null;
  readonly told: ToldActivity;
}

interface Exercised {
  readonly event: StoredExercise;
  /** The events below it. */
  readonly below: readonly StoredEvent[];
}

type Rule = (exercised: Exercised) => readonly CoinActivity[];

const ONE = decimal("1.0");

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["AmuletRules_Transfer", tellTransfer],
  ["AmuletRules_DevNet_Tap", (exercised) => tellCreated(exercised, "devnet_tap")],
  ["AmuletRules_Mint", (exercised) => tellCreated(exercised, "mint")],
  ["TransferPreapproval_Send", tellSend],
  ["TransferPreapproval_SendV2", tellSendV2],
  ["TransferFactory_Transfer", tellTokenTransfer],
  ["TransferInstruction_Accept", tellAccept],
  ["TransferInstruction_Withdraw", (exercised) => tellAbort(exercised, "withdraw")],
  ["TransferInstruction_Reject", (exercised) => tellAbort(exercised, "reject")],
  ["AllocationFactory_Allocate", tellAllocation],
  ["Allocation_ExecuteTransfer", tellExecution],
  [
    "AnsRules_CollectInitialEntryPayment",
    (exercised) => tellCollected(exercised, "SubscriptionInitialPayment_Collect"),
  ],
  [
    "AnsRules_CollectEntryRenewalPayment",
    (exercised) => tellCollected(exercised, "SubscriptionPayment_Collect"),
  ],
]);

/** Coin that is burned for something is no transfer. */
const BURNING: ReadonlySet<string> = new Set([
  "AmuletRules_BuyMemberTraffic",
  "AmuletRules_CreateExternalPartySetupProposal",
  "AmuletRules_CreateTransferPreapproval",
  "TransferPreapproval_Renew",
]);

/** An update without any of these choices has no activity. */
export const ACTIVITY_CHOICES: ReadonlySet<string> = new Set(RULES.keys());

export function listCoinActivities(events: readonly StoredEvent[]): readonly CoinActivity[] {
  const activities: CoinActivity[] = [];
  for (let i = 0; i < events.length; ) {
    const event = events[i++] as StoredEvent;
    if (event.kind === "create") continue;
    const begin = i;
    while (i < events.length && (events[i] as StoredEvent).nodeId <= event.lastDescendant) i++;
    const exercised = { event, below: events.slice(begin, i) };
    if (BURNING.has(event.choice)) continue;
    activities.push(...(RULES.get(event.choice)?.(exercised) ?? listCoinActivities(exercised.below)));
  }
  return activities;
}

interface Output {
  readonly receiver: PartyId;
  readonly amount: Decimal;
  readonly receiverFeeRatio: Decimal;
}

function transferBy(
  { nodeId }: StoredExercise,
  { sender, outputs }: { readonly sender: PartyId; readonly outputs: readonly Output[] },
  { round, summary }: TransferResult,
): CoinActivity {
  let fee = 0n;
  const receivers = new Map<PartyId, { readonly amount: bigint; readonly fee: bigint }>();
  for (const [i, { receiver, amount, receiverFeeRatio }] of outputs.entries()) {
    const total = summary.outputFees[i] ?? ZERO;
    fee += multiply(total, (ONE - receiverFeeRatio) as Decimal);
    const known = receivers.get(receiver) ?? { amount: 0n, fee: 0n };
    receivers.set(receiver, {
      amount: known.amount + amount,
      fee: known.fee + multiply(total, receiverFeeRatio),
    });
  }
  return toldAs(nodeId, round.number, {
    ...PLAIN,
    sender,
    amounts: {
      input: summary.inputAmuletAmount,
      appRewards: summary.inputAppRewardAmount,
      validatorRewards: summary.inputValidatorRewardAmount,
      svRewards: summary.inputSvRewardAmount,
      faucet: summary.inputValidatorFaucetAmount,
      changeFee: summary.senderChangeFee,
      change: summary.senderChangeAmount,
      fee: fee as Decimal,
      holdingFees: summary.holdingFees,
    },
    receivers: [...receivers].map(([party, sums]) => ({
      party,
      amount: sums.amount as Decimal,
      fee: sums.fee as Decimal,
    })),
  });
}

const PLAIN = { description: null, instruction: null, kind: null } as const;
const NO_AMOUNTS = {
  ...{ appRewards: ZERO, validatorRewards: ZERO, svRewards: ZERO, faucet: null },
  ...{ changeFee: ZERO, change: ZERO, fee: ZERO, holdingFees: ZERO },
} as const;

/** A transfer without fees, of which no round is known: Splice tells it as of round 0. */
function plainTransfer(
  { nodeId }: StoredExercise,
  from: { readonly party: PartyId; readonly amount: Decimal },
  to: { readonly party: PartyId; readonly amount: Decimal },
): CoinActivity {
  const amounts = { ...NO_AMOUNTS, input: from.amount };
  return toldAs(nodeId, 0n, { ...PLAIN, sender: from.party, amounts, receivers: [{ ...to, fee: ZERO }] });
}

function toldAs(nodeId: number, round: bigint, transfer: ToldTransfer): CoinActivity {
  return { nodeId, round, told: { type: "transfer", transfer } };
}

/** The same activities, with other values of their transfers, in the place of a choice if one is given. */
function changeTransfers(
  activities: readonly CoinActivity[],
  changed: Partial<ToldTransfer>,
  place?: StoredExercise,
): readonly CoinActivity[] {
  return activities.map((activity) => {
    const { told, round } = activity;
    if (told.type !== "transfer") return activity;
    return toldAs(place?.nodeId ?? activity.nodeId, round ?? 0n, { ...told.transfer, ...changed });
  });
}

/** The transfers below a choice, or the one that is told in their place. */
function innerOr({ below }: Exercised, make: () => CoinActivity | null): readonly CoinActivity[] {
  const inner = listCoinActivities(below);
  if (inner.some(({ told }) => told.type === "transfer")) return inner;
  const made = make();
  return made === null ? inner : [made];
}

function tellTransfer({ event }: Exercised): readonly CoinActivity[] {
  const { argument, result } = decodeExercise(event);
  const { transfer } = argument as { transfer: { sender: PartyId; outputs: readonly Output[] } };
  return [transferBy(event, transfer, result as TransferResult)];
}

function tellCreated({ event, below }: Exercised, type: "devnet_tap" | "mint"): readonly CoinActivity[] {
  const { result } = decodeExercise(event);
  const { amuletSum } = result as { amuletSum: { amulet: ContractId; round: { number: bigint } } };
  const { owner, amount } = findCoin(below, amuletSum.amulet);
  const round = type === "mint" ? null : amuletSum.round.number;
  return [{ nodeId: event.nodeId, round, told: { type, owner, amount: amount.initialAmount } }];
}

function tellSend({ event, below }: Exercised): readonly CoinActivity[] {
  const { description } = decodeExercise(event).argument as { description: string | null };
  return changeTransfers(listCoinActivities(below), { description, kind: "preapproval_send" }, event);
}

function tellSendV2({ event }: Exercised): readonly CoinActivity[] {
  const { argument, result: given } = decodeExercise(event);
  const { sender, amount, description } = argument as {
    readonly sender: PartyId;
    readonly amount: Decimal;
    readonly description: string | null;
  };
  const { result } = given as { result: TransferResult };
  const others = result.summary.balanceChanges.map(([party]) => party).filter((party) => party !== sender);
  const output = { receiver: others[0] ?? sender, amount, receiverFeeRatio: ZERO };
  const sent = transferBy(event, { sender, outputs: [output] }, result);
  return changeTransfers([sent], { description, kind: "preapproval_send" });
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
        readonly value: { readonly transferInstructionCid: ContractId };
      }
    | {
        readonly tag: "TransferInstructionResult_Completed";
        readonly value: { readonly receiverHoldingCids: readonly ContractId[] };
      }
    | { readonly tag: "TransferInstructionResult_Failed" };
  readonly meta: Metadata;
}

function tellTokenTransfer(exercised: Exercised): readonly CoinActivity[] {
  const { event } = exercised;
  const { argument, result } = decodeExercise(event);
  const { sender, receiver, amount, meta } = (argument as { transfer: TokenTransfer }).transfer;
  const { output } = result as TokenResult;
  const description = findMetadata(meta, REASON_KEY);
  if (output.tag !== "TransferInstructionResult_Pending")
    return innerOr(exercised, () => {
      const transfer = plainTransfer(event, { party: sender, amount }, { party: receiver, amount });
      return changeTransfers([transfer], { description })[0] ?? null;
    });
  // The coin stays the sender's, locked.
  const locked = innerOr(exercised, () =>
    plainTransfer(event, { party: sender, amount: ZERO }, { party: sender, amount }),
  );
  const contractId = output.value.transferInstructionCid;
  const instruction = { contractId, offer: { receiver, amount } };
  return changeTransfers(locked, { description, instruction, kind: "create_transfer_instruction" }, event);
}

function tellAccept(exercised: Exercised): readonly CoinActivity[] {
  const { contractId } = exercised.event;
  const { output, meta } = decodeExercise(exercised.event).result as TokenResult;
  const [coin] = output.tag === "TransferInstructionResult_Completed" ? output.value.receiverHoldingCids : [];
  return changeTransfers(
    innerOr(exercised, () => tellReceived(exercised, coin, meta)),
    { instruction: { contractId, offer: null }, kind: "transfer_instruction_accept" },
  );
}

function tellAbort(
  { event: { nodeId, contractId } }: Exercised,
  kind: "withdraw" | "reject",
): readonly CoinActivity[] {
  return [{ nodeId, round: null, told: { type: "abort_transfer_instruction", kind, contractId } }];
}

function tellAllocation(exercised: Exercised): readonly CoinActivity[] {
  return innerOr(exercised, () => {
    const { allocation } = decodeExercise(exercised.event).argument as {
      readonly allocation: { readonly transferLeg: { readonly sender: PartyId; readonly amount: Decimal } };
    };
    const own = { party: allocation.transferLeg.sender, amount: allocation.transferLeg.amount };
    return plainTransfer(exercised.event, own, own);
  });
}

function tellExecution(exercised: Exercised): readonly CoinActivity[] {
  const { receiverHoldingCids, meta } = decodeExercise(exercised.event).result as {
    readonly receiverHoldingCids: readonly ContractId[];
    readonly meta: Metadata;
  };
  return innerOr(exercised, () => tellReceived(exercised, receiverHoldingCids[0], meta));
}

/** Of a name's payment, only that which the DSO receives is told: it is burned right behind. */
function tellCollected({ below }: Exercised, choice: string): readonly CoinActivity[] {
  const begin = below.findIndex((event) => event.kind === "exercise" && event.choice === choice);
  const payment = below[begin];
  if (payment === undefined || payment.kind === "create") return [];
  return listCoinActivities(below.slice(begin).filter(({ nodeId }) => nodeId <= payment.lastDescendant));
}

/** Null if nobody received a coin. */
function tellReceived(
  { event, below }: Exercised,
  coin: ContractId | undefined,
  meta: Metadata,
): CoinActivity | null {
  if (coin === undefined) return null;
  const { owner, amount } = findCoin(below, coin);
  const sender = (findMetadata(meta, SENDER_KEY) ?? owner) as PartyId;
  const moved = amount.initialAmount;
  return plainTransfer(event, { party: sender, amount: moved }, { party: owner, amount: moved });
}

function findCoin(events: readonly StoredEvent[], coin: ContractId): PayloadOf<typeof Amulet> {
  const created = events.find((event) => event.kind === "create" && event.contractId === coin);
  if (created === undefined || created.kind !== "create") throw new Error(`${coin} was not created here`);
  return needTemplate(Amulet.id).payload.decode(created.payload) as PayloadOf<typeof Amulet>;
}
