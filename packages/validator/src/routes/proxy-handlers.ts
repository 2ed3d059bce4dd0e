/** Lookups on which several scans agree. */
import { type Endpoint, forwardedToScan, type ProxiedId, proxiedId, registryApi } from "@callsign/api";
import { ValidatorError } from "../errors/validator-error.ts";
import type { ScanClient } from "../scans/scan-connection.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import {
  dsoInfo,
  dsoPartyId,
  entriesByPrefix,
  entryByName,
  entryByParty,
  holdingsSummary,
  latestAmuletRules,
  latestAnsRules,
  rounds,
} from "../scans/scan-lookups.ts";
import type { Served } from "./running.ts";

/** Operations that look as they do on scan. */
const FORWARDED = { ...forwardedToScan, ...registryApi.endpoints };

/** Some of the proxy's shapes are its own: rules and rounds whole, rounds in lists. */
export function proxyHandlers(scans: ScanGroup) {
  return {
    ...forwardingHandlers(scans),
    scanProxyGetDsoInfo: (_, { signal }) => scans.read(dsoInfo, signal),
    scanProxyGetHoldingsSummaryAt: async ({ body }, { signal }) => {
      const summary = await scans.read(holdingsSummary(body), signal);
      if (summary !== null) return summary;
      const message = "Summary not found for given parameters";
      throw new ValidatorError({ kind: "scan-rejection", status: 404, message });
    },
    scanProxyListAnsEntries: ({ query }, { signal }) => scans.read(entriesByPrefix(query), signal),
    scanProxyLookupAnsEntryByName: async ({ params: { name } }, { signal }) => ({
      entry: found(await scans.read(entryByName(name), signal), "name", name),
    }),
    scanProxyLookupAnsEntryByParty: async ({ params: { party } }, { signal }) => ({
      entry: found(await scans.read(entryByParty(party), signal), "party", party),
    }),
    scanProxyGetAnsRules: async (_, { signal }) => ({
      ans_rules_update: await scans.read(latestAnsRules, signal),
    }),
    scanProxyGetDsoPartyId: (_, { signal }) => scans.read(dsoPartyId, signal),
    scanProxyGetAmuletRules: async (_, { signal }) => ({
      amulet_rules: await scans.read(latestAmuletRules, signal),
    }),
    scanProxyGetOpenAndIssuingMiningRounds: async (_, { signal }) => {
      const { open, issuing } = await scans.read(rounds, signal);
      return { open_mining_rounds: [...open], issuing_mining_rounds: [...issuing] };
    },
  } satisfies Partial<Served>;
}

type Forwarding = Pick<Served, ProxiedId<keyof typeof FORWARDED>>;

function forwardingHandlers(scans: ScanGroup): Forwarding {
  type Calls = Readonly<Record<string, (request: object) => Promise<unknown>>>;
  type Handler = (request: object, call: { readonly signal: AbortSignal }) => Promise<unknown>;
  const handlers = Object.values<Endpoint>(FORWARDED).map(({ id, summary }): [string, Handler] => [
    proxiedId(id),
    (request, { signal }) => {
      const call = (scan: ScanClient) => (scan as unknown as Calls)[id]?.(request) ?? missing(id);
      return scans.read({ key: keyOf(id, request), what: `"${summary}"`, call }, signal);
    },
  ]);
  return Object.fromEntries(handlers) as unknown as Forwarding;
}

/** Equal for equal requests: their fields come in the order of the table. */
function keyOf(id: string, request: object): string {
  const { params, query, body } = request as Readonly<Record<string, unknown>>;
  return `${id} ${JSON.stringify([params, query, body], (_, each) => (typeof each === "bigint" ? `${each}` : each))}`;
}

function missing(id: string): never {
  throw new Error(`a client of scan has no operation ${id}`);
}

function found<T>(entry: T | null, by: "name" | "party", sought: string): T {
  if (entry === null) throw new ValidatorError({ kind: "entry-not-found", by, sought });
  return entry;
}
