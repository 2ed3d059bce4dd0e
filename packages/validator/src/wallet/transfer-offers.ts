/** Transfer offers: make one, accept, reject or withdraw one, and find its status by its tracking id. */
import type { CreateTransferOfferRequest, TransferOfferStatus } from "@callsign/api";
import {
  AcceptedTransferOffer,
  type Decimal,
  type PartyId,
  type Time,
  TransferOffer,
  WalletAppInstall,
} from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import type { TrackedOutcomes } from "../history/tracked-outcomes.ts";
import { exercise } from "../ledger/commands.ts";
import { MAX_TRACKED_TEXT } from "../limits/limits.ts";
import { actOnce, type OnceParts } from "./act-once.ts";
import { readAmount, readPartyField, readText, readTimeField } from "./request-fields.ts";
import { checkNewRequest, requireHosted, type TrackedParts } from "./tracked-requests.ts";
import type { Wallet } from "./wallet.ts";
import { getCreated } from "./wallet-ledger.ts";

/** The reason in the status of a withdrawn offer, to the letter as in Splice. */
const WITHDRAWN = "Withdrawn by sender";
const WHAT = "Transfer offer with trackingId";

export interface OfferTerms {
  readonly receiver: PartyId;
  readonly amount: { readonly amount: Decimal; readonly unit: "AmuletUnit" };
  readonly description: string;
  readonly expiresAt: Time;
  readonly trackingId: string;
}

export function createOffer(
  parts: TrackedParts,
  wallet: Wallet,
  given: CreateTransferOfferRequest,
): Promise<string> {
  const terms = {
    receiver: readPartyField("receiver_party_id", given.receiver_party_id),
    amount: { amount: readAmount("amount", given.amount, "coin"), unit: "AmuletUnit" },
    description: readText("description", given.description, MAX_TRACKED_TEXT),
    expiresAt: readTimeField("expires_at", given.expires_at),
    trackingId: readText("tracking_id", given.tracking_id, MAX_TRACKED_TEXT),
  } as const;
  return offerOnce(parts, wallet, terms, given);
}

/** Makes one offer for each tracking id. Requests with the same content are the same. */
export async function offerOnce(
  parts: TrackedParts,
  { party, install }: Wallet,
  terms: OfferTerms,
  content: unknown,
): Promise<string> {
  const { once, ledger } = parts;
  const { trackingId: id } = terms;
  return await once.run({
    ...{ operation: "createTransferOffer", party, what: WHAT, id, content },
    check: async () => {
      await checkNewRequest(parts, { party, kind: "transfer-offer", what: WHAT, ...terms });
      await requireHosted(parts, terms.receiver);
    },
    submit: (identity) => {
      const choice = "WalletAppInstall_CreateTransferOffer";
      const commands = [exercise(WalletAppInstall, install, choice, terms)];
      return ledger.submitAs("operator", party, async () => ({ commands }), identity);
    },
    answerOf: (transaction) => getCreated(transaction, TransferOffer),
  });
}

export async function getOfferStatus(
  history: TrackedOutcomes,
  { party }: Wallet,
  trackingId: string,
): Promise<TransferOfferStatus> {
  const found = await history.find(party, "transfer-offer", trackingId);
  if (found === undefined)
    throw new ValidatorError({ kind: "request-not-found", what: "transfer offer", id: trackingId });
  if (found.status === "failed")
    return { status: "failed", failure_kind: found.kind, withdrawn_reason: found.reason ?? null };
  const { status, transactionId: transaction_id, contractId: contract_id } = found;
  return { status, transaction_id, contract_id };
}

const OWN = { template: TransferOffer, what: "transfer offer" };
const RECEIVED = {
  ...{ template: TransferOffer, what: "received transfer offer" },
  partyOf: ({ receiver }: TransferOffer) => receiver,
};

export async function acceptOffer(parts: OnceParts, wallet: Wallet, contractId: string): Promise<string> {
  const choice = "WalletAppInstall_TransferOffer_Accept";
  return await actOnce(parts, wallet, {
    ...{ operation: "acceptTransferOffer", ...RECEIVED, contractId },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(WalletAppInstall, wallet.install, choice, { cid })],
    }),
    answerOf: (transaction) => getCreated(transaction, AcceptedTransferOffer),
  });
}

export async function rejectOffer(parts: OnceParts, wallet: Wallet, contractId: string): Promise<undefined> {
  const choice = "WalletAppInstall_TransferOffer_Reject";
  await actOnce(parts, wallet, {
    ...{ operation: "rejectTransferOffer", ...RECEIVED, contractId },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(WalletAppInstall, wallet.install, choice, { cid })],
    }),
  });
}

export async function withdrawOffer(
  parts: OnceParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const choice = "WalletAppInstall_TransferOffer_Withdraw";
  await actOnce(parts, wallet, {
    ...{ operation: "withdrawTransferOffer", ...OWN, contractId },
    makeBatch: ({ contractId: cid }) => {
      const argument = { cid, reason: WITHDRAWN };
      return { commands: [exercise(WalletAppInstall, wallet.install, choice, argument)] };
    },
  });
}
