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
    /** Ours, from here on; Splice's server leaves them out. */
    url: z.string().optional(),
    description: z.string().optional(),
    /**
     * `subscribed` between payments, `paying` while a renewal is on its way, `cancelled` once nothing renews the entry: it
     * lapses when it expires.
     */
    state: z.enum(["subscribed", "paying", "cancelled"]).optional(),
    /** False if the owner pays renewals by hand, or has cancelled. */
    autoRenewal: z.boolean().optional(),
    /** When the next renewal can be paid, in milliseconds since 1970; null without a subscription that waits for it. */
    nextPaymentFrom: digits.nullable().optional(),
    /** The last moment for it. */
    nextPaymentDueAt: digits.nullable().optional(),
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
