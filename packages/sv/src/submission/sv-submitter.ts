/**
 * The one way for an SV to write to the log in its own name: a signed entry, and its own replica's verdict on it, once a
 * quorum of the SVs has the same.
 */
import {
  addDuration,
  type Command,
  type Contract,
  type EntryContent,
  type Envelope,
  formatBlob,
  type LedgerError,
  type PartyId,
  type SvSet,
  snapshotMessage,
  svSetMessage,
  type Time,
} from "@callsign/ledger";
import {
  type Host,
  type MemberIdentity,
  type RegisteredKeys,
  type SigningKey,
  sha256,
  signEntry,
  startDeadline,
  untilAborted,
} from "@callsign/node";
import type { Replica, SnapshotClaim } from "@callsign/synchronizer";
import { DEDUPLICATION_TIME, ENTRY_LIFETIME, MAX_SUBMISSION_MILLISECONDS } from "../limits/limits.ts";
import { type EntryVerdict, EntryVerdicts } from "./entry-verdicts.ts";

export interface SvSubmitterParts {
  readonly identity: MemberIdentity;
  readonly party: PartyId;
  readonly replica: Replica;
  /** Resolves with the entry's sequence number once it is in the log. */
  readonly append: (envelope: Envelope) => Promise<number>;
  /** Resolves once a quorum of the SVs, this one included, has applied the entry with the same outcome. */
  readonly reach: (sequence: number, signal: AbortSignal) => Promise<void>;
  /** The record time of an entry that would be appended now. */
  readonly now: () => Time;
  readonly host: Pick<Host, "randomness" | "timers">;
}

export interface SubmitOptions {
  /** Equal for every instance of the SV, so that the ledger accepts one of them; random if omitted. */
  readonly commandId?: string;
  readonly lifetime?: bigint;
  /** The contracts that the commands use, for a party that is no SV's and does not read as the DSO. */
  readonly disclosed?: readonly Contract[];
  /** Ends the wait for a verdict. */
  readonly signal: AbortSignal;
}

/** An entry of the log, and this SV's verdict on it. */
export interface SubmittedEntry {
  readonly sequence: number;
  readonly verdict: EntryVerdict;
}

export class SvSubmitter {
  readonly #parts: SvSubmitterParts;
  readonly #verdicts = new EntryVerdicts();

  constructor(parts: SvSubmitterParts) {
    this.#parts = parts;
    parts.replica.onApplied((outcomes) => this.#verdicts.take(outcomes));
  }

  /**
   * One transaction of the SV's party, which reads as the DSO: its authority comes from contracts that the DSO signed.
   * Resolves with the ledger's error, or null, once a quorum of the SVs has applied it. Rejects if there is no verdict in
   * time: the transaction may or may not have happened.
   */
  async submit(commands: readonly Command[], options: SubmitOptions): Promise<LedgerError | null> {
    const { party, replica, now, host } = this.#parts;
    const { network } = replica.state;
    if (network === null) throw new Error("the network is not founded yet");
    const { commandId = host.randomness.uuid(), lifetime = ENTRY_LIFETIME, signal } = options;
    const verdict = await this.#submit(
      {
        tag: "Submit",
        value: {
          ...this.#header(lifetime),
          ...{ userId: "sv", workflowId: "", actAs: [party] },
          readAs: options.disclosed === undefined ? [network.dso] : [],
          ...{ commandId, deduplicateFrom: addDuration(now(), -DEDUPLICATION_TIME), minLedgerTime: null },
          ...{ commands: [...commands], disclosed: (options.disclosed ?? []).map(disclose) },
        },
      },
      signal,
    );
    return errorOf(verdict);
  }

  /** Attests a changed set of SVs with the namespace key. Resolves with the ledger's error, or null. */
  async attestSvs(set: SvSet, signal: AbortSignal): Promise<LedgerError | null> {
    const { identity, replica } = this.#parts;
    const message = svSetMessage(replica.state.network?.id ?? "", set);
    const value = {
      ...this.#header(ENTRY_LIFETIME),
      serial: set.serial,
      signature: identity.namespaceKey.sign(message),
    };
    return errorOf(await this.#submit({ tag: "AttestSvs", value }, signal));
  }

  /** Registers the node as a member of the network. Resolves with the ledger's error, or null. */
  async register(signal: AbortSignal): Promise<LedgerError | null> {
    const { nodeIdentifier, namespaceKey, signingKey } = this.#parts.identity;
    const keys = { namespaceKey: namespaceKey.publicKey, signingKeys: [signingKey.publicKey] };
    const value = { ...this.#header(ENTRY_LIFETIME), nodeIdentifier, ...keys };
    const signers = [namespaceKey, signingKey];
    return errorOf(await this.#submit({ tag: "RegisterMember", value }, signal, signers));
  }

  /** Has the member host the SV's party. Resolves with the ledger's error, or null. */
  async hostParty(signal: AbortSignal): Promise<LedgerError | null> {
    const { identity, party } = this.#parts;
    const value = { ...this.#header(ENTRY_LIFETIME), party, hosts: [identity.id], serial: 1n };
    return errorOf(await this.#submit({ tag: "HostParty", value }, signal));
  }

  /** Lets time pass on a quiet log. Resolves with the tick's sequence number once it is in the log. */
  tick(): Promise<number> {
    return this.#parts.append(this.#sign({ tag: "Tick", value: this.#header(ENTRY_LIFETIME) }));
  }

  /** Resolves once the clock has moved at a quorum of the SVs. */
  async moveClock(microseconds: bigint, signal: AbortSignal): Promise<void> {
    const value = { ...this.#header(ENTRY_LIFETIME), forward: { microseconds } };
    const verdict = await this.#submit({ tag: "MoveClock", value }, signal);
    if (verdict.kind === "rejected") throw new Error(verdict.error.cause);
  }

  /** Resolves once a quorum of the SVs has this SV's signature of the snapshot. */
  async attestSnapshot(claim: SnapshotClaim, signal: AbortSignal): Promise<void> {
    const header = this.#header(ENTRY_LIFETIME);
    const signature = this.#parts.identity.namespaceKey.sign(snapshotMessage(header.network, claim));
    const verdict = await this.#submit(
      { tag: "AttestSnapshot", value: { ...header, ...claim, signature } },
      signal,
    );
    if (verdict.kind === "rejected") throw new Error(verdict.error.cause);
  }

  /** Resolves once a quorum of the SVs has these signing keys for the SV. */
  async delegateKeys(
    { signingKeys, serial }: RegisteredKeys,
    signers: readonly SigningKey[],
    signal: AbortSignal,
  ): Promise<void> {
    const value = { ...this.#header(ENTRY_LIFETIME), serial, signingKeys: [...signingKeys] };
    const verdict = await this.#submit({ tag: "DelegateKeys", value }, signal, signers);
    if (verdict.kind === "rejected") throw new Error(verdict.error.cause);
    if (verdict.kind === "ignored") throw new Error(`the ledger ignored the delegation: ${verdict.reason}`);
  }

  #header(lifetime: bigint) {
    const { identity, replica, now, host } = this.#parts;
    return {
      network: replica.state.network?.id ?? "",
      member: identity.id,
      submissionId: host.randomness.uuid(),
      maxRecordTime: addDuration(now(), lifetime),
    };
  }

  #sign(content: EntryContent, signers: readonly SigningKey[] = [this.#parts.identity.signingKey]): Envelope {
    return signEntry(content, signers);
  }

  async #submit(
    content: EntryContent,
    signal: AbortSignal,
    signers?: readonly SigningKey[],
  ): Promise<EntryVerdict> {
    return (await this.submitSigned(this.#sign(content, signers), signal)).verdict;
  }

  /** An entry that several SVs have signed. Resolves once a quorum of the SVs has applied it. */
  async submitSigned(envelope: Envelope, signal: AbortSignal): Promise<SubmittedEntry> {
    const { replica, reach, host } = this.#parts;
    const deadline = startDeadline(MAX_SUBMISSION_MILLISECONDS, { timers: host.timers, signals: [signal] });
    const end = this.#verdicts.begin(replica.state.head.sequence);
    try {
      const sequence = await untilAborted(this.#parts.append(envelope), deadline.signal);
      await reach(sequence, deadline.signal);
      // The listener comes before `reach` resolves.
      const verdict = this.#verdicts.find(sequence);
      if (verdict === undefined) throw new Error(`nothing was applied at ${sequence}`);
      return { sequence, verdict };
    } finally {
      deadline.clear();
      end();
    }
  }
}

function errorOf(verdict: EntryVerdict): LedgerError | null {
  if (verdict.kind === "ignored") throw new Error(`the ledger ignored the submission: ${verdict.reason}`);
  return verdict.kind === "rejected" ? verdict.error : null;
}

function disclose(contract: Contract) {
  return { contractId: contract.contractId, blobHash: sha256(formatBlob(contract)) };
}
