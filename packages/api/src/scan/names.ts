/** Lookups of names. */
import { defineEndpoints, json } from "../endpoint.ts";
import {
  AnsRulesRequest,
  AnsRulesResponse,
  EntryList,
  EntryLookup,
  entryListQuery,
  nameParams,
  partyParams,
} from "../splice/entries.ts";

export const scanNames = defineEndpoints({ tags: ["external", "scan"], auth: "none" })({
  listAnsEntries: {
    method: "GET",
    path: "/v0/ans-entries",
    summary: "Unexpired entries whose names start with a prefix, ordered by name",
    description:
      "Registered names come first, in the order of their bytes; then, while the page has room, dso.cns and the " +
      "names of the SVs. There is no further page.",
    query: entryListQuery,
    success: json(EntryList),
    errors: [400, 429, 503],
  },
  lookupAnsEntryByName: {
    method: "GET",
    path: "/v0/ans-entries/by-name/{name}",
    summary: "The unexpired entry of a name, spelled exactly",
    params: nameParams,
    success: json(EntryLookup),
    errors: [400, 404, 429, 503],
  },
  lookupAnsEntryByParty: {
    method: "GET",
    path: "/v0/ans-entries/by-party/{party}",
    summary: "The entry of a party: its well-known one, or the first of its names",
    params: partyParams,
    success: json(EntryLookup),
    errors: [400, 404, 429, 503],
  },
  getAnsRules: {
    method: "POST",
    path: "/v0/ans-rules",
    tags: ["internal", "scan"],
    summary: "The rules for names: fee, lifetime, renewal duration",
    description: "A body is not needed: without one the whole contract is answered.",
    body: AnsRulesRequest,
    bodyMayBeAbsent: true,
    success: json(AnsRulesResponse),
    errors: [400, 429, 500, 503],
  },
});
