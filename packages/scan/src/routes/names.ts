/** Lookups of names. A route sends the bytes that the index finds. */

import type { Rejection } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import { type Clock, RawJson, Refusal, Reply } from "@callsign/node";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";
import { keptFrom, showList, showName } from "./show-names.ts";

export function nameRoutes(index: () => ScanIndex, clock: Clock) {
  return {
    listAnsEntries: ({ query }) => {
      const { names, now } = index();
      return reply(showList(names.listByPrefix(query.name_prefix, now, query.page_size)));
    },
    lookupAnsEntryByName: ({ params: { name } }) => {
      const { names, now } = index();
      const found = names.findByName(name, now);
      return reply(showName(found, { by: "name", given: name }, keptFrom(index(), clock)));
    },
    lookupAnsEntryByParty: ({ params: { party } }) => {
      const { names, now } = index();
      const found = names.findByParty(party as PartyId, now);
      return reply(showName(found, { by: "party", given: party }, keptFrom(index(), clock)));
    },
  } satisfies ScanHandlers;
}

function reply(shown: Rejection): Reply<never> {
  if (shown.status !== 200) throw new Refusal(shown);
  return new Reply<never>(new RawJson(shown.body), { headers: shown.headers });
}
