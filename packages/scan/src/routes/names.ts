/** Lookups of names. A route sends the bytes that the index finds. */

import { spliceError } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import { RawJson, Refusal } from "@callsign/node";
import type { NameAnswer } from "../names/name-lookup.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function nameRoutes(index: () => ScanIndex) {
  return {
    listAnsEntries: ({ query }) => {
      const { names, now } = index();
      const entries = names.listByPrefix(query.name_prefix, now, query.page_size);
      return new RawJson(`{"entries":[${entries.join(",")}]}`);
    },
    lookupAnsEntryByName: ({ params: { name } }) => {
      const { names, now } = index();
      return show(names.findByName(name, now), "name", name);
    },
    lookupAnsEntryByParty: ({ params: { party } }) => {
      const { names, now } = index();
      return show(names.findByParty(party as PartyId, now), "party", party);
    },
  } satisfies ScanHandlers;
}

function show(found: NameAnswer, by: "name" | "party", given: string): RawJson {
  switch (found.kind) {
    case "found":
      return new RawJson(found.answer);
    case "not-found":
      throw new Refusal(spliceError(404, `No ans entry found for ${by}: ${given}`));
    case "no-dso-rules":
      throw new Refusal(spliceError(404, "No DsoRules contract found"));
  }
}
