/** Questions about names: to a validator, whose scan proxy answers what several scans agree on, or to one scan. */
import { type AnsEntry, HttpError, type NameAvailability, type NameChange } from "@callsign/api";
import type { NetworkConnection } from "../networks/connection.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";

export interface EntryPage {
  readonly entries: readonly AnsEntry[];
  readonly next: string | null;
}

export interface ChangePage {
  readonly changes: readonly NameChange[];
  readonly next: string | null;
  readonly complete_from: string | null;
}

interface PageQuery {
  readonly page_size: number;
  readonly after: string;
}

export interface Lookups {
  /** The name is the full one. */
  readonly findByName: (name: string) => Promise<AnsEntry | null>;
  readonly listOfParty: (
    party: string,
    query: PageQuery,
  ) => Promise<EntryPage & { readonly primary: AnsEntry | null }>;
  readonly list: (prefix: string, query: PageQuery) => Promise<EntryPage>;
  /** The name is the chosen one or the full one. */
  readonly check: (name: string) => Promise<NameAvailability>;
  readonly history: (
    name: string,
    query: { readonly page_size: number; readonly after: bigint },
  ) => Promise<ChangePage>;
  readonly dsoParty: () => Promise<string>;
}

export function openLookups({ validator, scan }: NetworkConnection): Lookups {
  if (scan !== null)
    return {
      findByName: (name) => orNull(scan.lookupAnsEntryByName({ params: { name } })),
      listOfParty: (party, query) => scan.listNamesOfParty({ params: { party }, query }),
      list: (name_prefix, query) => scan.listNames({ query: { name_prefix, ...query } }),
      check: (name) => scan.checkName({ params: { name } }),
      history: (name, query) => scan.getNameHistory({ params: { name }, query }),
      dsoParty: async () => (await scan.getDsoPartyId()).dso_party_id,
    };
  if (validator === null) throw new CommandFailure(EXIT.usage, "no network is named");
  return {
    findByName: (name) => orNull(validator.scanProxyLookupAnsEntryByName({ params: { name } })),
    listOfParty: (party, query) => validator.scanProxyListNamesOfParty({ params: { party }, query }),
    list: (name_prefix, query) => validator.scanProxyListNames({ query: { name_prefix, ...query } }),
    check: (name) => validator.scanProxyCheckName({ params: { name } }),
    history: (name, query) => validator.scanProxyGetNameHistory({ params: { name }, query }),
    dsoParty: async () => (await validator.scanProxyGetDsoPartyId()).dso_party_id,
  };
}

/** A name without a dot gets the network's ending; one with a dot is asked for as it is. */
export async function fullNameOf(lookups: Lookups, name: string): Promise<string> {
  return name.includes(".") ? name : (await lookups.check(name)).name;
}

async function orNull(asked: Promise<{ readonly entry: AnsEntry }>): Promise<AnsEntry | null> {
  try {
    return (await asked).entry;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null;
    throw error;
  }
}
