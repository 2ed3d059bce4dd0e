/**
 * Lookups whose answers are ready, found by the target of a request: by name, by party and by prefix. A target that is
 * not plainly one of these, or that its operation might refuse, is left to the general path. A name or a party that is
 * found needs no check: the ledger has checked it.
 */
import { parseSpliceQuery, percentDecode, scanApi } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import { type Clock, type ReadyAnswer, rememberLast } from "@callsign/node";
import type { ScanIndex } from "../rows/scan-index.ts";
import { keptFrom, showList, showName } from "./show-names.ts";

const { listAnsEntries, lookupAnsEntryByName, lookupAnsEntryByParty } = scanApi.endpoints;
const LIST = `${listAnsEntries.path}?`;
const BY_NAME = lookupAnsEntryByName.path.replace("{name}", "");
const BY_PARTY = lookupAnsEntryByParty.path.replace("{party}", "");
const ENCODED_COLONS = encodeURIComponent("::");
/** Longer than any name, and shorter than the texts that are refused. */
const MAX_NAME_LENGTH = 1000;

export function findReadyNames(target: string, index: ScanIndex, clock: Clock): ReadyAnswer | null {
  const start = target.startsWith(scanApi.basePath) ? scanApi.basePath.length : 0;
  if (target.startsWith(BY_NAME, start))
    return findByName(target.slice(start + BY_NAME.length), index, clock);
  if (target.startsWith(BY_PARTY, start))
    return findByParty(target.slice(start + BY_PARTY.length), index, clock);
  if (target.startsWith(LIST, start)) return list(target.slice(start + LIST.length), index);
  return null;
}

function findByName(encoded: string, index: ScanIndex, clock: Clock): ReadyAnswer | null {
  const name = readSegment(encoded);
  if (name === null || name.length > MAX_NAME_LENGTH) return null;
  const found = index.names.findByName(name, index.now);
  const { status, headers, body } = showName(found, { by: "name", given: name }, keptFrom(index, clock));
  return { endpoint: lookupAnsEntryByName, status, headers, body };
}

function findByParty(encoded: string, index: ScanIndex, clock: Clock): ReadyAnswer | null {
  const party = readSegment(encoded);
  if (party === null) return null;
  const found = index.names.findByParty(party as PartyId, index.now);
  if (found.kind !== "found") return null;
  const { status, headers, body } = showName(found, { by: "party", given: party }, keptFrom(index, clock));
  return { endpoint: lookupAnsEntryByParty, status, headers, body };
}

function list(search: string, index: ScanIndex): ReadyAnswer | null {
  const query = readListQuery(search);
  if (query === null) return null;
  const { name_prefix: prefix, page_size: limit } = query;
  const { status, headers, body } = showList(index.names.listByPrefix(prefix, index.now, limit));
  return { endpoint: listAnsEntries, status, headers, body };
}

/** A prefix that needs no decoding, in front of all other parameters: of several, the first counts. */
const PREFIX_FIRST = /^name_prefix=([\w.-]+)&(.*)$/;

function readListQuery(search: string) {
  const [, prefix, others] = PREFIX_FIRST.exec(search) ?? [];
  if (prefix === undefined || others === undefined) return parseListQuery(search);
  const query = parseOthers(others);
  return query === null ? null : { ...query, name_prefix: prefix };
}

/** Most callers ask for pages of one size. */
const parseOthers = rememberLast((others: string) => parseListQuery(`name_prefix=a&${others}`));

function parseListQuery(search: string) {
  const query = parseSpliceQuery(listAnsEntries, search);
  return query.ok ? query.value : null;
}

/** The last segment of a path, decoded; null if it is not one segment. */
function readSegment(encoded: string): string | null {
  if (encoded === "" || encoded.includes("/") || encoded.includes("?")) return null;
  const at = encoded.indexOf(ENCODED_COLONS);
  if (at < 0) return percentDecode(encoded) ?? null;
  // Of a party only its colons are encoded, which need no decoder.
  const party = `${encoded.slice(0, at)}::${encoded.slice(at + ENCODED_COLONS.length)}`;
  return party.includes("%") ? (percentDecode(encoded) ?? null) : party;
}
