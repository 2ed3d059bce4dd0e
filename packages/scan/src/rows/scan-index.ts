/**
 * Scan's read index over the replica: names, current contracts, contracts of parties, rounds, rewards, holdings. The
 * replica writes it in its own transaction, so that a name is found from its entry on, and both stand at the same entry
 * after a crash. Members, and contracts by their ids, are read from the replica's own state.
 */
import type { DatabaseSync } from "node:sqlite";
import type { CarriedTotals, Decimal, Network, Outcome, Time } from "@callsign/ledger";
import { checkMigrated, inTransaction, migrateDatabase, openDatabase } from "@callsign/node";
import {
  type CarriedHistory,
  type ReplicaChange,
  type ReplicaConsumer,
  SqliteState,
} from "@callsign/synchronizer";
import { CACHED_NAMES, MAPPED_BYTES } from "../limits/limits.ts";
import { NameLookup } from "../names/name-lookup.ts";
import { WellKnownNames } from "../names/well-known-names.ts";
import { CollectedRewards } from "../rounds/collected-rewards.ts";
import { listTransfers, type RewardKind } from "../rounds/counted-transfers.ts";
import { RoundTotals } from "../rounds/round-totals.ts";
import { openAcsRows } from "./acs-rows.ts";
import { openActivityRows } from "./activity-rows.ts";
import { type Changed, type ChangedKeys, openChangedKeys } from "./changed-keys.ts";
import { openCurrentContracts } from "./current-contracts.ts";
import { DERIVED_TABLES } from "./derived-tables.ts";
import { HISTORY_TABLES, SCAN_CHECKED_TABLES } from "./history-tables.ts";
import { openHoldingRows } from "./holding-rows.ts";
import { openNameChangeRows } from "./name-change-rows.ts";
import { openNamePages } from "./name-pages.ts";
import { openNameRows } from "./name-rows.ts";
import { openPartyContracts } from "./party-contracts.ts";
import { openPartyRoundRows } from "./party-round-rows.ts";
import { openRewardRows } from "./reward-rows.ts";
import { openRoundRows } from "./round-rows.ts";
import { SCAN_NAME, SCAN_TEMPLATES, scanMigrations } from "./scan-migrations.ts";
import { openSeenRoundRows } from "./seen-round-rows.ts";
import { openTransferCommandRows } from "./transfer-command-rows.ts";
import { openUpdateRows } from "./update-rows.ts";
import { openVoteResultRows } from "./vote-result-rows.ts";

export interface ScanIndexOptions {
  /** The capacity of the cache of lookups: so many answers by name, and so many by party. */
  readonly cachedNames?: number;
  /** True if other processes read the rows: they are told which keys changed. */
  readonly hasReaders?: boolean;
  /** False if the database is not mapped into memory, where several of them share a process. True if omitted. */
  readonly isMapped?: boolean;
}

export class ScanIndex implements ReplicaConsumer {
  readonly name = SCAN_NAME;
  readonly kinds = SCAN_TEMPLATES;
  readonly absorbsBySlice = true;
  readonly derived = DERIVED_TABLES;
  readonly checkedTables = SCAN_CHECKED_TABLES;
  readonly historyTables = HISTORY_TABLES;
  readonly state: SqliteState;
  readonly names: NameLookup;
  readonly namePages: ReturnType<typeof openNamePages>;
  readonly wellKnown: WellKnownNames;
  readonly nameChanges: ReturnType<typeof openNameChangeRows>;
  readonly contracts: ReturnType<typeof openCurrentContracts>;
  readonly partyContracts: ReturnType<typeof openPartyContracts>;
  readonly transferCommands: ReturnType<typeof openTransferCommandRows>;
  readonly holdings: ReturnType<typeof openHoldingRows>;
  readonly openedRounds: ReturnType<typeof openRoundRows>;
  readonly rewards: CollectedRewards;
  readonly roundTotals: RoundTotals;
  readonly voteResults: ReturnType<typeof openVoteResultRows>;
  readonly updates: ReturnType<typeof openUpdateRows>;
  readonly acs: ReturnType<typeof openAcsRows>;
  readonly activities: ReturnType<typeof openActivityRows>;
  readonly #nameRows: ReturnType<typeof openNameRows>;
  readonly #rewardRows: ReturnType<typeof openRewardRows>;
  readonly #seenRounds: ReturnType<typeof openSeenRoundRows>;
  readonly #partyRounds: ReturnType<typeof openPartyRoundRows>;
  readonly #changedKeys: ReturnType<typeof openChangedKeys>;
  readonly #hasReaders: boolean;

  /** Over a state that is read only, the index is one as well. */
  constructor(
    state: SqliteState,
    { cachedNames = CACHED_NAMES, hasReaders = false, isMapped = true }: ScanIndexOptions = {},
  ) {
    const { database } = state;
    this.state = state;
    this.#hasReaders = hasReaders;
    database.exec(`pragma mmap_size = ${isMapped ? MAPPED_BYTES : 0}`);
    if (state.isReadOnly) checkMigrated(database, scanMigrations);
    else migrateDatabase(database, scanMigrations);
    this.#changedKeys = openChangedKeys(state);
    this.contracts = openCurrentContracts(state);
    this.partyContracts = openPartyContracts(state);
    this.transferCommands = openTransferCommandRows(state);
    this.holdings = openHoldingRows(state);
    this.openedRounds = openRoundRows(state);
    this.voteResults = openVoteResultRows(state);
    this.updates = openUpdateRows(state);
    this.acs = openAcsRows({ state, findUpdateAt: (recordTime) => this.updates.findAt(recordTime) });
    this.activities = openActivityRows(state);
    this.#rewardRows = openRewardRows(state);
    this.rewards = new CollectedRewards({
      rewards: this.#rewardRows,
      contracts: this.contracts,
      findFirstRound: () => this.openedRounds.findFirst(),
    });
    this.#seenRounds = openSeenRoundRows(state);
    this.#partyRounds = openPartyRoundRows(state);
    this.roundTotals = new RoundTotals(this.rewards, this.#seenRounds, this.#partyRounds);
    this.#nameRows = openNameRows(database);
    this.namePages = openNamePages(database);
    this.nameChanges = openNameChangeRows(state);
    this.wellKnown = new WellKnownNames(this.contracts, state);
    this.names = new NameLookup(this.#nameRows, this.wellKnown, cachedNames);
  }

  /** The record time of the last applied entry, which is *now* to every query. */
  get now(): Time {
    return this.state.head.recordTime;
  }

  /** Null until the network is founded. */
  get network(): Network | null {
    return this.state.network;
  }

  absorb(change: ReplicaChange): void {
    if (this.network === null) return;
    const { dso } = this.network;
    const now = change.outcome?.head.recordTime ?? this.now;
    const templates = this.contracts.absorb(change, dso);
    this.partyContracts.absorb(change, dso);
    this.transferCommands.absorb(change, { dso, now });
    this.holdings.absorb(change, { dso, now });
    this.openedRounds.absorb(change, dso);
    const transfers = change.outcome === null ? [] : listTransfers(change.outcome, dso);
    this.#seenRounds.absorb(change, dso);
    for (const transfer of transfers) {
      for (const reward of transfer.rewards) this.#rewardRows.add(reward);
      if (this.#seenRounds.has(transfer.round)) this.#partyRounds.add(transfer);
    }
    if (change.outcome !== null) {
      this.voteResults.absorb(change.outcome, dso);
      this.updates.absorb(change.outcome, dso);
      this.acs.absorb(change.outcome, dso);
      this.activities.absorb(change.outcome);
    }
    if (change.outcome?.imported != null) this.#absorbTotals(change.outcome.imported);
    this.nameChanges.absorb(change, this.network, now);
    const names = this.#nameRows.absorb(change, dso);
    for (const changed of names) this.names.forget(changed);
    if (change.outcome !== null && this.#hasReaders)
      this.#noteChanged(change.outcome, { names, templates: [...templates] });
  }

  /** Writes the rows that have waited. */
  save(): void {
    this.holdings.save();
    this.acs.save();
    this.updates.save();
  }

  /** Writes some of them, until the time is over. */
  saveUntil(isOver: () => boolean): boolean {
    return this.holdings.save(isOver) && this.acs.save(isOver);
  }

  #noteChanged({ head, imported }: Outcome, changed: ChangedKeys): void {
    this.#changedKeys.add(head.sequence, imported === null ? changed : "all");
  }

  /** Follows the process that writes the rows to the entry that they stand at now. */
  moveOn(): void {
    const { sequence: before } = this.state.head;
    this.state.readPosition();
    const { sequence } = this.state.head;
    if (sequence !== before)
      for (const changed of this.#changedKeys.listBetween(before, sequence)) this.#forget(changed);
  }

  #forget(changed: Changed): void {
    if (changed === "all") {
      this.reload();
      return;
    }
    for (const template of changed.templates) this.contracts.forget(template);
    for (const name of changed.names) this.names.forget(name);
  }

  /** The sums over the whole log, for a network that goes on in another. */
  get history(): CarriedHistory {
    return { rounds: () => this.openedRounds.listAll(), rewards: () => this.#rewardRows.listAll() };
  }

  #absorbTotals({ rounds, rewards }: CarriedTotals): void {
    for (const round of rounds) this.openedRounds.add(round);
    for (const { round, kind, units } of rewards)
      this.#rewardRows.add({ round, kind: kind as RewardKind, amount: BigInt(units) as Decimal });
    this.rewards.reload();
    // Answers that are made of contracts and name the first round are made anew.
    this.contracts.reload();
  }

  /** Drops what is cached of the rows, after a transaction that was rolled back. */
  reload(): void {
    this.contracts.reload();
    this.holdings.reload();
    this.rewards.reload();
    this.#seenRounds.reload();
    this.updates.reload();
    this.acs.reload();
    this.activities.reload();
    this.names.reload();
    this.nameChanges.reload();
  }

  /** A copy in memory that no longer changes. For small networks. */
  copy(): ScanIndex {
    this.state.flush();
    const memory = openDatabase(":memory:");
    const state = new SqliteState(memory);
    const copy = new ScanIndex(state);
    inTransaction(memory, () => {
      for (const table of TABLES) copyTable(this.state.database, memory, table);
    });
    state.reload();
    copy.reload();
    return copy;
  }
}

const TABLES = [
  "head",
  "network",
  "template",
  "contract",
  "contract_body",
  "contract_dictionary",
  "current_contract",
  "party_contract",
  "transfer_command",
  "holding",
  "holding_snapshot",
  "holding_supply",
  "opened_round",
  "minted_reward",
  "seen_round",
  "party_round",
  "vote_result",
  "update_history",
  "update_block",
  "update_beginning",
  "update_dictionary",
  "acs_contract",
  "acs_beginning",
  "activity_update",
  "activity_beginning",
  "name_entry",
  "name_change",
  "name_history",
  "name_day",
  "member",
  "traffic",
  "hosting",
] as const;

/** `table_info` leaves out generated columns. */
function copyTable(from: DatabaseSync, to: DatabaseSync, table: (typeof TABLES)[number]): void {
  const names = from.prepare(`pragma table_info(${table})`).all();
  const columns = names.map(({ name }) => String(name));
  const places = columns.map(() => "?").join(", ");
  const insert = to.prepare(`insert into ${table} (${columns.join(", ")}) values (${places})`);
  const select = from.prepare(`select ${columns.join(", ")} from ${table}`);
  for (const row of select.iterate()) insert.run(...Object.values(row));
}
