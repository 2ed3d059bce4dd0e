/** Contexts of transfers and allocations of coin, as the ledger's choices read them. */
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  DecodeError,
  FeaturedAppRight,
  formatInstant,
  LockedAmulet,
  ledgerJson,
  type Time,
  TransferFactory,
  TransferPreapproval,
} from "@callsign/ledger";
import { findContract } from "../contracts/find-contract.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ContextParts } from "./choice-context.ts";
import { findTransferTerms } from "./transfer-terms.ts";

/** The reason why there is no context: a status and a text of Splice. */
export interface NoContext {
  readonly kind: "none";
  readonly status: 400 | 404;
  readonly reason: string;
}
export type Found<T> = { readonly kind: "found"; readonly value: T } | NoContext;

export interface TransferOfKind {
  readonly transferKind: "self" | "direct" | "offer";
  readonly parts: ContextParts;
}

const NO_ROUND: NoContext = { kind: "none", status: 404, reason: "No open usable OpenMiningRound found." };

/** The context of a transfer by the factory, whose choice has this argument. */
export function findFactoryTransfer(index: ScanIndex, argument: unknown): Found<TransferOfKind> {
  const transfer = readTransfer(argument);
  if (transfer.kind === "none") return transfer;
  const named = findTransferTerms(index.contracts, index.now);
  if (named === null) return NO_ROUND;
  const { sender, receiver } = transfer.value;
  if (sender === receiver) return found({ transferKind: "self", parts: withTerms(named) });
  const preapproval = index.partyContracts.findNewest(TransferPreapproval, receiver);
  // The ledger refuses to use one that has expired, although it may not be archived yet.
  if (preapproval === undefined || preapproval.payload.expiresAt <= index.now)
    return found({ transferKind: "offer", parts: withTerms(named) });
  const direct: ContextParts["named"] = [
    ...named,
    ...findRight(index, preapproval.payload.provider),
    { key: "transfer-preapproval", contract: preapproval },
  ];
  return found({ transferKind: "direct", parts: withTerms(direct) });
}

export function findAllocationTerms(index: ScanIndex): Found<ContextParts> {
  const named = findTransferTerms(index.contracts, index.now);
  return named === null ? NO_ROUND : found(withTerms(named));
}

/** The second step of a transfer, or of an allocation. */
export interface SecondStep {
  /** True if the coin changes hands: then its lock has to stand. */
  readonly handsOver: boolean;
}

export function findTransferStep(index: ScanIndex, id: string, step: SecondStep): Found<ContextParts> {
  const what = `AmuletTransferInstruction '${id}'`;
  const instruction = findContract(index.state, AmuletTransferInstruction, id);
  if (instruction === undefined || !isOfDso(index, instruction.payload.transfer))
    return notFound(`${what} not found.`);
  const { lockedAmulet, transfer } = instruction.payload;
  return findStep(index, { what, lockedAmulet, expiresAt: transfer.executeBefore, featured: null }, step);
}

export function findAllocationStep(index: ScanIndex, id: string, step: SecondStep): Found<ContextParts> {
  const what = `AmuletAllocation '${id}'`;
  const contract = findContract(index.state, AmuletAllocation, id);
  if (contract === undefined || !isOfDso(index, contract.payload.allocation.transferLeg))
    return notFound(`${what} not found.`);
  const { lockedAmulet, allocation } = contract.payload;
  const { executor, settleBefore } = allocation.settlement;
  const featured = step.handsOver ? executor : null;
  return findStep(index, { what, lockedAmulet, expiresAt: settleBefore, featured }, step);
}

/** Anybody may create contracts that name a DSO of their own. */
function isOfDso(
  { network }: ScanIndex,
  { instrumentId }: { readonly instrumentId: { readonly admin: string } },
): boolean {
  return instrumentId.admin === network?.dso;
}

interface LockedCoin {
  readonly what: string;
  readonly lockedAmulet: string;
  readonly expiresAt: Time;
  /** The app that may be rewarded for it. */
  readonly featured: string | null;
}

/** The owner may take the lock off after the deadline. The transfer can then only be ended, which needs no contract. */
function findStep(
  index: ScanIndex,
  { what, lockedAmulet, expiresAt, featured }: LockedCoin,
  { handsOver }: SecondStep,
): Found<ContextParts> {
  const locked = findContract(index.state, LockedAmulet, lockedAmulet);
  if (locked === undefined) {
    if (!handsOver) return found({ named: [], disclosed: [], expireLock: false });
    const expiry = `which expires on ${formatInstant(expiresAt)}`;
    return notFound(`LockedAmulet '${lockedAmulet}' not found for ${what}, ${expiry}`);
  }
  const terms = findTransferTerms(index.contracts, index.now);
  if (terms === null) return NO_ROUND;
  const named = [...terms, ...(featured === null ? [] : findRight(index, featured))];
  return found({ named, disclosed: [locked], expireLock: true });
}

function findRight(index: ScanIndex, provider: string): ContextParts["named"] {
  const contract = index.partyContracts.findOldest(FeaturedAppRight, provider);
  return contract === undefined ? [] : [{ key: "featured-app-right", contract }];
}

/** The context depends on sender and receiver alone. */
function readTransfer(argument: unknown): Found<{ readonly sender: string; readonly receiver: string }> {
  try {
    const { transfer } = TransferFactory.choices.TransferFactory_Transfer.argument.fromJson(
      argument as never,
      ledgerJson,
    );
    return found({ sender: transfer.sender, receiver: transfer.receiver });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const field = "Field `choiceArguments` does not contain a valid `TransferFactory_Transfer`";
    return { kind: "none", status: 400, reason: `${field}: ${error.message}` };
  }
}

function withTerms(named: ContextParts["named"]): ContextParts {
  return { named, disclosed: [], expireLock: null };
}

function found<T>(value: T): Found<T> {
  return { kind: "found", value };
}

function notFound(reason: string): NoContext {
  return { kind: "none", status: 404, reason };
}
