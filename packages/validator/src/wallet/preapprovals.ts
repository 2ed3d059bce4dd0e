/**
 * Preapprovals: the receiver's consent to get coin without being asked, which the validator provides and pays for; and
 * coin sent by one.
 */
import type { DisclosedContract, TransferPreapprovalSendRequest } from "@callsign/api";
import {
  addDuration,
  type ContractId,
  type Decimal,
  type PartyId,
  scanJson,
  TransferPreapproval,
  TransferPreapprovalProposal,
} from "@callsign/ledger";
import type { KeyedQueue } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { create } from "../ledger/commands.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { MAX_COMMAND_ID, MAX_SENT_DESCRIPTION, PREAPPROVAL_MICROSECONDS } from "../limits/limits.ts";
import { type CoinContext, disclose, readContractId } from "../scans/network-facts.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { OnceOnly } from "./once-only.ts";
import { invalid, readAmount, readPartyField, readText } from "./request-fields.ts";
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
  readonly once: OnceOnly;
  /** The queue of creations: one at a time for each party. */
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
    // The preapproval was created, and is gone again.
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
    // The ledger accepts no proposal that names another DSO or none.
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

export async function sendByPreapproval(
  parts: PreapprovalParts,
  wallet: Wallet,
  given: TransferPreapprovalSendRequest,
): Promise<undefined> {
  const receiver = readPartyField("receiver_party_id", given.receiver_party_id);
  const amount = readAmount("amount", given.amount, "coin");
  const id = readText("deduplication_id", given.deduplication_id, MAX_COMMAND_ID);
  const description =
    given.description === null ? null : readText("description", given.description, MAX_SENT_DESCRIPTION);
  const send = (context: CoinContext) => sendOperation(parts, receiver, { amount, description }, context);
  await parts.once.run({
    ...{ operation: "transferPreapprovalSend", party: wallet.party, id, content: given },
    what: "Transfer with deduplication_id",
    check: async () => undefined,
    submit: (identity) => parts.ledger.runOperation(wallet, send, { identity }),
    answerOf: () => "",
  });
}

/** Throws if the receiver has no preapproval. */
export async function sendOperation(
  parts: WalletParts,
  receiver: PartyId,
  sent: { readonly amount: Decimal; readonly description: string | null },
  context: CoinContext,
): Promise<CoinOperation> {
  const found = await findForSender(parts, receiver, context);
  if (found === undefined) throw new ValidatorError({ kind: "no-preapproval", receiver });
  // The receiver's provider earns app rewards by it.
  const right = await parts.facts.featuredRightOf(found.provider);
  const value = {
    transferPreapprovalCid: found.contractId,
    providerFeaturedAppRightCid: right === null ? null : readContractId(right),
    ...sent,
  };
  const disclosed = [found.disclosed, ...(right === null ? [] : [disclose(right)])];
  return { operation: { tag: "CO_TransferPreapprovalSend", value }, disclosed };
}

/** A preapproval that the sender names without seeing it on the ledger. */
interface ShownPreapproval {
  readonly contractId: ContractId;
  readonly provider: PartyId;
  readonly disclosed: DisclosedContract;
}

/** Receivers with a wallet here are in the copy of the ledger; scans know all others. */
async function findForSender(
  parts: WalletParts,
  receiver: PartyId,
  context: CoinContext,
): Promise<ShownPreapproval | undefined> {
  const own = await findPreapproval(parts, receiver);
  if (own !== undefined) {
    const { contractId, templateId, blob: createdEventBlob, payload } = own;
    // The rules of coin, which come first, are on the same synchronizer.
    const synchronizerId = context.disclosed[0]?.synchronizerId ?? "";
    const disclosed = { templateId, contractId, createdEventBlob, synchronizerId };
    return { contractId, provider: payload.provider, disclosed };
  }
  const seen = await parts.facts.preapprovalOf(receiver);
  if (seen === null) return undefined;
  const { expiresAt, provider } = TransferPreapproval.record.fromJson(seen.contract.payload, scanJson);
  if (expiresAt <= parts.clock.now) return undefined;
  return { contractId: readContractId(seen), provider, disclosed: disclose(seen) };
}
