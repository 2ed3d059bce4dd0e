/** The state of the ledger as the transition reads it, and the changes it asks for. */
import type { Contract } from "../engine/contract.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";
import type { Signature } from "./log-entry.ts";

/** The position in the log. Before the first entry: sequence 0. */
export interface Head {
  readonly sequence: number;
  readonly entryHash: string;
  readonly digest: string;
  readonly recordTime: Time;
}

export interface Network {
  /** Hash of the first entry's content and time: submissions name it. */
  readonly id: string;
  readonly dso: PartyId;
  readonly synchronizerId: string;
  readonly migrationId: bigint;
  readonly acronym: string;
  readonly protocolVersion: bigint;
  readonly svs: readonly string[];
  /** The number of times that the SVs have changed, from protocol version 4 on; 0 if omitted. */
  readonly svSerial?: bigint;
  readonly movableClock: boolean;
  /** The time by which the network's clock has been moved ahead of its sequencers'. */
  readonly clockOffset: bigint;
  /** The time by which a stamp may lead the time that other SVs' stamps back. None before protocol version 4. */
  readonly clockTolerance?: bigint;
  readonly burstAmount: bigint;
  readonly burstWindow: bigint;
  /** The members that may still register, from protocol version 4 on; as many as are taken in at once if omitted. */
  readonly newcomers?: Refilling;
  /** Hashes of the parts of an earlier log's state that are still to come; none if omitted. */
  readonly awaitedParts?: readonly string[];
}

export interface Member {
  readonly id: string;
  readonly namespaceKey: string;
  readonly namespace: string;
  readonly signingKeys: readonly string[];
  readonly keySerial: bigint;
}

export interface Hosting {
  readonly party: PartyId;
  readonly hosts: readonly string[];
  readonly serial: bigint;
}

/** An allowance that refills over time. */
export interface Refilling {
  readonly free: bigint;
  readonly refilledAt: Time;
}

/** Bytes a member may still send: a free allowance that refills, and what was bought and used of the rest. */
export interface TrafficAccount extends Refilling {
  readonly member: string;
  readonly purchased: bigint;
  readonly consumed: bigint;
  /** True before its licence or its first purchase, from protocol version 4 on: its allowance does not refill. */
  readonly isNewcomer?: true;
}

/** A changed set of SVs, with the attestations of those before. */
export interface SvSet {
  readonly serial: bigint;
  readonly before: readonly string[];
  readonly svs: readonly string[];
  readonly attestations: readonly Signature[];
}

/** The state after an entry, by its digest, with the signatures of SVs. */
export interface AttestedSnapshot {
  readonly sequence: bigint;
  readonly digest: string;
  /** The number of changes of the SVs before the last attestation. */
  readonly svSerial: bigint;
  /** By namespace keys. */
  readonly attestations: readonly Signature[];
}

export interface AcceptedCommand {
  readonly submissionId: string;
  readonly recordTime: Time;
}

export interface LedgerView {
  readonly head: Head;
  readonly network: Network | null;
  findContract(contractId: ContractId): Contract | undefined;
  findMember(id: string): Member | undefined;
  findHosting(party: PartyId): Hosting | undefined;
  findTraffic(member: string): TrafficAccount | undefined;
  /** The last stamp of an SV: the last, not the highest, so that a clock that was corrected counts again. */
  findStamp(sv: string): Time | undefined;
  /** The SVs after so many changes; undefined before the first. */
  findSvSet(serial: bigint): SvSet | undefined;
  /** The snapshot that an SV attested last. */
  findSnapshot(sv: string): AttestedSnapshot | undefined;
  /** The last snapshot that a quorum of the SVs attested. */
  findAgreedSnapshot(): AttestedSnapshot | undefined;
  /** Until when the submission (member and id) is remembered; the view may forget it after that time. */
  findSubmission(key: string): Time | undefined;
  /** May forget a command after the longest deduplication period. */
  findAcceptedCommand(key: string): AcceptedCommand | undefined;
}

export type Change =
  | { readonly kind: "network"; readonly network: Network }
  | { readonly kind: "member"; readonly member: Member }
  | { readonly kind: "hosting"; readonly hosting: Hosting }
  | { readonly kind: "traffic"; readonly account: TrafficAccount }
  | { readonly kind: "stamp"; readonly sv: string; readonly stampedAt: Time }
  | { readonly kind: "sv-set"; readonly set: SvSet }
  /** Of an SV, or the agreed one of a quorum if `sv` is null. */
  | { readonly kind: "snapshot"; readonly sv: string | null; readonly snapshot: AttestedSnapshot }
  | { readonly kind: "submission"; readonly key: string; readonly until: Time }
  | { readonly kind: "command"; readonly key: string; readonly command: AcceptedCommand };
