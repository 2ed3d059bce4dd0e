/**
 * Admission of entries that arrive over the wire. Replicas decide on every entry all the same; admission keeps entries
 * out that could only fill the log: refused by the transition, not paid for, not signed by a member, or registering more
 * members than the rate limit allows. Cheap checks run first.
 */
import {
  type Envelope,
  findObjection,
  type Hash,
  isMemberEntry,
  type LedgerView,
  type MemberEntry,
  readContent,
  type Time,
} from "@callsign/ledger";
import { type Host, type SignatureChecks, startDeadline, TokenBucket } from "@callsign/node";
import { IN_FLIGHT_MILLISECONDS, NEW_MEMBERS_AT_ONCE, NEW_MEMBERS_PER_SECOND } from "../limits/limits.ts";
import { EntriesInFlight } from "./entries-in-flight.ts";

/** The entry is not admitted; at another time it might be. */
export class EntryRefused extends Error {
  override readonly name = "EntryRefused";
  readonly isBusy: boolean;

  constructor(reason: string, isBusy = false) {
    super(reason);
    this.isBusy = isBusy;
  }
}

export interface AdmissionParts {
  readonly view: LedgerView;
  readonly hash: Hash;
  readonly checks: SignatureChecks;
  /** The record time of an entry appended now. */
  readonly now: () => Time;
  /** Null if the sequencer's clock is right; otherwise rejects if it is not. */
  readonly checkClock: () => Promise<void> | null;
  /** Resolves with the entry's number once it is in the log. */
  readonly submit: (envelope: Envelope) => Promise<number>;
  /** Resolves once the entry is applied. */
  readonly reach: (sequence: number, signal: AbortSignal) => Promise<void>;
  readonly host: Host;
}

export class Admission {
  readonly #parts: AdmissionParts;
  readonly #inFlight = new EntriesInFlight();
  readonly #newcomers: TokenBucket;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#newcomers = new TokenBucket({
      capacity: NEW_MEMBERS_AT_ONCE,
      perSecond: NEW_MEMBERS_PER_SECOND,
      elapsedMilliseconds: parts.host.clock.elapsedMilliseconds,
    });
  }

  /** Resolves with the entry's number in the log; rejects with an EntryRefused if it is not admitted. */
  async take(envelope: Envelope): Promise<number> {
    const { view, checks, checkClock, submit, reach } = this.#parts;
    const bytes = Buffer.byteLength(envelope.content);
    const content = readMemberEntry(envelope, bytes);
    const keys = envelope.signatures.map(({ publicKey }) => publicKey);
    const comparing = checkClock();
    // A wrong clock would find fault with the entry's times.
    if (comparing !== null) await comparing;
    this.#check(content, keys, bytes);
    await checks.prepare([envelope]);
    if (!checks.holds(envelope)) throw new EntryRefused("a signature does not hold");
    // The same entry may have arrived again while the signatures were checked.
    this.#check(content, keys, bytes);
    if (view.findMember(content.value.member) === undefined) this.#countNewcomer();
    const end = this.#inFlight.begin(content.value, BigInt(bytes));
    try {
      const sequence = await submit(envelope);
      const { signal, clear } = startDeadline(IN_FLIGHT_MILLISECONDS, this.#parts.host);
      reach(sequence, signal).finally(clear).then(end, end);
      return sequence;
    } catch (error) {
      end();
      throw error;
    }
  }

  #check(content: MemberEntry, keys: readonly string[], bytes: number): void {
    const { view, hash, now } = this.#parts;
    if (view.network === null) throw new EntryRefused("the network is not founded yet");
    if (this.#inFlight.has(content.value))
      throw new EntryRefused("an entry with its submission id is under way");
    const underWay = this.#inFlight.bytesOf(content.value.member);
    const due = BigInt(bytes) + underWay;
    const objection = findObjection({ view, hash, content, keys, now: now(), bytes: due });
    if (objection === null) return;
    if (objection.kind === "ignored") throw new EntryRefused(objection.reason);
    const { code, cause } = objection.error;
    const isBusy = code === "SEQUENCER_BACKPRESSURE";
    const counted = isBusy && underWay > 0n ? ` (${underWay} of these bytes are under way already)` : "";
    throw new EntryRefused(cause + counted, isBusy);
  }

  #countNewcomer(): void {
    if (this.#newcomers.take()) return;
    const rate = `${NEW_MEMBERS_AT_ONCE} at once and ${NEW_MEMBERS_PER_SECOND} a second`;
    throw new EntryRefused(
      `this sequencer takes in at most ${rate} new members: try again in a minute`,
      true,
    );
  }
}

function readMemberEntry(envelope: Envelope, bytes: number): MemberEntry {
  const content = readContent(envelope, bytes);
  if ("code" in content) throw new EntryRefused(content.cause);
  if (isMemberEntry(content)) return content;
  throw new EntryRefused("a network is founded or continued by its SVs alone, and once");
}
