/** Name entries of the caller: ask for one, list them. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { digits } from "../wire/texts.ts";

const CreateEntryRequest = z
  .object({
    /** The chosen name, or the full one with its suffix. */
    name: z.string(),
    /** Empty, or an absolute http or https URI. */
    url: z.string(),
    description: z.string(),
  })
  .meta({ id: "CreateAnsEntryRequest" });

const CreateEntryResponse = z
  .object({
    entryContextCid: z.string(),
    /** The subscription request that the user accepts in the wallet. */
    subscriptionRequestCid: z.string(),
    /** The full name. */
    name: z.string(),
    url: z.string(),
    description: z.string(),
  })
  .meta({ id: "CreateAnsEntryResponse" });

/** All texts, in units of their own: that is how Splice writes this one. */
export const OwnedEntry = z
  .object({
    /** `ContractId(<hex>)` */
    contractId: z.string(),
    name: z.string(),
    amount: z.string(),
    unit: z.enum(["USDUNIT", "AMULETUNIT"]),
    /** Milliseconds since 1970. */
    expiresAt: digits,
    /** Microseconds. */
    paymentInterval: digits,
    /** Microseconds. */
    paymentDuration: digits,
  })
  .meta({ id: "AnsEntryResponse" });
export type OwnedEntry = z.output<typeof OwnedEntry>;

export const validatorEntries = defineEndpoints({ tags: ["names"], auth: "wallet-user" })({
  createAnsEntry: {
    method: "POST",
    path: "/v0/entry/create",
    summary: "Asks for a name; it is live once the subscription request is accepted and paid",
    description:
      "What could only be refunded later is refused at once: 400 for a name, url or description that is not " +
      "valid, 409 for a name that somebody holds. The same request, repeated while it is open, gives the same " +
      "contracts.",
    body: CreateEntryRequest,
    success: json(CreateEntryResponse),
    errors: [400, 401, 403, 404, 409, 429, 500, 502, 503],
  },
  listAnsEntries: {
    method: "GET",
    path: "/v0/entry/all",
    summary: "Every unexpired entry of the caller, also one whose subscription was cancelled",
    success: json(z.object({ entries: z.array(OwnedEntry) })),
    errors: [401, 403, 404, 500, 502],
  },
});
