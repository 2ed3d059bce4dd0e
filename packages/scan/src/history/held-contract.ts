import type { ContractId, Time } from "@callsign/ledger";

/** A contract of a snapshot. */
export interface HeldContract {
  readonly place: bigint;
  readonly contractId: ContractId;
  readonly templateId: string;
  /** Parsed from its canonical text. */
  readonly payload: unknown;
  /** Its ledger time. */
  readonly createdAt: Time;
  /** The record time of its creation; null if it was created before this index or this network began. */
  readonly createdIn: Time | null;
}
