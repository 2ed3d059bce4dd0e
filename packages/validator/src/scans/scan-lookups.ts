/** Reads of scans, in the shapes in which the validator compares and repeats the answers. */
import {
  type AnsEntry,
  type ContractWithState,
  findSpliceMessage,
  HttpError,
  type MaybeCachedContractWithState,
} from "@callsign/api";
import { IssuingMiningRound, OpenMiningRound, scanJson } from "@callsign/ledger";
import { isStarting, type ScanRead } from "./scan-group.ts";

export function dsoPartyId(): ScanRead<{ readonly dso_party_id: string }> {
  return { what: "the DSO's party", call: (scan) => scan.getDsoPartyId() };
}

export function entriesByPrefix(query: {
  readonly name_prefix: string;
  readonly page_size: number;
}): ScanRead<{ entries: AnsEntry[] }> {
  return { what: "entries", call: (scan) => scan.listAnsEntries({ query }) };
}

/** Null if there is none: scans differ in the wording of that.*/
export function entryByName(name: string): ScanRead<AnsEntry | null> {
  return {
    what: "an entry by name",
    call: (scan) => orNull(scan.lookupAnsEntryByName({ params: { name } })),
  };
}

export function entryByParty(party: string): ScanRead<AnsEntry | null> {
  return {
    what: "an entry by party",
    call: (scan) => orNull(scan.lookupAnsEntryByParty({ params: { party } })),
  };
}

export function readAnsRules(): ScanRead<ContractWithState> {
  return {
    what: "the rules for names",
    call: async (scan) => whole((await scan.getAnsRules({ body: {} })).ans_rules_update),
  };
}

export function readAmuletRules(): ScanRead<ContractWithState> {
  return {
    what: "the rules of the coin",
    call: async (scan) => whole((await scan.getAmuletRules({ body: {} })).amulet_rules_update),
  };
}

/** The bytes left of the traffic that was bought; 0 if scan knows of no purchase. */
export function extraTraffic(domain: string, member: string): ScanRead<number> {
  return {
    what: "a member's traffic",
    call: async (scan) => {
      const params = { domain_id: domain, member_id: member };
      const status = await orUndefined(scan.getMemberTrafficStatus({ params }));
      if (status === undefined) return 0;
      const { total_limit, total_consumed } = status.traffic_status.actual;
      return total_limit - total_consumed;
    },
  };
}

export interface Rounds {
  readonly open: readonly ContractWithState[];
  readonly issuing: readonly ContractWithState[];
}

/** By number, ascending. The time to live differs from scan to scan, and is left out. */
export function rounds(): ScanRead<Rounds> {
  const nothingCached = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
  return {
    what: "the rounds",
    call: async (scan) => {
      const answer = await scan.getOpenAndIssuingMiningRounds({ body: nothingCached });
      return {
        open: inOrder(answer.open_mining_rounds),
        issuing: inOrder(answer.issuing_mining_rounds),
      };
    },
  };
}

export type OpenRoundContract = {
  readonly contract: ContractWithState;
  readonly payload: OpenMiningRound;
};

export function readOpenRounds({ open }: Rounds): readonly OpenRoundContract[] {
  return open.map((contract) => ({
    contract,
    payload: OpenMiningRound.record.fromJson(contract.contract.payload, scanJson),
  }));
}

export type IssuingRoundContract = {
  readonly contract: ContractWithState;
  readonly payload: IssuingMiningRound;
};

export function readIssuingRounds({ issuing }: Rounds): readonly IssuingRoundContract[] {
  return issuing.map((contract) => ({
    contract,
    payload: IssuingMiningRound.record.fromJson(contract.contract.payload, scanJson),
  }));
}

function inOrder(contracts: Readonly<Record<string, MaybeCachedContractWithState>>): ContractWithState[] {
  return Object.values(contracts)
    .map(whole)
    .sort((a, b) => roundNumber(a) - roundNumber(b));
}

function roundNumber({ contract: { payload } }: ContractWithState): number {
  const { round } = payload as { readonly round?: { readonly number?: unknown } };
  return Number(round?.number);
}

function whole({ contract, domain_id }: MaybeCachedContractWithState): ContractWithState {
  if (contract === null) throw new Error("a scan left out a contract that it was not told to leave out");
  return { contract, domain_id };
}

async function orNull(lookup: Promise<{ readonly entry: AnsEntry }>): Promise<AnsEntry | null> {
  return (await orUndefined(lookup))?.entry ?? null;
}

async function orUndefined<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
    const message = typeof error.body === "string" ? undefined : findSpliceMessage(error);
    if (message === undefined || isStarting(error.status, message)) throw error;
    return undefined;
  }
}
