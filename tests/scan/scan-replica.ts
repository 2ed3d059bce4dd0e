/** A log and replicas on it, each with scan's index, fed with what a simulated network does. */
import { systemHost } from "@callsign/node";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { ScanIndex, type ScanIndexOptions } from "../../packages/scan/src/rows/scan-index.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { type NamedConsumers, openReplica } from "../support/open-replica.ts";
import { appendAll, batchOf } from "../synchronizer/log-entries.ts";

/** The log of a simulated network, on disk. */
export class NetworkLog {
  readonly log: SqliteLog;
  readonly #entries: readonly LogEntry[];

  constructor(path: string, network: { readonly log: readonly LogEntry[] }) {
    this.log = new SqliteLog(path, systemHost);
    this.#entries = network.log;
  }

  /** Appends what the network has done since the last time, or as far as an entry. */
  async append(end: number = this.#entries.length): Promise<void> {
    const after = await this.log.head();
    const entries = this.#entries.slice(after.sequence, end);
    if (entries.length > 0) await appendAll(this.log, [batchOf(after, entries)]);
  }

  async close(): Promise<void> {
    await this.log.close();
  }
}

export interface ScanReplicaOptions extends ScanIndexOptions {
  /** Consumers that the replica calls after scan's. */
  readonly consumers?: (index: ScanIndex) => NamedConsumers;
  /** True if pages share transactions. */
  readonly sharedCommits?: boolean;
}

export type ScanReplica = ReturnType<typeof openScanReplica>;

export function openScanReplica(log: SqliteLog, file: string, options: ScanReplicaOptions = {}) {
  const { sharedCommits = false } = options;
  return openReplica({ log, file, sharedCommits }, (state) => {
    const index = new ScanIndex(state, options);
    return { index, ...options.consumers?.(index) };
  });
}

/** Turns an index into one of the first: without a version, without recorded kinds, with a position of its own. */
export const FORMER_INDEX = `
  drop table party_contract;
  drop table transfer_command;
  drop table holding;
  drop table holding_snapshot;
  drop table holding_supply;
  drop table vote_result;
  drop table name_change;
  drop table name_history;
  drop table name_day;
  drop table update_history;
  drop table update_block;
  drop table update_beginning;
  drop table update_dictionary;
  drop table acs_contract;
  drop table acs_beginning;
  drop table changed_keys;
  drop table seen_round;
  drop table party_round;
  drop table activity_update;
  drop table activity_beginning;
  alter table opened_round drop column row_check;
  alter table minted_reward drop column row_check;
  alter table current_contract drop column row_check;
  delete from current_contract where template_id like '%:Splice.ExternalParty%' or template_id like '%FundCoupon'
    or template_id like '%:ClosedMiningRound' or template_id like '%PriceVote' or template_id like '%:VoteRequest';
  delete from store_version where store = 'scan';
  delete from consumer_kind where consumer = 'scan';
  create table scan_position as select sequence from head;
`;
