/** Reads of scans, in the shapes in which the validator compares and repeats the answers. */
import {
  type AnsEntry,
  type ClientRequest,
  type ContractWithState,
  type DsoInfo,
  findSpliceMessage,
  HttpError,
  type MaybeCachedContractWithState,
  type ResponseOf,
  type SpliceInstanceNames,
  type scanApi,
  type WireContract,
} from "@callsign/api";
import { isStarting, type ScanRead } from "./scan-connection.ts";

export const dsoPartyId: ScanRead<{ readonly dso_party_id: string }> = {
  what: "the DSO's party",
  call: (scan) => scan.getDsoPartyId(),
};

/** Every scan names its own SV, which is one of the DSO's; the rest is the same for all. */
export const dsoInfo: ScanRead<DsoInfo> = {
  key: "dso",
  what: "the DSO",
  call: async (scan) => {
    const info = await scan.getDsoInfo();
    const { svs } = info.dso_rules.contract.payload;
    const isSv = Array.isArray(svs) && svs.some((sv) => Array.isArray(sv) && sv[0] === info.sv_party_id);
    if (!isSv) throw new Error("a scan names an SV that the DSO does not have");
    return info;
  },
  compared: ({ sv_user: _user, sv_party_id: _party, ...shared }) => shared,
};

type SummaryOperation = (typeof scanApi.endpoints)["getHoldingsSummaryAt"];

/** Null if there is no such snapshot. */
export function holdingsSummary(
  body: ClientRequest<SummaryOperation>["body"],
): ScanRead<ResponseOf<SummaryOperation> | null> {
  const what = "the coin of owners at a snapshot";
  return { what, call: async (scan) => (await orUndefined(scan.getHoldingsSummaryAt({ body }))) ?? null };
}

export const shownNames: ScanRead<SpliceInstanceNames> = {
  what: "the names that are shown",
  call: (scan) => scan.getSpliceInstanceNames(),
};

export function entriesByPrefix(query: {
  readonly name_prefix: string;
  readonly page_size: number;
}): ScanRead<{ entries: AnsEntry[] }> {
  const key = `entries ${query.page_size} ${query.name_prefix}`;
  return { key, what: "name entries by prefix", call: (scan) => scan.listAnsEntries({ query }) };
}

/** Null if there is none: scans differ in the wording of that. */
export function entryByName(name: string): ScanRead<AnsEntry | null> {
  const what = "the entry of a name";
  return {
    key: `${what} ${name}`,
    what,
    call: (scan) => orNull(scan.lookupAnsEntryByName({ params: { name } })),
  };
}

export function entryByParty(party: string): ScanRead<AnsEntry | null> {
  const what = "the entry of a party";
  return {
    key: `${what} ${party}`,
    what,
    call: (scan) => orNull(scan.lookupAnsEntryByParty({ params: { party } })),
  };
}

export const latestAnsRules: ScanRead<ContractWithState> = {
  what: "the rules of names (AnsRules)",
  call: async (scan) => whole((await scan.getAnsRules({ body: {} })).ans_rules_update),
};

export const latestAmuletRules: ScanRead<ContractWithState> = {
  what: "the rules of coin (AmuletRules)",
  call: async (scan) => whole((await scan.getAmuletRules({ body: {} })).amulet_rules_update),
};

/** The bytes left of the traffic that was bought; 0 if scan knows of no purchase. */
export function extraTraffic(domain: string, member: string): ScanRead<number> {
  return {
    what: "the traffic of a member",
    call: async (scan) => {
      const params = { domain_id: domain, member_id: member };
      const status = await orUndefined(scan.getMemberTrafficStatus({ params }));
      if (status === undefined) return 0;
      const { total_limit, total_consumed } = status.traffic_status.actual;
      return total_limit - total_consumed;
    },
  };
}

/** The participant of a party: null if there is none, `several` if there are more. */
export function hostOfParty(
  domain: string,
  party: string,
): ScanRead<{ readonly participantId: string } | "several" | null> {
  return {
    what: "the participant of a party",
    call: async (scan) => {
      const params = { domain_id: domain, party_id: party };
      try {
        const host = await orUndefined(scan.getPartyToParticipant({ params }));
        return host === undefined ? null : { participantId: host.participant_id };
      } catch (error) {
        // Scans answer it as a failure of their own.
        const message = error instanceof HttpError ? findSpliceMessage(error) : undefined;
        if (message?.includes("is hosted on multiple participants") === true) return "several";
        throw error;
      }
    },
  };
}

/** The part of the development fund that nobody was given yet. */
export const unclaimedFundCoupons: ScanRead<readonly ContractWithState[]> = {
  what: "the unclaimed coupons of the development fund",
  call: async (scan) =>
    (await scan.listUnclaimedDevelopmentFundCoupons())["unclaimed-development-fund-coupons"],
};

/** The preapproval of a receiver; null if there is none. */
export function preapprovalOfParty(party: string): ScanRead<ContractWithState | null> {
  return {
    what: "the preapproval of a party",
    call: async (scan) => {
      const found = await orUndefined(scan.lookupTransferPreapprovalByParty({ params: { party } }));
      return found?.transfer_preapproval ?? null;
    },
  };
}

/** The right of a provider as a featured app; null if there is none. */
export function featuredRightOf(provider: string): ScanRead<WireContract | null> {
  return {
    what: "the right of a featured app",
    call: async (scan) => {
      const params = { provider_party_id: provider };
      return (await scan.lookupFeaturedAppRight({ params })).featured_app_right;
    },
  };
}

export interface Rounds {
  readonly open: readonly ContractWithState[];
  readonly issuing: readonly ContractWithState[];
}

const NOTHING_CACHED = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };

/** By number, ascending. The time to live differs from scan to scan, and is left out. */
export const rounds: ScanRead<Rounds> = {
  what: "the open and issuing rounds",
  call: async (scan) => {
    const answer = await scan.getOpenAndIssuingMiningRounds({ body: NOTHING_CACHED });
    return { open: inOrder(answer.open_mining_rounds), issuing: inOrder(answer.issuing_mining_rounds) };
  },
};

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
