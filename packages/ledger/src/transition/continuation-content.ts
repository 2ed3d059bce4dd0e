/**
 * The entries with which a network goes on in a new log, under the next migration id. The first one is signed by the
 * SVs and names every part of the state by its hash; the parts follow in that order and need no signatures.
 */
import { RelTime } from "../contracts/rel-time.ts";
import { TransferConfig } from "../contracts/splice-amulet/declarations/amulet-config.ts";
import { list } from "../daml/collections.ts";
import type { ValueOf } from "../daml/daml-type.ts";
import { optional } from "../daml/optional.ts";
import { extendedRecord, record } from "../daml/record.ts";
import { bool, contractId, int64, numeric, party, text, time } from "../daml/scalars.ts";

/** The fingerprint in the id is the namespace key's. */
export const CarriedMember = record({
  id: text,
  namespaceKey: text,
  signingKeys: list(text),
  keySerial: int64,
});
export type CarriedMember = ValueOf<typeof CarriedMember>;

const continueNetwork = {
  protocolVersion: int64,
  /** The end of the log before. */
  previous: record({
    network: text,
    migrationId: int64,
    sequence: int64,
    entryHash: text,
    digest: text,
    recordTime: time,
  }),
  dso: party,
  synchronizerId: text,
  acronym: text,
  movableClock: bool,
  clockOffset: int64,
  burstAmount: int64,
  burstWindow: int64,
  svs: list(CarriedMember),
  /** Hashes of the contents of the entries that follow. */
  parts: list(text),
} as const;
/** From protocol version 4 on it carries the clock tolerance over. */
export const ContinueNetwork = extendedRecord(continueNetwork, { clockTolerance: optional(RelTime) });
export type ContinueNetwork = ValueOf<typeof ContinueNetwork>;

/** A mining round that was opened once; its contract may be gone. */
export const OpenedRound = record({
  number: int64,
  opensAt: time,
  amuletPrice: numeric,
  transferConfig: TransferConfig,
});
export type OpenedRound = ValueOf<typeof OpenedRound>;

/** A sum, in digits: it may have more of them than a number on the ledger. */
const sum = text;

/** The sum of a kind of rewards minted in a round, in 10⁻¹⁰ of a coin. */
export const RewardTotal = record({ round: int64, kind: text, units: sum });
export type RewardTotal = ValueOf<typeof RewardTotal>;

const CarriedContract = record({ contractId, templateId: text, payload: text, createdAt: time });
const CarriedHosting = record({ party, hosts: list(text), serial: int64 });
/** From protocol version 4 on it says whether the member is a newcomer. */
const CarriedTraffic = extendedRecord(
  { member: text, free: int64, refilledAt: time, purchased: sum, consumed: sum },
  { isNewcomer: optional(bool) },
);
/** An accepted command, as long as a repetition counts as a duplicate. */
const CarriedCommand = record({ key: text, submissionId: text, recordTime: time });

export const ImportState = record({
  members: list(CarriedMember),
  hostings: list(CarriedHosting),
  traffic: list(CarriedTraffic),
  commands: list(CarriedCommand),
  contracts: list(CarriedContract),
  rounds: list(OpenedRound),
  rewards: list(RewardTotal),
});
export type ImportState = ValueOf<typeof ImportState>;
