/** Reads of scans, in the shapes in which the validator compares and repeats the answers. */
import type {
  AnsEntry,
  ClientRequest,
  ContractWithState,
  DsoInfo,
  MaybeCachedContractWithState,
  SpliceInstanceNames,
  scanApi,
  WireContract,
} from "@callsign/api";
import { type BodyOf, lookUp, noneIsNull, readOf, requestTo, type ScanRead, whole } from "./scan-read.ts";

export const dsoPartyId: ScanRead<{ readonly dso_party_id: string }> = readOf(
  "getDsoPartyId",
  {},
  { what: "the DSO's party", decode: whole },
);

/** Every scan names its own SV, which is one of the DSO's; the rest is the same for all. */
export const dsoInfo: ScanRead<DsoInfo> = readOf(
  "getDsoInfo",
  {},
  {
    what: "the DSO",
    decode: (info) => {
      const { svs } = info.dso_rules.contract.payload;
      const isSv = Array.isArray(svs) && svs.some((sv) => Array.isArray(sv) && sv[0] === info.sv_party_id);
      if (!isSv) throw new Error("a scan names an SV that the DSO does not have");
      return info;
    },
    compared: ({ sv_user: _user, sv_party_id: _party, ...shared }) => shared,
  },
);

type SummaryRequest = ClientRequest<(typeof scanApi.endpoints)["getHoldingsSummaryAt"]>;

/** Null if there is no such snapshot. */
export function holdingsSummary(
  body: SummaryRequest["body"],
): ScanRead<BodyOf<"getHoldingsSummaryAt"> | null> {
  return lookUp(
    "getHoldingsSummaryAt",
    { body },
    { what: "the coin of owners at a snapshot", decode: whole },
  );
}

export const shownNames: ScanRead<SpliceInstanceNames> = readOf(
  "getSpliceInstanceNames",
  {},
  { what: "the names that are shown", decode: whole },
);

export function entriesByPrefix(query: {
  readonly name_prefix: string;
  readonly page_size: number;
}): ScanRead<{ entries: AnsEntry[] }> {
  return readOf("listAnsEntries", { query }, { what: "name entries by prefix", decode: whole });
}

/** Null if there is none. */
export function entryByName(name: string): ScanRead<AnsEntry | null> {
  const read = { what: "the entry of a name", decode: entryOf };
  return lookUp("lookupAnsEntryByName", { params: { name } }, read);
}

/** Null if there is none. */
export function entryByParty(party: string): ScanRead<AnsEntry | null> {
  const read = { what: "the entry of a party", decode: entryOf };
  return lookUp("lookupAnsEntryByParty", { params: { party } }, read);
}

function entryOf({ entry }: { readonly entry: AnsEntry }): AnsEntry {
  return entry;
}

export const latestAnsRules: ScanRead<ContractWithState> = readOf(
  "getAnsRules",
  { body: {} },
  {
    what: "the rules of names (AnsRules)",
    decode: ({ ans_rules_update }) => uncached(ans_rules_update),
  },
);

export const latestAmuletRules: ScanRead<ContractWithState> = readOf(
  "getAmuletRules",
  { body: {} },
  {
    what: "the rules of coin (AmuletRules)",
    decode: ({ amulet_rules_update }) => uncached(amulet_rules_update),
  },
);

/** The bytes left of the traffic that was bought; 0 if scan knows of no purchase. */
export function extraTraffic(domain: string, member: string): ScanRead<number> {
  const params = { domain_id: domain, member_id: member };
  return {
    what: "the traffic of a member",
    requests: [requestTo("getMemberTrafficStatus", { params }, noneIsNull)],
    decode: ([body]) => {
      const status = body as BodyOf<"getMemberTrafficStatus"> | null;
      if (status === null) return 0;
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
  const params = { domain_id: domain, party_id: party };
  return {
    what: "the participant of a party",
    requests: [requestTo("getPartyToParticipant", { params }, severalOrNone)],
    decode: ([body]) => {
      if (body === null || body === "several") return body;
      return { participantId: (body as BodyOf<"getPartyToParticipant">).participant_id };
    },
  };
}

/** Scans answer several participants as a failure of their own. */
function severalOrNone(status: number, message: string): { readonly body: unknown } | undefined {
  if (message.includes("is hosted on multiple participants")) return { body: "several" };
  return noneIsNull(status, message);
}

/** The part of the development fund that nobody was given yet. */
export const unclaimedFundCoupons: ScanRead<readonly ContractWithState[]> = readOf(
  "listUnclaimedDevelopmentFundCoupons",
  {},
  {
    what: "the unclaimed coupons of the development fund",
    decode: (body) => body["unclaimed-development-fund-coupons"],
  },
);

/** The preapproval of a receiver; null if there is none. */
export function preapprovalOfParty(party: string): ScanRead<ContractWithState | null> {
  return lookUp(
    "lookupTransferPreapprovalByParty",
    { params: { party } },
    { what: "the preapproval of a party", decode: ({ transfer_preapproval }) => transfer_preapproval },
  );
}

/** The right of a provider as a featured app; null if there is none. */
export function featuredRightOf(provider: string): ScanRead<WireContract | null> {
  return readOf(
    "lookupFeaturedAppRight",
    { params: { provider_party_id: provider } },
    { what: "the right of a featured app", decode: ({ featured_app_right }) => featured_app_right },
  );
}

export interface Rounds {
  readonly open: readonly ContractWithState[];
  readonly issuing: readonly ContractWithState[];
}

const NOTHING_CACHED = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };

/** By number, ascending. The time to live differs from scan to scan, and is left out. */
export const rounds: ScanRead<Rounds> = readOf(
  "getOpenAndIssuingMiningRounds",
  { body: NOTHING_CACHED },
  {
    what: "the open and issuing rounds",
    decode: ({ open_mining_rounds, issuing_mining_rounds }) => ({
      open: inOrder(open_mining_rounds),
      issuing: inOrder(issuing_mining_rounds),
    }),
  },
);

function inOrder(contracts: Readonly<Record<string, MaybeCachedContractWithState>>): ContractWithState[] {
  return Object.values(contracts)
    .map(uncached)
    .sort((a, b) => roundNumber(a) - roundNumber(b));
}

function roundNumber({ contract: { payload } }: ContractWithState): number {
  const { round } = payload as { readonly round?: { readonly number?: unknown } };
  return Number(round?.number);
}

function uncached({ contract, domain_id }: MaybeCachedContractWithState): ContractWithState {
  if (contract === null) throw new Error("a scan left out a contract that it was not told to leave out");
  return { contract, domain_id };
}
