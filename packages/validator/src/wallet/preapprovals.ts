/** Preapprovals: the receiver's consent to get coin without being asked, which the validator provides and pays for. */
import {
  addDuration,
  type ContractId,
  type PartyId,
  TransferPreapproval,
  TransferPreapprovalProposal,
} from "@callsign/ledger";
import type { KeyedQueue } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { create } from "../ledger/commands.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { PREAPPROVAL_MICROSECONDS } from "../limits/limits.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { invalid } from "./request-fields.ts";
import { submitUnlessSent } from "./submit-unless-sent.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletDirectory } from "./wallet-directory.ts";
import { type CoinOperation, getCreated, type Stale, type WalletParts } from "./wallet-ledger.ts";

interface CopyParts {
  readonly store: WalletStore;
  readonly clock: LedgerClock;
}

export interface PreapprovalParts extends WalletParts {
  readonly directory: WalletDirectory;
  /** One creation at a time for each party. */
  readonly preapprovalQueue: KeyedQueue;
}

/** The party's preapproval, unless it has expired. */
async function findPreapproval(
  { store, clock }: CopyParts,
  receiver: string,
): Promise<WalletContract<TransferPreapproval> | undefined> {
  const held = await store.list(TransferPreapproval, { owner: receiver });
  return held.find(({ payload }) => payload.expiresAt > clock.now);
}

/** The operator accepts a proposal for 90 days. Stale if the proposal is gone, or its receiver has a preapproval. */
export function acceptProposal(parts: CopyParts, contractId: string): () => Promise<CoinOperation | Stale> {
  const { store, clock } = parts;
  return async () => {
    const proposal = await store.find(TransferPreapprovalProposal, contractId);
    if (proposal === undefined || (await findPreapproval(parts, proposal.owner)) !== undefined)
      return "stale";
    const expiresAt = addDuration(clock.now, PREAPPROVAL_MICROSECONDS);
    const value = { preapprovalProposalCid: proposal.contractId, expiresAt };
    return { operation: { tag: "CO_AcceptTransferPreapprovalProposal", value } };
  };
}

/**
 * Proposes a preapproval and lets the operator pay for it at once. If the operator has too little coin, the proposal
 * stays, and is accepted when there is enough.
 */
export function createPreapproval(parts: PreapprovalParts, { party }: Wallet): Promise<ContractId> {
  return parts.preapprovalQueue.run(party, async () => {
    await parts.ledger.requireCopy();
    await refuseIfHeld(parts, party);
    const proposal = await findOrPropose(parts, party);
    await pay(parts, proposal);
    const made = await findPreapproval(parts, party);
    // It was there a moment ago.
    if (made === undefined) throw new ValidatorError({ kind: "copy-incomplete" });
    return made.contractId;
  });
}

async function refuseIfHeld(parts: PreapprovalParts, party: PartyId): Promise<void> {
  const held = await findPreapproval(parts, party);
  if (held !== undefined)
    throw new ValidatorError({ kind: "preapproval-exists", contractId: held.contractId });
}

async function findOrPropose(parts: PreapprovalParts, party: PartyId): Promise<string> {
  const { store, facts, ledger, operatorParty } = parts;
  const expectedDso = await facts.dso();
  const findOpen = async () => {
    const proposals = await store.list(TransferPreapprovalProposal, { owner: party, link: operatorParty });
    // The ledger accepts none that names no DSO.
    return proposals.find(({ payload }) => payload.expectedDso === expectedDso)?.contractId;
  };
  const open = await findOpen();
  if (open !== undefined) return open;
  const proposal = { receiver: party, provider: operatorParty, expectedDso };
  const commands = [create(TransferPreapprovalProposal, proposal)];
  const made = await submitUnlessSent(parts, `preapproval_${party}`, async (commandId) => {
    const transaction = await ledger.submitAs("user", party, async () => ({ commands }), { commandId });
    return getCreated(transaction, TransferPreapprovalProposal);
  });
  if (made !== undefined) return made;
  await ledger.requireCopy();
  await refuseIfHeld(parts, party);
  return (await findOpen()) ?? (await findOrPropose(parts, party));
}

/** The automation that accepts proposals may be faster: then nothing is left to do. */
async function pay(parts: PreapprovalParts, proposal: string): Promise<void> {
  const { ledger, directory, operatorParty } = parts;
  const operator = await directory.findByParty(operatorParty);
  if (operator === undefined)
    throw invalid("The operator of this validator has no wallet to pay for a preapproval: ask the operator.");
  await ledger.runOperation(operator, acceptProposal(parts, proposal)).catch((error: unknown) => {
    if (!(error instanceof ValidatorError) || error.problem.kind !== "not-enough-coin") throw error;
    throw new ValidatorError({ kind: "preapproval-unpaid", missing: error.problem.missing });
  });
}
