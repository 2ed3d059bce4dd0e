/** Delegations of minting to a wallet's party: proposals and delegations page by page; accept, reject, end one. */
import type { WireContract } from "@callsign/api";
import { type ContractId, MintingDelegation, MintingDelegationProposal } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { MAX_DELEGATIONS_REPLACED } from "../limits/limits.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import { wireContract } from "../store/wire-contract.ts";
import { getOwned, submitOnOwned } from "./get-owned.ts";
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
  /** Null on the last page. */
  readonly nextPageToken: number | null;
}

export async function listDelegationProposals(
  { store, directory }: DelegationParts,
  { party: owner }: Wallet,
  { after, limit }: PageQuery,
): Promise<DelegationPage> {
  const found = await store.list(MintingDelegationProposal, { owner, ...behind(after) }, limit + 1);
  return await makePage(directory, found, limit, {
    beneficiaryOf: ({ delegation }) => delegation.beneficiary,
    format: (proposal) => wireContract(MintingDelegationProposal, proposal),
  });
}

export async function listDelegations(
  { store, directory }: DelegationParts,
  { party: owner }: Wallet,
  { after, limit }: PageQuery,
): Promise<DelegationPage> {
  const found = await store.list(MintingDelegation, { owner, ...behind(after) }, limit + 1);
  return await makePage(directory, found, limit, {
    beneficiaryOf: ({ beneficiary }) => beneficiary,
    format: (delegation) => wireContract(MintingDelegation, delegation),
  });
}

function behind(after: bigint | null): { readonly after?: bigint } {
  return after === null ? {} : { after };
}

interface Kind<T> {
  readonly beneficiaryOf: (payload: T) => string;
  readonly format: (contract: WalletContract<T>) => WireContract;
}

async function makePage<T>(
  directory: WalletDirectory,
  found: readonly WalletContract<T>[],
  limit: number,
  { beneficiaryOf, format }: Kind<T>,
): Promise<DelegationPage> {
  const page = found.slice(0, limit);
  const hosted = new Map<string, boolean>();
  for (const beneficiary of new Set(page.map(({ payload }) => beneficiaryOf(payload))))
    hosted.set(beneficiary, (await directory.findByParty(beneficiary)) !== undefined);
  const isLast = found.length <= limit;
  return {
    items: page.map((each) => ({
      contract: format(each),
      beneficiary_hosted: hosted.get(beneficiaryOf(each.payload)) === true,
    })),
    nextPageToken: isLast ? null : Number(page.at(-1)?.place ?? 0n),
  };
}

const PROPOSAL = { template: MintingDelegationProposal, what: "minting delegation proposal" };
const DELEGATION = { template: MintingDelegation, what: "minting delegation" };

/**
 * One delegation of a beneficiary is enough: the accepted one replaces those that stand. In the wallet's queue, so that
 * of two proposals that are accepted at once the second replaces the first.
 */
export function acceptDelegationProposal(
  { store, ledger, treasury }: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<ContractId> {
  return treasury.run(wallet.party, async () => {
    const transaction = await ledger.submitAs("user", wallet.party, async () => {
      const proposal = await getOwned(store, wallet, { ...PROPOSAL, contractId });
      const { beneficiary } = proposal.payload.delegation;
      const sought = { owner: wallet.party, link: beneficiary };
      const [replaced, ...others] = await store.list(MintingDelegation, sought, MAX_DELEGATIONS_REPLACED);
      return {
        commands: [
          exercise(MintingDelegationProposal, proposal.contractId, "MintingDelegationProposal_Accept", {
            existingDelegationCid: replaced?.contractId ?? null,
          }),
          ...others.map((other) =>
            exercise(MintingDelegation, other.contractId, "MintingDelegation_Reject", {}),
          ),
        ],
      };
    });
    return getCreated(transaction, MintingDelegation);
  });
}

export async function rejectDelegationProposal(
  parts: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const reject = (cid: ContractId) =>
    exercise(MintingDelegationProposal, cid, "MintingDelegationProposal_Reject", {});
  await submitOnOwned(parts, wallet, { ...PROPOSAL, contractId }, reject, "user");
}

export async function rejectDelegation(
  parts: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const reject = (cid: ContractId) => exercise(MintingDelegation, cid, "MintingDelegation_Reject", {});
  await submitOnOwned(parts, wallet, { ...DELEGATION, contractId }, reject, "user");
}
