/** The DSO's contracts, and the coins of owners, at snapshots: those of all coin. */
import {
  findPartyProblem,
  type HistoryCreatedEvent,
  type SnapshotContract,
  spliceError,
} from "@callsign/api";
import { formatInstant, networkCatalogue, type Time } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { HeldContract } from "../history/held-contract.ts";
import { MAX_FILTERS } from "../limits/limits.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showActive, showHeldEvent } from "../wire/wire-update.ts";
import { atMost } from "./at-most.ts";
import { deprecate } from "./deprecate.ts";
import { readOwners } from "./holdings.ts";
import { checkPageSize } from "./page-size.ts";
import { readTimeText } from "./read-time-text.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

interface AskedSnapshot {
  readonly migration_id: number;
  readonly record_time: string;
  readonly record_time_match: "exact" | "at_or_before" | null;
  readonly after: number | null;
  readonly page_size: number;
}

interface AskedContracts extends AskedSnapshot {
  readonly party_ids: readonly string[] | null;
  readonly templates: readonly string[] | null;
}

interface AskedHoldings extends AskedSnapshot {
  readonly owner_party_ids: readonly string[];
}

type Show<T> = (held: HeldContract, updateId: string | null) => T;

/** Places of contracts from before an index are below zero. */
const BEFORE_ALL = -(2n ** 62n);

export function acsRoutes(index: () => ScanIndex) {
  const listContracts = <T>(body: AskedContracts, show: Show<T>) => {
    const parties = readParties(atMost(MAX_FILTERS, "party_ids", body.party_ids ?? []));
    const templates = readTemplates(atMost(MAX_FILTERS, "templates", body.templates ?? []));
    checkPageSize(body.page_size);
    const snapshot = needSnapshot(index(), body);
    const after = body.after === null ? BEFORE_ALL : BigInt(body.after);
    const page = index().acs.pageAt({ snapshot, after, limit: body.page_size, parties, templates });
    return showPage(index(), body, snapshot, page, show);
  };
  const listHoldings = <T>(body: AskedHoldings, show: Show<T>) => {
    const owners = readOwners(body.owner_party_ids);
    checkPageSize(body.page_size);
    const snapshot = needSnapshot(index(), body);
    const after = body.after === null ? BEFORE_ALL : BigInt(body.after);
    const { acs, holdings } = index();
    const ids = holdings.listIdsAt(snapshot, owners, MAX_COINS + 1);
    if (ids.length > MAX_COINS) {
      const text = `These owners have more than ${MAX_COINS} coins: ask for fewer of them at once.`;
      throw new Refusal(spliceError(400, text));
    }
    const coins = ids.flatMap((id) => acs.find(id) ?? []).filter(({ place }) => place > after);
    const contracts = coins.sort((a, b) => (a.place < b.place ? -1 : 1)).slice(0, body.page_size);
    const next = contracts.length < body.page_size ? null : (contracts.at(-1)?.place ?? null);
    return showPage(index(), body, snapshot, { contracts, next }, show);
  };
  return {
    getAcsSnapshotAtV1: ({ body }) => listContracts<SnapshotContract>(body, showActive),
    getHoldingsStateAtV1: ({ body }) => listHoldings<SnapshotContract>(body, showActive),
    ...deprecate({
      getAcsSnapshotAt: ({ body }) => listContracts<HistoryCreatedEvent>(body, showHeldEvent),
      getHoldingsStateAt: ({ body }) => listHoldings<HistoryCreatedEvent>(body, showHeldEvent),
    } satisfies ScanHandlers),
  } satisfies ScanHandlers;
}

/** The coins of all owners of one question. */
const MAX_COINS = 5000;

function showPage<T>(
  { updates }: ScanIndex,
  { migration_id }: AskedSnapshot,
  snapshot: Time,
  { contracts, next }: { readonly contracts: readonly HeldContract[]; readonly next: bigint | null },
  show: Show<T>,
) {
  const ids = new Map<Time, string | null>();
  const updateIdOf = (time: Time | null): string | null => {
    if (time === null) return null;
    if (!ids.has(time)) ids.set(time, updates.findIdAt(time) ?? null);
    return ids.get(time) ?? null;
  };
  return {
    record_time: formatInstant(snapshot),
    migration_id,
    created_events: contracts.map((held) => show(held, updateIdOf(held.createdIn))),
    next_page_token: next === null ? null : Number(next),
  };
}

/** Snapshots from before the contracts were followed lack some. */
function needSnapshot({ acs, holdings, network }: ScanIndex, asked: AskedSnapshot): Time {
  const { migration_id, record_time, record_time_match } = asked;
  const time = readTimeText("record_time", record_time);
  const isHere = network?.migrationId === BigInt(migration_id);
  const found = isHere ? holdings.findSnapshotAtOrBefore(time)?.recordTime : undefined;
  const isKnown = found !== undefined && found >= acs.findFirstSnapshot();
  if (record_time_match === "at_or_before") {
    if (isKnown) return found;
    throw new Refusal(spliceError(404, `No snapshots found before ${record_time}`));
  }
  if (isKnown && found === time) return found;
  const text = `Failed to find ACS snapshot for migration id ${migration_id} at ${record_time}`;
  throw new Refusal(spliceError(404, text));
}

function readParties(given: readonly string[]): ReadonlySet<string> | null {
  for (const party of given) {
    const problem = findPartyProblem(party);
    if (problem !== undefined) throw new Refusal(spliceError(400, problem));
  }
  return given.length === 0 ? null : new Set(given);
}

/** The ids of all versions of the named templates; null for all templates. */
function readTemplates(given: readonly string[]): ReadonlySet<string> | null {
  if (given.length === 0) return null;
  const ids = given.flatMap((name) => {
    if (name.split(":").length === 3) return networkCatalogue.listVersions(`#${name}`);
    const text = "Malformed template_id, expected 'package_name:module_name:entity_name'";
    throw new Refusal(spliceError(400, text));
  });
  return new Set(ids);
}
