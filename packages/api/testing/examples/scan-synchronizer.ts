import type { scanApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice, dso, synchronizer } from "./samples.ts";

const faucets = {
  validator: alice,
  numRoundsCollected: 9,
  numRoundsMissed: 2,
  firstCollectedInRound: 4,
  lastCollectedInRound: 14,
};

const ofRound = {
  request: { params: { round_number: "1152921504606846977" } },
  received: { params: { round_number: 2n ** 60n + 1n } },
};
const object = { url: "https://bulk.example.com/1", digest: "ab" };
const time = "2025-03-12T01:50:00Z";

type SynchronizerExamples = Pick<
  Examples<typeof scanApi>,
  | "listSvBftSequencers"
  | "getRollForwardLsu"
  | "getActivePhysicalSynchronizerSerial"
  | "getMigrationSchedule"
  | "featureSupport"
  | "getValidatorFaucetsByValidator"
  | "getTopValidatorsByValidatorFaucets"
  | "forceAcsSnapshotNow"
  | "listBulkAcsSnapshotObjects"
  | "listBulkUpdateHistoryObjects"
  | "bulkStorageDownload"
  | "getRewardAccountingEarliestAvailableRound"
  | "getRewardAccountingActivityTotals"
  | "getRewardAccountingRootHash"
  | "getRewardAccountingBatch"
>;

export const scanSynchronizer: SynchronizerExamples = {
  listSvBftSequencers: {
    response: { bftSequencers: [{ serialId: 1, id: `SEQ::${alice}`, p2pUrl: "https://p2p.example.com" }] },
  },
  getRollForwardLsu: {
    response: {
      rollForwardLsu: {
        upgradeTime: time,
        currentPhysicalSynchronizerId: `${synchronizer}::34-0`,
        successorPhysicalSynchronizerId: `${synchronizer}::34-1`,
      },
    },
  },
  getActivePhysicalSynchronizerSerial: { response: { serial: 0 } },
  getMigrationSchedule: { response: { time, migration_id: 4 } },
  featureSupport: { response: { dummy: null } },
  getValidatorFaucetsByValidator: {
    request: { query: { validator_ids: [alice, dso] } },
    response: { validatorsReceivedFaucets: [faucets] },
  },
  getTopValidatorsByValidatorFaucets: {
    request: { query: { limit: 10 } },
    response: { validatorsByReceivedFaucets: [faucets] },
  },
  forceAcsSnapshotNow: { response: { record_time: time, migration_id: 0 } },
  listBulkAcsSnapshotObjects: {
    request: { query: { at_or_before_record_time: time } },
    response: { record_time: time, object_refs: [object] },
  },
  listBulkUpdateHistoryObjects: {
    request: { body: { start_record_time: time, end_record_time: time, page_size: 10 } },
    received: {
      body: { start_record_time: time, end_record_time: time, page_size: 10, next_page_token: null },
    },
    response: { object_refs: [object], next_page_token: "2" },
  },
  bulkStorageDownload: { request: { params: { object_key: "updates-0.zstd" } }, response: "" },
  getRewardAccountingEarliestAvailableRound: { response: { earliest_round: 3 } },
  getRewardAccountingActivityTotals: {
    ...ofRound,
    response: {
      round_number: 4,
      total_app_activity_weight: 5,
      active_parties_count: 6,
      activity_records_count: 7,
    },
  },
  getRewardAccountingRootHash: {
    ...ofRound,
    response: { round_number: 4, root_hash: "ab" },
  },
  getRewardAccountingBatch: {
    request: { params: { round_number: "7", batch_hash: "ab" } },
    received: { params: { round_number: 7n, batch_hash: "ab" } },
    response: {
      batch_type: "BatchOfMintingAllowances",
      minting_allowances: [{ provider: alice, amount: "1.0" }],
    },
  },
};
