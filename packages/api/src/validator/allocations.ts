/**
 * Allocations: coin that the caller locks for one leg of a settlement, which an application carries out. Applications
 * ask for allocations with requests of their own.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { mapOf } from "../wire/map-of.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { givenDecimal } from "../wire/texts.ts";

const meta = orNull(mapOf(z.string()));

/** Times are microseconds since 1970. */
const AllocateAmuletRequest = z
  .object({
    settlement: z.object({
      /** The application's party. */
      executor: z.string(),
      settlement_ref: z.object({ id: z.string(), cid: orNull(z.string()) }),
      requested_at: int64,
      allocate_before: int64,
      settle_before: int64,
      meta,
    }),
    transfer_leg_id: z.string(),
    /** The caller is its sender. The amount is in coin. */
    transfer_leg: z.object({ receiver: z.string(), amount: givenDecimal, meta }),
  })
  .meta({ id: "AllocateAmuletRequest" });
export type AllocateAmuletRequest = z.output<typeof AllocateAmuletRequest>;

const AllocationResult = z
  .object({
    output: z
      .union([
        z.object({ allocation_instruction_cid: z.string() }),
        z.object({ allocation_cid: z.string() }),
        z.object({}),
      ])
      .meta({ id: "AllocationInstructionResultOutput" }),
    sender_change_cids: z.array(z.string()),
    meta: mapOf(z.string()),
  })
  .meta({ id: "AllocateAmuletResponse" });
export type AllocationResult = z.output<typeof AllocationResult>;

const WithdrawnAllocation = z
  .object({ sender_holding_cids: z.array(z.string()), meta: mapOf(z.string()) })
  .meta({ id: "AmuletAllocationWithdrawResult" });
export type WithdrawnAllocation = z.output<typeof WithdrawnAllocation>;

const params = z.object({ contract_id: z.string() });
const readErrors = [401, 403, 404, 500, 503] as const;
const actErrors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorAllocations = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  listAmuletAllocations: {
    method: "GET",
    path: "/v0/allocations",
    summary: "Allocations of the caller's coin",
    success: json(z.object({ allocations: z.array(z.object({ contract: Contract })) })),
    errors: readErrors,
  },
  allocateAmulet: {
    method: "POST",
    path: "/v0/allocations",
    summary: "Locks coin of the caller for one leg of a settlement",
    description:
      "The same leg of the same settlement is allocated once a day: the same request, repeated, gets the first answer. " +
      "400 if coin is missing, 409 if the leg was allocated on other terms, 429 while the first call is in flight.",
    body: AllocateAmuletRequest,
    success: json(AllocationResult),
    errors: actErrors,
  },
  withdrawAmuletAllocation: {
    method: "POST",
    path: "/v0/allocations/{contract_id}/withdraw",
    summary: "Takes the coin of an allocation back",
    params,
    success: json(WithdrawnAllocation),
    errors: actErrors,
  },
  listAllocationRequests: {
    method: "GET",
    path: "/v0/wallet/token-standard/allocation-requests",
    summary: "Requests of applications for allocations that have the caller in one of their legs",
    success: json(z.object({ allocation_requests: z.array(z.object({ contract: Contract })) })),
    errors: readErrors,
  },
  rejectAllocationRequest: {
    method: "POST",
    path: "/v0/wallet/token-standard/allocation-requests/{contract_id}/reject",
    summary: "Rejects a request for an allocation",
    params,
    success: json(z.object({ meta: mapOf(z.string()) }).meta({ id: "ChoiceExecutionMetadata" })),
    errors: actErrors,
  },
});
