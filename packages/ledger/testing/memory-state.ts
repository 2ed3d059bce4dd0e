/** The ledger's state in memory: for tests, simulations, benchmarks and replays. */
import type { Contract } from "../src/engine/contract.ts";
import { FIRST_DIGEST } from "../src/transition/digest.ts";
import type { CarriedItem } from "../src/transition/draft-continuation.ts";
import type {
  AcceptedCommand,
  AttestedSnapshot,
  Change,
  Head,
  Hosting,
  LedgerView,
  Member,
  Network,
  SvSet,
  TrafficAccount,
} from "../src/transition/ledger-view.ts";
import { MAX_DEDUPLICATION_PERIOD } from "../src/transition/limits.ts";
import { FIRST_PREVIOUS_HASH } from "../src/transition/log-entry.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { MIN_TIME, type Time } from "../src/values/time.ts";

export class MemoryState implements LedgerView {
  head: Head = { sequence: 0, entryHash: FIRST_PREVIOUS_HASH, digest: FIRST_DIGEST, recordTime: MIN_TIME };
  network: Network | null = null;
  readonly contracts = new Map<ContractId, Contract>();
  readonly #members = new Map<string, Member>();
  readonly #hosting = new Map<PartyId, Hosting>();
  readonly #traffic = new Map<string, TrafficAccount>();
  readonly #stamps = new Map<string, Time>();
  readonly #svSets = new Map<bigint, SvSet>();
  readonly #snapshots = new Map<string | null, AttestedSnapshot>();
  readonly #submissions = new Map<string, Time>();
  readonly #commands = new Map<string, AcceptedCommand>();

  findContract(contractId: ContractId): Contract | undefined {
    return this.contracts.get(contractId);
  }

  findMember(id: string): Member | undefined {
    return this.#members.get(id);
  }

  findHosting(party: PartyId): Hosting | undefined {
    return this.#hosting.get(party);
  }

  findTraffic(member: string): TrafficAccount | undefined {
    return this.#traffic.get(member);
  }

  findStamp(sv: string): Time | undefined {
    return this.#stamps.get(sv);
  }

  findSvSet(serial: bigint): SvSet | undefined {
    return this.#svSets.get(serial);
  }

  findSnapshot(sv: string): AttestedSnapshot | undefined {
    return this.#snapshots.get(sv);
  }

  findAgreedSnapshot(): AttestedSnapshot | undefined {
    return this.#snapshots.get(null);
  }

  findSubmission(key: string): Time | undefined {
    return this.#submissions.get(key);
  }

  findAcceptedCommand(key: string): AcceptedCommand | undefined {
    return this.#commands.get(key);
  }

  /** Everything that a network takes along into another log, in any fixed order; scans' sums are not here. */
  *listCarried(): Generator<CarriedItem> {
    for (const member of this.#members.values())
      if (!this.network?.svs.includes(member.id)) yield { kind: "member", member };
    for (const hosting of this.#hosting.values()) yield { kind: "hosting", hosting };
    for (const account of this.#traffic.values()) yield { kind: "traffic", account };
    for (const [key, command] of this.#commands) yield { kind: "command", key, command };
    for (const contract of this.contracts.values()) yield { kind: "contract", contract };
  }

  /** Takes the outcome in; afterwards the state is the one after its entry. */
  absorb(outcome: Outcome): void {
    for (const { contractId } of outcome.archived) this.contracts.delete(contractId);
    for (const { contract } of outcome.created) this.contracts.set(contract.contractId, contract);
    for (const change of outcome.changes) this.#change(change);
    this.head = outcome.head;
    this.#forget();
  }

  #change(change: Change): void {
    switch (change.kind) {
      case "network":
        this.network = change.network;
        return;
      case "member":
        this.#members.set(change.member.id, change.member);
        return;
      case "hosting":
        this.#hosting.set(change.hosting.party, change.hosting);
        return;
      case "traffic":
        this.#traffic.set(change.account.member, change.account);
        return;
      case "stamp":
        this.#stamps.set(change.sv, change.stampedAt);
        return;
      case "sv-set":
        this.#svSets.set(change.set.serial, change.set);
        return;
      case "snapshot":
        this.#snapshots.set(change.sv, change.snapshot);
        return;
      // Set anew, so that the maps' order stays the order of time.
      case "submission":
        this.#submissions.delete(change.key);
        this.#submissions.set(change.key, change.until);
        return;
      case "command":
        this.#commands.delete(change.key);
        this.#commands.set(change.key, change.command);
        return;
    }
  }

  /** Removes expired ids, oldest first; the rest is kept a little longer than needed. */
  #forget(): void {
    const now = this.head.recordTime;
    for (const [key, until] of this.#submissions) {
      if (until >= now) break;
      this.#submissions.delete(key);
    }
    for (const [key, { recordTime }] of this.#commands) {
      if (recordTime >= now - MAX_DEDUPLICATION_PERIOD) break;
      this.#commands.delete(key);
    }
  }
}
