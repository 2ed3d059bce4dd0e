/**
 * The transfers of a transaction, by any choice: between people, through a preapproval, or to pay the
 * network, where the price is split off and burned.
 */
import type { Amulet } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyConfigState } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-config-state.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import type {
  ExternalPartyTransferContext,
  PaymentTransferContext,
  Transfer,
  TransferContext,
  TransferInput,
  TransferResult,
  TransferSummary,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import { TransferPreapproval } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer-preapproval.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import { DAY } from "../../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import type { Book } from "./book.ts";
import { over, times, UNIT } from "./decimals.ts";
import { findTokenMove, type TokenMove } from "./token-transfers.ts";
import { hold } from "./violation.ts";

interface Output {
  readonly receiver: PartyId;
  readonly amount: bigint;
}

export interface MadeTransfer {
  readonly node: ExerciseNode;
  readonly dso: PartyId;
  readonly sender: PartyId;
  readonly inputs: readonly TransferInput[];
  readonly outputs: readonly Output[];
  /** The part of the outputs that is burned at once: all of it, or nothing. */
  readonly burned: bigint;
  readonly summary: TransferSummary | null;
  /** The round that the result says it was booked in. */
  readonly bookedIn: bigint;
  /** The round and the rate of new coins. */
  readonly terms: { readonly round: bigint; readonly rate: bigint };
}

const PREAPPROVAL_FEE_USD = (274n * UNIT) / 100_000n;

export function listTransfers(transaction: Transaction, book: Book): readonly MadeTransfer[] {
  return transaction.nodes.flatMap((node) => {
    if (node.kind === "create") return [];
    const read = READERS[node.choice] ?? PURCHASES[node.choice];
    if (read !== undefined) return [read(node, book, transaction)];
    const move = findTokenMove(node, transaction, book);
    return move === null ? [] : [tokenTransfer(node, move, book)];
  });
}

/** By the token standard there is no summary, and nothing is minted. */
function tokenTransfer(node: ExerciseNode, { leg, inputs, state }: TokenMove, book: Book): MadeTransfer {
  const { sender, receiver, amount, instrumentId } = leg;
  const terms = termsOfState(state, book);
  const outputs = [{ receiver, amount }];
  const transfer = { node, dso: instrumentId.admin, sender, inputs, outputs, burned: 0n, terms };
  return { ...transfer, summary: null, bookedIn: terms.round };
}

type Reader = (node: ExerciseNode, book: Book, transaction: Transaction) => MadeTransfer;

const READERS: Readonly<Record<string, Reader>> = {
  AmuletRules_Transfer: (node, book) => {
    const { transfer, context } = node.argument.value as { transfer: Transfer; context: TransferContext };
    const { dso } = book.payload(AmuletRules, node.contractId);
    const terms = termsOfRound(context.openMiningRound, book);
    return { node, dso, ...partsOf(transfer), burned: 0n, terms, ...resultOf(node.result.value) };
  },
  TransferPreapproval_SendV2: (node, book) => {
    const { dso, receiver } = book.payload(TransferPreapproval, node.contractId);
    const { sender, inputs, amount, context } = node.argument.value as {
      readonly sender: PartyId;
      readonly inputs: readonly TransferInput[];
      readonly amount: bigint;
      readonly context: ExternalPartyTransferContext;
    };
    const outputs = [{ receiver, amount }];
    const { result } = node.result.value as { readonly result: TransferResult };
    const terms = termsOfState(context.externalPartyConfigState, book);
    return { node, dso, sender, inputs, outputs, burned: 0n, terms, ...resultOf(result) };
  },
};

const PURCHASES: Readonly<Record<string, Reader>> = {
  AmuletRules_BuyMemberTraffic: (node, book) => {
    const argument = node.argument.value as {
      readonly provider: PartyId;
      readonly inputs: readonly TransferInput[];
      readonly context: TransferContext;
      readonly trafficAmount: bigint;
    };
    const { dso, configSchedule } = book.payload(AmuletRules, node.contractId);
    const { extraTrafficPrice } = configSchedule.initialValue.decentralizedSynchronizer.fees;
    const usd = times(over(argument.trafficAmount * UNIT, 1_000_000n * UNIT), extraTrafficPrice);
    const result = node.result.value as TransferResult & { readonly amuletPaid: bigint };
    const { provider: sender, inputs, context } = argument;
    const paid = { node, dso, sender, inputs, usd, amuletPaid: result.amuletPaid };
    return burn(paid, context, resultOf(result), book);
  },
  AmuletRules_CreateExternalPartySetupProposal: (node, book, { ledgerTime }) => {
    const argument = node.argument.value as {
      readonly validator: PartyId;
      readonly preapprovalExpiresAt: bigint;
    };
    return payForTime(node, argument.validator, argument.preapprovalExpiresAt - ledgerTime, book);
  },
  AmuletRules_CreateTransferPreapproval: (node, book, { ledgerTime }) => {
    const argument = node.argument.value as { readonly provider: PartyId; readonly expiresAt: bigint };
    return payForTime(node, argument.provider, argument.expiresAt - ledgerTime, book);
  },
  TransferPreapproval_Renew: (node, book) => {
    const { provider, expiresAt } = book.payload(TransferPreapproval, node.contractId);
    const { newExpiresAt } = node.argument.value as { readonly newExpiresAt: bigint };
    return payForTime(node, provider, newExpiresAt - expiresAt, book);
  },
};

/** True if a choice is one by which the network is paid. */
export function isPurchase({ choice }: ExerciseNode): boolean {
  return PURCHASES[choice] !== undefined;
}

/** A preapproval costs its days × the fee of a day, in dollars. */
function payForTime(node: ExerciseNode, sender: PartyId, micros: bigint, book: Book): MadeTransfer {
  const { inputs, context } = node.argument.value as {
    readonly inputs: readonly TransferInput[];
    readonly context: PaymentTransferContext;
  };
  const { amuletPaid, transferResult } = node.result.value as {
    readonly amuletPaid: bigint;
    readonly transferResult: TransferResult;
  };
  const { dso, configSchedule } = book.payload(AmuletRules, context.amuletRules);
  const fee = configSchedule.initialValue.transferPreapprovalFee ?? PREAPPROVAL_FEE_USD;
  const usd = times(over(micros * UNIT, DAY * UNIT), fee);
  const paid = { node, dso, sender, inputs, usd, amuletPaid };
  return burn(paid, context.context, resultOf(transferResult), book);
}

function burn(
  paid: Pick<MadeTransfer, "node" | "dso" | "sender" | "inputs"> & { usd: bigint; amuletPaid: bigint },
  { openMiningRound }: TransferContext,
  result: Pick<MadeTransfer, "summary" | "bookedIn">,
  book: Book,
): MadeTransfer {
  const { usd, amuletPaid, ...transfer } = paid;
  const price = over(usd, book.payload(OpenMiningRound, openMiningRound).amuletPrice);
  hold("a purchase costs its price", amuletPaid === price, () => `${amuletPaid}, not ${price}`);
  const outputs = [{ receiver: transfer.sender, amount: price }];
  return { ...transfer, outputs, burned: price, terms: termsOfRound(openMiningRound, book), ...result };
}

function partsOf({ sender, inputs, outputs }: Transfer) {
  return { sender, inputs, outputs };
}

function resultOf(value: unknown): Pick<MadeTransfer, "summary" | "bookedIn"> {
  const { summary, round } = value as TransferResult;
  return { summary, bookedIn: round.number };
}

function termsOfRound(contractId: ContractId, book: Book): MadeTransfer["terms"] {
  const { round, amuletPrice, transferConfigUsd } = book.payload(OpenMiningRound, contractId);
  return { round: round.number, rate: rateOf(transferConfigUsd.holdingFee, amuletPrice) };
}

function termsOfState(contractId: ContractId, book: Book): MadeTransfer["terms"] {
  const state = book.payload(ExternalPartyConfigState, contractId);
  const rate = rateOf(state.transferConfig.holdingFee, state.amuletPrice);
  return { round: state.holdingFeesOpenRoundNumber.number, rate };
}

function rateOf({ rate }: Amulet["amount"]["ratePerRound"], price: bigint): bigint {
  return times(over(UNIT, price), rate);
}
