/** Names beyond what Splice's scans answer: many at once, all of a party, page after page, and what a name would cost. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { AnsEntry, nameParams, partyParams } from "../splice/entries.ts";
import { pageSizeParameter } from "../splice/page-size.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, fixedDecimal } from "../wire/texts.ts";

/** Names and parties in one request, together. */
const MAX_LOOKUPS = 1000;

const LookupNamesRequest = z
  .object({
    /** Full names, spelled exactly. */
    names: z.array(z.string()).default([]),
    /** Party ids. */
    parties: z.array(z.string()).default([]),
  })
  .refine(({ names, parties }) => names.length + parties.length <= MAX_LOOKUPS, {
    error: ({ input }) => {
      const { names, parties } = input as { readonly names: unknown[]; readonly parties: unknown[] };
      const most = `Expected at most ${MAX_LOOKUPS} names and parties together`;
      const received = `received ${names.length} names and ${parties.length} parties`;
      return `${most}, ${received}. Send them in several requests.`;
    },
  })
  .meta({ id: "LookupNamesRequest" });

/** Null: there is no unexpired entry. */
const FoundEntry = z.object({ entry: orNull(AnsEntry) }).meta({ id: "FoundEntry" });

const LookupNamesResponse = z
  .object({
    /** In the order of the request. */
    names: z.array(FoundEntry),
    /** In the order of the request: the entry that a lookup by party finds. */
    parties: z.array(FoundEntry),
  })
  .meta({ id: "LookupNamesResponse" });

/** The last name of the page before; absent or empty for the first page. */
const afterName = z.string().default("");

/** The `after` of the next page; null behind the last name. */
const nextName = orNull(z.string());

const EntryPage = z.object({ entries: z.array(AnsEntry), next: nextName }).meta({ id: "EntryPage" });

const NamesOfParty = z
  .object({
    /** The entry that the party chose to be called by, or else the one that a lookup by party finds; null if it has no name. */
    primary: orNull(AnsEntry),
    /** In the order of their names' bytes. */
    entries: z.array(AnsEntry),
    next: nextName,
  })
  .meta({ id: "NamesOfParty" });

const NamePrice = z
  .object({
    /** The fee for one lifetime, in dollars. */
    usd: fixedDecimal,
    /** The same in coin, at the price of the open round; null while the round's price is zero. */
    amulet: orNull(fixedDecimal),
    /** Dollars for one coin. */
    amulet_price: fixedDecimal,
    round: int64,
    lifetime_microseconds: int64,
  })
  .meta({ id: "NamePrice" });

const NameAvailability = z
  .object({
    /** The full name; as given if it is not valid. */
    name: z.string(),
    /** True if the name may be registered by somebody. */
    valid: z.boolean(),
    /** The reason why the name is not valid, and what is allowed; null for a valid name. */
    problem: orNull(z.string()),
    /** True if the name is valid and has no unexpired entry. */
    available: z.boolean(),
    /** The unexpired entry of the name. */
    entry: orNull(AnsEntry),
    /** The entry's expiry; null for a name that is free, or never expires. */
    taken_until: orNull(dateTime),
    /** Null while no round is open. */
    price: orNull(NamePrice),
    /** Unexpired entries of other names that people may take for this one, 20 at most. */
    look_alikes: z.array(AnsEntry),
  })
  .meta({ id: "NameAvailability" });
export type NameAvailability = z.output<typeof NameAvailability>;

export const extNames = defineEndpoints({
  tags: ["external", "scan"],
  auth: "none",
  errors: [400, 429, 503],
})({
  lookupNames: {
    method: "POST",
    path: "/ext/v1/names/lookup",
    summary: "The entries of up to 1,000 names and parties, all at one record time",
    description: "An item that is not found has the entry null, in its place of the list.",
    body: LookupNamesRequest,
    success: json(LookupNamesResponse),
  },
  listNames: {
    method: "GET",
    path: "/ext/v1/names",
    summary: "Unexpired entries whose names start with a prefix, ordered by name, page after page",
    description: "Well-known names stand among the others. Each name is listed once.",
    query: z.object({
      /** Names that start with this; absent or empty: all. */
      name_prefix: z.string().default(""),
      page_size: pageSizeParameter,
      after: afterName,
    }),
    success: json(EntryPage),
  },
  listNamesOfParty: {
    method: "GET",
    path: "/ext/v1/parties/{party}/names",
    summary: "All unexpired entries of a party, ordered by name, and the one to call it by",
    params: partyParams,
    query: z.object({ page_size: pageSizeParameter, after: afterName }),
    success: json(NamesOfParty),
  },
  checkName: {
    method: "GET",
    path: "/ext/v1/names/{name}/availability",
    summary: "Whether a name is valid and free, what it costs, and the names it can be mistaken for",
    description: "The name is the chosen one or the full one.",
    params: nameParams,
    success: json(NameAvailability),
  },
});
