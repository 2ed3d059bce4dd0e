/** The present state of a member's parties, for a member whose stream was pruned before it had read all of it. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

const MAX_PLACE_CHARACTERS = 255;
const after = z.string().max(MAX_PLACE_CHARACTERS).default("");

const HostedParties = z
  .object({
    /** The last item of the caller's stream. */
    end: z.object({ offset: int64, digest: z.string() }),
    parties: z.array(z.string()),
    /** The place to ask behind next; null at the end. */
    next: orNull(z.string()),
  })
  .meta({ id: "HostedParties" });
export type HostedParties = z.output<typeof HostedParties>;

const HeldContracts = z
  .object({
    contracts: z.array(
      z.object({
        contractId: z.string(),
        templateId: z.string(),
        payload: z.string(),
        /** Microseconds since 1970. */
        createdAt: z.string(),
      }),
    ),
    /** The contract id to ask behind next; null at the end. */
    next: orNull(z.string()),
  })
  .meta({ id: "HeldContracts" });
export type HeldContracts = z.output<typeof HeldContracts>;

export const memberStateEndpoints = defineEndpoints({ tags: ["members"], auth: "member" })({
  listHostedParties: {
    method: "GET",
    path: "/v1/state/parties",
    summary:
      "Parties that the caller hosts, ordered by their ids, and the end of its stream. A header authenticates the answer",
    query: z.object({ after }),
    success: json(HostedParties),
    errors: [400, 401],
  },
  listHeldContracts: {
    method: "GET",
    path: "/v1/state/contracts",
    summary:
      "Active contracts with a stakeholder that the caller hosts, ordered by their ids. A header authenticates the answer",
    query: z.object({ after }),
    success: json(HeldContracts),
    errors: [400, 401],
  },
});
