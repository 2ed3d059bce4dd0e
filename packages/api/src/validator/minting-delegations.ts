/** Delegations of minting: a beneficiary lets the caller, its delegate, mint its rewards until a time. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { limitParameter, MAX_PAGE_SIZE } from "../splice/page-size.ts";
import { int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

/** True if the beneficiary has a wallet of this validator. */
const beneficiary_hosted = z.boolean();

const Proposal = z
  .object({ contract: Contract, beneficiary_hosted })
  .meta({ id: "MintingDelegationProposalWithStatus" });

const Delegation = z
  .object({ contract: Contract, beneficiary_hosted })
  .meta({ id: "MintingDelegationWithStatus" });

/** Null on the last page. */
const next_page_token = orNull(int64);
const query = z.object({
  /** From a page's `next_page_token`. */
  after: orNull(int64Parameter),
  limit: limitParameter.default(MAX_PAGE_SIZE),
});
const params = z.object({ contract_id: z.string() });
const readErrors = [400, 401, 403, 404, 500] as const;
const actErrors = [400, 401, 403, 404, 409, 429, 500, 503] as const;

export const validatorMintingDelegations = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  listMintingDelegationProposals: {
    method: "GET",
    path: "/v0/wallet/minting-delegation-proposals",
    summary: "Proposals to the caller to become a delegate",
    query,
    success: json(z.object({ proposals: z.array(Proposal), next_page_token })),
    errors: readErrors,
  },
  acceptMintingDelegationProposal: {
    method: "POST",
    path: "/v0/wallet/minting-delegation-proposals/{contract_id}/accept",
    summary: "Accepts a proposal; the delegation replaces those of the same beneficiary",
    params,
    success: json(z.object({ contract_id: z.string() })),
    errors: actErrors,
  },
  rejectMintingDelegationProposal: {
    method: "POST",
    path: "/v0/wallet/minting-delegation-proposals/{contract_id}/reject",
    summary: "Rejects a proposal",
    params,
    success: empty,
    errors: actErrors,
  },
  listMintingDelegations: {
    method: "GET",
    path: "/v0/wallet/minting-delegations",
    summary: "Delegations to the caller",
    query,
    success: json(z.object({ delegations: z.array(Delegation), next_page_token })),
    errors: readErrors,
  },
  rejectMintingDelegation: {
    method: "POST",
    path: "/v0/wallet/minting-delegations/{contract_id}/reject",
    summary: "Ends a delegation",
    params,
    success: empty,
    errors: actErrors,
  },
});
