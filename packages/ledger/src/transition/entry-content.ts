/**
 * The entries of the log, as types: they give each entry its canonical text, check what is read, and say
 * where it is wrong. All but the beginning of a log name the network, the member that asks, a random id and the latest
 * record time at which the entry may take effect: so it happens once, through however many sequencers it came.
 */

import { RelTime } from "../contracts/rel-time.ts";
import { AmuletConfig } from "../contracts/splice-amulet/declarations/amulet-config.ts";
import { AnsRulesConfig } from "../contracts/splice-amulet-name-service/declarations/ans.ts";
import { DsoRulesConfig } from "../contracts/splice-dso-governance/declarations/dso-rules-config.ts";
import { list } from "../daml/collections.ts";
import type { ValueOf } from "../daml/daml-type.ts";
import { optional } from "../daml/optional.ts";
import { extendedRecord, record } from "../daml/record.ts";
import { bool, contractId, int64, numeric, party, text, time } from "../daml/scalars.ts";
import { variant } from "../daml/variant.ts";
import { Command } from "../engine/command.ts";
import { ContinueNetwork, ImportState } from "./continuation-content.ts";

const onceOnly = { network: text, member: text, submissionId: text, maxRecordTime: time } as const;

export const FoundingSv = record({
  name: text,
  partyHint: text,
  nodeIdentifier: text,
  namespaceKey: text,
  signingKeys: list(text),
  rewardWeight: int64,
});
export type FoundingSv = ValueOf<typeof FoundingSv>;

const foundNetwork = {
  protocolVersion: int64,
  synchronizerName: text,
  dsoHint: text,
  acronym: text,
  migrationId: int64,
  movableClock: bool,
  isDevNet: bool,
  amuletPrice: numeric,
  round0Duration: RelTime,
  initialRound: optional(int64),
  amuletConfig: AmuletConfig,
  ansRulesConfig: AnsRulesConfig,
  dsoRulesConfig: DsoRulesConfig,
  svs: list(FoundingSv),
} as const;
/** From protocol version 4 on a founding may name the clock tolerance. */
export const FoundNetwork = extendedRecord(foundNetwork, { clockTolerance: optional(RelTime) });
export type FoundNetwork = ValueOf<typeof FoundNetwork>;

export const RegisterMember = record({
  ...onceOnly,
  nodeIdentifier: text,
  namespaceKey: text,
  signingKeys: list(text),
});
export type RegisterMember = ValueOf<typeof RegisterMember>;

/** Replaces the member's signing keys; the serial counts up, so that an old delegation cannot come back. */
export const DelegateKeys = record({ ...onceOnly, serial: int64, signingKeys: list(text) });
export type DelegateKeys = ValueOf<typeof DelegateKeys>;

/** Replaces the set of members that host a party of the member's own namespace. */
export const HostParty = record({ ...onceOnly, party, hosts: list(text), serial: int64 });
export type HostParty = ValueOf<typeof HostParty>;

export const Submit = record({
  ...onceOnly,
  userId: text,
  commandId: text,
  workflowId: text,
  actAs: list(party),
  readAs: list(party),
  /** Commands accepted since then count as the same one; none: the longest period. */
  deduplicateFrom: optional(time),
  minLedgerTime: optional(time),
  commands: list(Command),
  disclosed: list(record({ contractId, blobHash: text })),
});
export type Submit = ValueOf<typeof Submit>;

export const Tick = record(onceOnly);
export const MoveClock = record({ ...onceOnly, forward: RelTime });
export type MoveClock = ValueOf<typeof MoveClock>;
export const ActivateVersion = record({ ...onceOnly, version: int64 });
export type ActivateVersion = ValueOf<typeof ActivateVersion>;

/** The signature of a changed set of SVs by the namespace key of an SV of the set before. From protocol version 4 on. */
export const AttestSvs = record({ ...onceOnly, serial: int64, signature: text });
export type AttestSvs = ValueOf<typeof AttestSvs>;

/**
 * The signature of a snapshot of the state by the namespace key of an SV: the state after an entry, known by its digest. From
 * protocol version 4 on.
 */
export const AttestSnapshot = record({ ...onceOnly, sequence: int64, digest: text, signature: text });
export type AttestSnapshot = ValueOf<typeof AttestSnapshot>;

/** The type of each kind of entry, by its tag. */
export const entryTypes = {
  FoundNetwork,
  RegisterMember,
  DelegateKeys,
  HostParty,
  Submit,
  Tick,
  MoveClock,
  ActivateVersion,
  // From protocol version 2 on.
  ContinueNetwork,
  ImportState,
  // From protocol version 4 on.
  AttestSvs,
  AttestSnapshot,
} as const;

export const EntryContent = variant(entryTypes);
export type EntryContent = ValueOf<typeof EntryContent>;
/** The entries that members ask for, once the network is founded. */
export type MemberEntry = Exclude<EntryContent, { tag: "FoundNetwork" | "ContinueNetwork" | "ImportState" }>;

/** True for the entries that came with protocol version 4. */
export function isLaterEntry({ tag }: EntryContent): boolean {
  return tag === "AttestSvs" || tag === "AttestSnapshot";
}

/** True for the text of a tick, which has one form. */
export function isTick(content: string): boolean {
  return content.startsWith('["Tick",');
}

export function isMemberEntry(content: EntryContent): content is MemberEntry {
  return !["FoundNetwork", "ContinueNetwork", "ImportState"].includes(content.tag);
}
