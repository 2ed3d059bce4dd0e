/**
 * Name entries of the caller: ask for one, list them. Taking up a cancelled name, the primary name and the ends of requests are
 * ours, and stand under `/ext/v1`.
 */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { pageSizeParameter } from "../splice/page-size.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, digits, fixedDecimal } from "../wire/texts.ts";
import { RefundReason } from "./transactions.ts";

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
    /** True for the name that the owner chose to be called by. */
    primary: z.boolean().optional(),
  })
  .meta({ id: "AnsEntryResponse" });
export type OwnedEntry = z.output<typeof OwnedEntry>;

const TakeUpRequest = z
  .object({
    /** The chosen name, or the full one with its suffix. */
    name: z.string(),
  })
  .meta({ id: "TakeUpEntryRequest" });

const PrimaryNameRequest = z
  .object({
    /** The chosen name, or the full one with its suffix. */
    name: z.string(),
  })
  .meta({ id: "PrimaryNameRequest" });

/** Coin that went out or came back, in one update of the ledger. */
const NameRequestPayment = z
  .object({ amount: fixedDecimal, at: dateTime, updateId: z.string() })
  .meta({ id: "NameRequestPayment" });

export const NameRequest = z
  .object({
    /** The id of the request's contract on the ledger. */
    id: z.string(),
    /** A name that is bought, or a cancelled one that is taken up again. */
    purpose: z.enum(["purchase", "take_up"]),
    name: z.string(),
    url: z.string(),
    description: z.string(),
    requestedAt: dateTime,
    /**
     * `waiting_for_payment`: the buyer has to accept. `paid` and `requested`: the SVs have to decide, on a purchase or a
     * take-up. `registered`: the name was the caller's from then on. `given_back`: the SVs have refunded the payment, `reason`
     * says why. `expired`: nobody collected the payment before its lock ran out. `rejected`: by the buyer. `withdrawn`: by the
     * SVs, because nobody answered; a take-up by its holder. `refused`: the SVs could not accept a take-up.
     */
    state: z.enum([
      ...["waiting_for_payment", "paid", "requested", "registered", "given_back", "expired"],
      ...["rejected", "withdrawn", "refused"],
    ] as const),
    reason: orNull(RefundReason),
    /** The state, in words. */
    explanation: z.string(),
    /** The end of the request; null while it is open. */
    endedAt: orNull(dateTime),
    payment: orNull(NameRequestPayment),
    refund: orNull(NameRequestPayment),
  })
  .meta({ id: "NameRequest" });
export type NameRequest = z.output<typeof NameRequest>;

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
  takeUpAnsEntry: {
    method: "POST",
    path: "/ext/v1/entry/take-up",
    summary: "Takes up a cancelled name of the caller again: it is renewed as before",
    description:
      "Nothing is paid now: the next payment is due when the entry would have ended. Answers when the SVs have decided. A call " +
      "that is repeated, as after a lost answer, gets the same answer.",
    body: TakeUpRequest,
    success: json(OwnedEntry),
    errors: [400, 401, 403, 404, 409, 429, 500, 502, 503],
  },
  setPrimaryName: {
    method: "POST",
    path: "/ext/v1/entry/set-primary",
    summary: "Chooses which of the caller's names the caller is called by",
    description:
      "Scans show it as `primary` among the names of the party. The choice replaces the one before, lives on over renewals, and lapses " +
      "with the name: a name that is bought again is chosen again. A call that is repeated changes nothing.",
    body: PrimaryNameRequest,
    success: json(OwnedEntry),
    errors: [400, 401, 403, 404, 409, 429, 500, 502, 503],
  },
  removePrimaryName: {
    method: "POST",
    path: "/ext/v1/entry/remove-primary",
    summary: "Takes the caller's choice back: a lookup by party says what the caller is called by",
    description: "Without a choice it changes nothing.",
    success: empty,
    errors: [401, 403, 404, 409, 429, 500, 502, 503],
  },
  listNameRequests: {
    method: "GET",
    path: "/ext/v1/entry/requests",
    summary: "The caller's requests for names, the newest first: how each ended, why, and the refund",
    query: z.object({
      page_size: pageSizeParameter,
      /** The `id` of the last request of the page before; absent or empty for the first page. */
      begin_after_id: z.string().default(""),
    }),
    success: json(z.object({ requests: z.array(NameRequest) })),
    errors: [400, 401, 403, 404, 500, 503],
  },
});
