/** Lookups on which several scans agree. */
import { ValidatorError } from "../errors/validator-error.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import {
  dsoPartyId,
  entriesByPrefix,
  entryByName,
  entryByParty,
  latestAmuletRules,
  latestAnsRules,
  rounds,
} from "../scans/scan-lookups.ts";
import type { Served } from "./running.ts";

/** The proxy's shapes are its own: rules and rounds whole, rounds in lists. */
export function proxyHandlers(scans: ScanGroup) {
  return {
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

function found<T>(entry: T | null, by: "name" | "party", sought: string): T {
  if (entry === null) throw new ValidatorError({ kind: "entry-not-found", by, sought });
  return entry;
}
