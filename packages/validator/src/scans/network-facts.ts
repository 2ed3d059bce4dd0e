/**
 * The facts of the network that commands need: its DSO, its rules and its rounds, with their disclosures. Scans' answers
 * are cached for a moment, and dropped when a command finds one of the contracts gone.
 */
import type { ContractWithState, DisclosedContract, SpliceInstanceNames, WireContract } from "@callsign/api";
import {
  AmuletRules,
  AnsRules,
  type AnyTemplateDeclaration,
  type ContractId,
  type Decimal,
  IssuingMiningRound,
  OpenMiningRound,
  type PartyId,
  type PayloadOf,
  parseContractId,
  scanJson,
  type Time,
} from "@callsign/ledger";
import { BoundedMap, CachedRead, type Host, rememberLast } from "@callsign/node";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { readParty } from "../ledger/read-party.ts";
import {
  CACHED_PARTIES,
  NAMES_CACHE_MILLISECONDS,
  ROUNDS_CACHE_MILLISECONDS,
  RULES_CACHE_MILLISECONDS,
  TIME_CACHE_MILLISECONDS,
} from "../limits/limits.ts";
import { CachedLookups } from "./cached-lookups.ts";
import type { ScanGroup } from "./scan-group.ts";
import {
  dsoPartyId,
  entryByParty,
  extraTraffic,
  featuredRightOf,
  hostOfParty,
  latestAmuletRules,
  latestAnsRules,
  preapprovalOfParty,
  type Rounds,
  rounds,
  shownNames,
} from "./scan-lookups.ts";

export interface RoundContract<T> {
  readonly contract: ContractWithState;
  readonly payload: T;
}

export type OpenRoundContract = RoundContract<OpenMiningRound>;
export type IssuingRoundContract = RoundContract<IssuingMiningRound>;

/** The contracts that a payment names and discloses. */
export interface CoinContext {
  readonly amuletRules: ContractId;
  readonly openMiningRound: ContractId;
  readonly amuletPrice: Decimal;
  readonly roundOpensAt: Time;
  readonly maxInputs: number;
  readonly disclosed: readonly DisclosedContract[];
  /** Rounds whose rewards can be minted now. */
  readonly issuing: readonly IssuingRoundContract[];
}

export interface RulesContract<T> {
  readonly contractId: ContractId;
  readonly payload: T;
  readonly disclosed: DisclosedContract;
}

export type NameRules = RulesContract<AnsRules>;
export type CoinRules = RulesContract<AmuletRules>;

const FOR_GOOD = Number.POSITIVE_INFINITY;

export class NetworkFacts {
  readonly #scans: ScanGroup;
  readonly #clock: LedgerClock;
  readonly #dso: CachedRead<PartyId>;
  readonly #acronym: CachedRead<string>;
  readonly #ansRules: CachedRead<ContractWithState>;
  readonly #amuletRules: CachedRead<ContractWithState>;
  readonly #synchronizerId: CachedRead<string | null>;
  readonly #rounds: CachedRead<Rounds>;
  readonly #time: CachedRead<void>;
  readonly #shownNames: CachedRead<SpliceInstanceNames>;
  readonly #hosted = new BoundedMap<PartyId, true>({ limit: CACHED_PARTIES });
  readonly #preapprovals: CachedLookups<ContractWithState | null>;
  readonly #featuredRights: CachedLookups<WireContract | null>;
  // Every command asks for them, and an answer that is kept is read once.
  readonly #readNameRules = rememberLast((rules: ContractWithState) => readRules(AnsRules, rules));
  readonly #readCoinRules = rememberLast((rules: ContractWithState) => readRules(AmuletRules, rules));
  readonly #readOpenRounds = rememberLast(({ open }: Rounds) => {
    const rounds = open.map((contract) => readRound(OpenMiningRound, contract));
    // A contract was created in the past.
    for (const { contract } of open) this.#clock.observeText(contract.created_at);
    return rounds;
  });
  readonly #readIssuingRounds = rememberLast(({ issuing }: Rounds) =>
    issuing.map((contract) => readRound(IssuingMiningRound, contract)),
  );

  constructor(scans: ScanGroup, clock: LedgerClock, host: Host) {
    this.#scans = scans;
    this.#clock = clock;
    const cache = <T>(read: () => Promise<T>, milliseconds: number) =>
      new CachedRead(read, milliseconds, host.clock);
    this.#dso = cache(async () => readParty((await scans.read(dsoPartyId)).dso_party_id), FOR_GOOD);
    this.#acronym = cache(async () => {
      const entry = await scans.read(entryByParty(await this.#dso.get()));
      return readAcronym(entry?.name);
    }, FOR_GOOD);
    this.#ansRules = cache(() => scans.read(latestAnsRules), RULES_CACHE_MILLISECONDS);
    this.#amuletRules = cache(() => scans.read(latestAmuletRules), RULES_CACHE_MILLISECONDS);
    this.#synchronizerId = cache(async () => (await this.#amuletRules.get()).domain_id, FOR_GOOD);
    this.#rounds = cache(() => scans.read(rounds), ROUNDS_CACHE_MILLISECONDS);
    this.#shownNames = cache(() => scans.read(shownNames), NAMES_CACHE_MILLISECONDS);
    const ofParties = { limit: CACHED_PARTIES, milliseconds: RULES_CACHE_MILLISECONDS, clock: host.clock };
    this.#preapprovals = new CachedLookups((party) => scans.read(preapprovalOfParty(party)), ofParties);
    this.#featuredRights = new CachedLookups((party) => scans.read(featuredRightOf(party)), ofParties);
    this.#time = cache(async () => {
      this.#rounds.drop();
      await this.openRounds();
    }, TIME_CACHE_MILLISECONDS);
  }

  dso(): Promise<PartyId> {
    return this.#dso.get();
  }

  /** The last part of the network's names: the DSO's own is `dso.<acronym>`. */
  acronym(): Promise<string> {
    return this.#acronym.get();
  }

  /** The names that applications show, as the scans say them. */
  shownNames(): Promise<SpliceInstanceNames> {
    return this.#shownNames.get();
  }

  async nameRules(): Promise<NameRules> {
    return this.#readNameRules(await this.#ansRules.get());
  }

  async coinContext(): Promise<CoinContext> {
    const [rules, { contract, payload }] = await Promise.all([this.#amuletRules.get(), this.usableRound()]);
    return {
      amuletRules: readContractId(rules),
      openMiningRound: readContractId(contract),
      amuletPrice: payload.amuletPrice,
      roundOpensAt: payload.opensAt,
      maxInputs: Number(payload.transferConfigUsd.maxNumInputs),
      disclosed: [disclose(rules), disclose(contract)],
      issuing: (await this.issuingRounds()).filter((each) => each.payload.opensAt <= this.#clock.now),
    };
  }

  async coinRules(): Promise<CoinRules> {
    return this.#readCoinRules(await this.#amuletRules.get());
  }

  /** The network's synchronizer: every contract of a wallet is on it. */
  synchronizerId(): Promise<string | null> {
    return this.#synchronizerId.get();
  }

  /** By number, ascending; the newest may not be open yet. */
  async openRounds(): Promise<readonly OpenRoundContract[]> {
    return this.#openOf(await this.#rounds.get());
  }

  /** By number, ascending; the newest may not be open yet. */
  async issuingRounds(): Promise<readonly IssuingRoundContract[]> {
    return this.#readIssuingRounds(await this.#rounds.get());
  }

  /** The bytes left of the traffic that was bought for the member. */
  extraTraffic(domain: string, member: string): Promise<number> {
    return this.#scans.read(extraTraffic(domain, member));
  }

  /** True if a participant hosts the party. */
  async isHosted(party: PartyId): Promise<boolean> {
    if (this.#hosted.get(party) !== undefined) return true;
    const synchronizer = (await this.#synchronizerId.get()) ?? "";
    const host = await this.#scans.read(hostOfParty(synchronizer, party));
    if (host !== null) this.#hosted.set(party, true);
    return host !== null;
  }

  /** The preapproval of a receiver, which may have expired; null if there is none. */
  async preapprovalOf(receiver: PartyId): Promise<ContractWithState | null> {
    const found = await this.#preapprovals.get(receiver);
    // It may come at any moment, and its sender has been told to wait for it.
    if (found === null) this.#preapprovals.forget(receiver);
    return found;
  }

  /** The right of a provider as a featured app; null if there is none. */
  async featuredRightOf(provider: PartyId): Promise<ContractWithState | null> {
    const contract = await this.#featuredRights.get(provider);
    return contract === null ? null : { contract, domain_id: await this.synchronizerId() };
  }

  /** The newest round that is open already: the one a wallet pays in. */
  async usableRound(): Promise<OpenRoundContract> {
    const usable = this.#chooseUsable(await this.#rounds.get());
    if (usable === undefined) throw new Error("scans know of no open round");
    return usable;
  }

  /** The same, if the scans need not be asked. */
  findUsableRound(): OpenRoundContract | undefined {
    const known = this.#rounds.find();
    return known === undefined ? undefined : this.#chooseUsable(known);
  }

  /** Moves the clock on to the scans' time; a participant may receive nothing for a long time. */
  async observeTime(): Promise<void> {
    this.#time.drop();
    await this.#time.get();
  }

  /** The same, unless it happened a moment ago. Without an answer the clock stays where it is. */
  async refreshTime(): Promise<void> {
    await this.#time.get().catch(() => undefined);
  }

  /** Call after a command that found one of the contracts gone. */
  drop(): void {
    for (const kept of [this.#ansRules, this.#amuletRules, this.#rounds]) kept.drop();
    for (const kept of [this.#preapprovals, this.#featuredRights]) kept.drop();
  }

  #chooseUsable(known: Rounds): OpenRoundContract | undefined {
    const open = this.#openOf(known);
    return open.findLast(({ payload }) => payload.opensAt <= this.#clock.now) ?? open[0];
  }

  /** Our scans tell the time they stand at, too. */
  #openOf(known: Rounds): readonly OpenRoundContract[] {
    const open = this.#readOpenRounds(known);
    const time = this.#scans.recordTime();
    if (time !== undefined) this.#clock.observe(time);
    return open;
  }
}

export function disclose({ contract, domain_id }: ContractWithState): DisclosedContract {
  return {
    templateId: contract.template_id,
    contractId: contract.contract_id,
    createdEventBlob: contract.created_event_blob,
    synchronizerId: domain_id ?? "",
  };
}

export function readContractId({ contract }: ContractWithState): ContractId {
  const id = parseContractId(contract.contract_id);
  if (!id.ok) throw new Error(id.error);
  return id.value;
}

function readRules<T extends AnyTemplateDeclaration>(
  { record }: T,
  rules: ContractWithState,
): RulesContract<PayloadOf<T>> {
  const payload = record.fromJson(rules.contract.payload, scanJson) as PayloadOf<T>;
  return { contractId: readContractId(rules), payload, disclosed: disclose(rules) };
}

function readRound<T extends AnyTemplateDeclaration>(
  { record }: T,
  contract: ContractWithState,
): RoundContract<PayloadOf<T>> {
  return { contract, payload: record.fromJson(contract.contract.payload, scanJson) as PayloadOf<T> };
}

function readAcronym(name: string | undefined): string {
  const acronym = /^dso\.(.+)$/.exec(name ?? "")?.[1];
  if (acronym === undefined) throw new Error(`scans call the DSO ${name ?? "nothing"}, not dso.<acronym>`);
  return acronym;
}
