/** Delegations of minting to a wallet's party: proposals and delegations page by page; accept, reject, end one. */
import type { WireContract } from "@callsign/api";
import {
  type ContractId,
  MintingDelegation,
  MintingDelegationProposal,
  type PartyId,
} from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { findLocalParty } from "../ledger/local-party.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";
import { MAX_DELEGATIONS_REPLACED } from "../limits/limits.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import { wireContract } from "../store/wire-contract.ts";
import { actOnce, type OnceParts } from "./act-once.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletDirectory } from "./wallet-directory.ts";
import { getCreated, type WalletParts } from "./wallet-ledger.ts";

export interface DelegationParts extends WalletParts {
  readonly directory: WalletDirectory;
}

export interface PageQuery {
  /** The token of the page before; null for the first page. */
  readonly after: bigint | null;
  readonly limit: number;
}

export interface DelegationPage {
  readonly items: { contract: WireContract; beneficiary_hosted: boolean }[];
  /** The token of the next page; null on the last page. */
  readonly nextPageToken: number | null;
}

export async function listDelegationProposals(
  parts: DelegationParts,
  { party: owner }: Wallet,
  { after, limit }: PageQuery,
): Promise<DelegationPage> {
  const { store } = parts;
  const found = await store.list(MintingDelegationProposal, { owner, ...behind(after) }, limit + 1);
  return await makePage(parts, found, limit, {
    beneficiaryOf: ({ delegation }) => delegation.beneficiary,
    format: (proposal) => wireContract(MintingDelegationProposal, proposal),
  });
}

export async function listDelegations(
  parts: DelegationParts,
  { party: owner }: Wallet,
  { after, limit }: PageQuery,
): Promise<DelegationPage> {
  const { store } = parts;
  const found = await store.list(MintingDelegation, { owner, ...behind(after) }, limit + 1);
  return await makePage(parts, found, limit, {
    beneficiaryOf: ({ beneficiary }) => beneficiary,
    format: (delegation) => wireContract(MintingDelegation, delegation),
  });
}

function behind(after: bigint | null): { readonly after?: bigint } {
  return after === null ? {} : { after };
}

interface Kind<T> {
  readonly beneficiaryOf: (payload: T) => PartyId;
  readonly format: (contract: WalletContract<T>) => WireContract;
}

async function makePage<T>(
  parts: DelegationParts,
  found: readonly WalletContract<T>[],
  limit: number,
  { beneficiaryOf, format }: Kind<T>,
): Promise<DelegationPage> {
  const page = found.slice(0, limit);
  const hosted = new Map<string, boolean>();
  for (const beneficiary of new Set(page.map(({ payload }) => beneficiaryOf(payload))))
    hosted.set(beneficiary, await isHostedHere(parts, beneficiary));
  const isLast = found.length <= limit;
  return {
    items: page.map((each) => ({
      contract: format(each),
      beneficiary_hosted: hosted.get(beneficiaryOf(each.payload)) === true,
    })),
    nextPageToken: isLast ? null : Number(page.at(-1)?.place ?? 0n),
  };
}

/** True if the beneficiary's rewards can be minted here: it has a wallet, or the participant hosts it. */
async function isHostedHere({ directory, participant }: DelegationParts, party: PartyId): Promise<boolean> {
  if ((await directory.findByParty(party)) !== undefined) return true;
  const found = findLocalParty(participant, party).catch((error: unknown) => {
    throw toValidatorError(error);
  });
  return (await found) !== undefined;
}

const PROPOSAL = { template: MintingDelegationProposal, what: "minting delegation proposal" };
const DELEGATION = { template: MintingDelegation, what: "minting delegation" };

/**
 * One delegation of a beneficiary is enough: the accepted one replaces those that stand. The call runs in the
 * wallet's queue: of two proposals that are accepted at once, the second replaces the first.
 */
export async function acceptDelegationProposal(
  parts: OnceParts,
  wallet: Wallet,
  contractId: string,
): Promise<string> {
  const { store } = parts;
  const choice = "MintingDelegationProposal_Accept";
  const replace = (cid: ContractId) => exercise(MintingDelegation, cid, "MintingDelegation_Reject", {});
  return await actOnce(parts, wallet, {
    ...{ operation: "acceptMintingDelegationProposal", ...PROPOSAL, contractId },
    ...{ submitter: "user", isQueued: true },
    makeBatch: async ({ contractId: cid, payload }) => {
      const sought = { owner: wallet.party, link: payload.delegation.beneficiary };
      const [replaced, ...others] = await store.list(MintingDelegation, sought, MAX_DELEGATIONS_REPLACED);
      const existingDelegationCid = replaced?.contractId ?? null;
      const accept = exercise(MintingDelegationProposal, cid, choice, { existingDelegationCid });
      return { commands: [accept, ...others.map((other) => replace(other.contractId))] };
    },
    answerOf: (transaction) => getCreated(transaction, MintingDelegation),
  });
}

export async function rejectDelegationProposal(
  parts: OnceParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const choice = "MintingDelegationProposal_Reject";
  await actOnce(parts, wallet, {
    ...{ operation: "rejectMintingDelegationProposal", ...PROPOSAL, contractId, submitter: "user" },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(MintingDelegationProposal, cid, choice, {})],
    }),
  });
}

export async function rejectDelegation(
  parts: OnceParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const choice = "MintingDelegation_Reject";
  await actOnce(parts, wallet, {
    ...{ operation: "rejectMintingDelegation", ...DELEGATION, contractId, submitter: "user" },
    makeBatch: ({ contractId: cid }) => ({ commands: [exercise(MintingDelegation, cid, choice, {})] }),
  });
}
