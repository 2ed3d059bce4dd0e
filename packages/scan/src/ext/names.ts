/** Many names at once, names page after page, and all names of a party. Answers are joined from the index's own JSON. */
import type { PartyId } from "@callsign/ledger";
import { RawJson } from "@callsign/node";
import type { NameAnswer } from "../names/name-lookup.ts";
import { endOfPrefix } from "../names/name-prefix.ts";
import type { ScanHandlers } from "../routes/scan-handlers.ts";
import { findPrimaryName } from "../rows/primary-name.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { checkName } from "./check-name.ts";
import { compareBytes, mergeNames, type NamePage } from "./merge-names.ts";

export function extNameRoutes(index: () => ScanIndex) {
  return {
    lookupNames: ({ body: { names: wanted, parties } }) => {
      const { names, now } = index();
      const byName = wanted.map((name) => show(names.findByName(name, now)));
      const byParty = parties.map((party) => show(names.findByParty(party as PartyId, now)));
      return new RawJson(`{"names":[${byName.join(",")}],"parties":[${byParty.join(",")}]}`);
    },
    listNames: ({ query: { name_prefix: prefix, page_size: limit, after } }) => {
      return new RawJson(`{${showPage(listByPrefix(index(), { prefix, after, limit }))}}`);
    },
    listNamesOfParty: ({ params: { party }, query: { page_size: limit, after } }) => {
      const present = index();
      const { names, namePages, wellKnown, now } = present;
      const known = (wellKnown.find()?.entries ?? []).filter(
        (entry) => entry.party === party && compareBytes(entry.name, after) > 0,
      );
      const registered = namePages.listOfOwner(party, { after, now, limit: limit + 1 });
      const found = names.findByParty(party as PartyId, now);
      const primary =
        findPrimaryName(present, party) ?? (found.kind === "found" ? entryOf(found.answer) : "null");
      return new RawJson(`{"primary":${primary},${showPage(mergeNames(registered, known, limit))}}`);
    },
    checkName: ({ params: { name } }) => checkName(index(), name),
  } satisfies ScanHandlers;
}

interface PrefixPage {
  readonly prefix: string;
  /** The last name of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

function listByPrefix({ namePages, wellKnown, now }: ScanIndex, page: PrefixPage): NamePage {
  const { prefix, after, limit } = page;
  const isFirst = compareBytes(after, prefix) < 0 || after === "";
  const range = { from: isFirst ? prefix : after, isFromIncluded: isFirst, end: endOfPrefix(prefix) };
  const registered = namePages.list({ ...range, now, limit: limit + 1 });
  const known = (wellKnown.find()?.entries ?? []).filter(
    ({ name }) => name.startsWith(prefix) && (isFirst || compareBytes(name, after) > 0),
  );
  return mergeNames(registered, known, limit);
}

const NOT_FOUND = '{"entry":null}';

/** The body of a lookup's answer is an item of the list. */
function show(found: NameAnswer): string {
  return found.kind === "found" ? found.answer : NOT_FOUND;
}

/** The entry alone, of the body `{"entry":…}`. */
function entryOf(answer: string): string {
  return answer.slice('{"entry":'.length, -1);
}

function showPage({ names, next }: NamePage): string {
  const entries = names.map(({ json }) => json).join(",");
  return `"entries":[${entries}],"next":${JSON.stringify(next)}`;
}
