/**
 * Makes a snapshot of the state after the first entry of each day in record time, and attests it. The replica's database is
 * copied at that entry while the replica goes on; the parts and their digest come from the copy. Once a quorum of the SVs has
 * attested the same digest, the snapshot is proven, and earlier ones are removed.
 */
import {
  type AttestedSnapshot,
  BACKED_TIME_VERSION,
  type Hash,
  type Head,
  type SvSetChange,
  type Time,
} from "@callsign/ledger";
import { Backoff, copyDatabase, type Host, type Log, nextTurn, retry } from "@callsign/node";
import { SNAPSHOT_RETRY } from "../limits/limits.ts";
import type { ReplicaConsumer } from "../replica/consumer.ts";
import { dayOf } from "../replica/days.ts";
import { viewContracts } from "../replica/payload-texts.ts";
import type { Replica } from "../replica/replica.ts";
import { viewUsedIds } from "../replica/used-id-texts.ts";
import type { SnapshotFile, SnapshotSource } from "./snapshot-file.ts";
import type { SnapshotFolder } from "./snapshot-folder.ts";
import { digestSnapshot, exportParts, type SnapshotManifest } from "./snapshot-parts.ts";
import { historyKind, type SnapshotKind, stateKinds } from "./snapshot-rows.ts";

export type SnapshotClaim = Pick<AttestedSnapshot, "sequence" | "digest">;

export interface SnapshotMakerParts {
  readonly replica: Replica;
  readonly consumers: readonly ReplicaConsumer[];
  readonly folder: SnapshotFolder;
  /** The SV's member id. */
  readonly sv: string;
  /** The network's time by this SV's clock. */
  readonly now: () => Time;
  /** The log's first entry. */
  readonly readFirst: () => Promise<string | null>;
  /** Signs the claim and submits it. Resolves once the ledger has it. */
  readonly attest: (claim: SnapshotClaim, signal: AbortSignal) => Promise<void>;
  readonly onProven: () => void;
  readonly hash: Hash;
  readonly host: Pick<Host, "files" | "timers">;
  readonly log: Log;
}

/** Since the start of the process. */
export interface SnapshotCounts {
  readonly made: number;
  /** Days without a snapshot because of an error, attestations that were not taken, and proofs that were not stored. */
  readonly failed: number;
  /** Snapshots that were not the ones that a quorum attested. */
  readonly differed: number;
}

interface MadeSnapshot {
  readonly file: SnapshotFile;
  readonly manifest: SnapshotManifest;
  readonly digest: string;
}

export class SnapshotMaker {
  readonly #parts: SnapshotMakerParts;
  readonly #kinds: readonly SnapshotKind[];
  readonly #stopping = new AbortController();
  readonly #stopListening: (() => void)[] = [];
  readonly #made: MadeSnapshot[] = [];
  #counts: SnapshotCounts = { made: 0, failed: 0, differed: 0 };
  #proven: SnapshotSource | null = null;
  #making: Promise<void> | null = null;
  #attesting: Promise<void> = Promise.resolve();
  #proving: Promise<void> | null = null;

  constructor(parts: SnapshotMakerParts) {
    this.#parts = parts;
    const { folder, hash, consumers } = parts;
    this.#kinds = [
      ...stateKinds(),
      ...consumers.flatMap(({ historyTables = [] }) => historyTables.map(historyKind)),
    ];
    folder.removeCopy();
    for (const file of folder.openAll()) {
      const { manifest, source } = file;
      if (manifest === null) continue;
      this.#made.push({ file, manifest, digest: digestSnapshot(hash, manifest) });
      this.#proven ??= source;
    }
  }

  /** The last snapshot that a quorum has attested; null if this SV has none. */
  get proven(): SnapshotSource | null {
    return this.#proven;
  }

  get counts(): SnapshotCounts {
    return this.#counts;
  }

  #count(kind: keyof SnapshotCounts): void {
    this.#counts = { ...this.#counts, [kind]: this.#counts[kind] + 1 };
  }

  start(): void {
    const { replica } = this.#parts;
    this.#stopListening.push(
      replica.onDay(() => this.#begin()),
      replica.onApplied(() => this.#look()),
    );
    this.#look();
    const [last] = this.#made;
    if (last !== undefined) this.#attest(last);
  }

  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    this.#stopping.abort();
    await Promise.all([this.#making, this.#attesting, this.#proving]);
    for (const { file } of this.#made) file.close();
  }

  /** The database stands at the day's first entry. A day that is over on this SV's clock gets none: it catches up. */
  #begin(): void {
    const { replica, now, folder, log } = this.#parts;
    const { network, head, database } = replica.state;
    if (network === null || network.protocolVersion < BACKED_TIME_VERSION || network.movableClock) return;
    if (this.#making !== null || dayOf(now()) !== dayOf(head.recordTime)) return;
    const copying = copyDatabase(database, folder.copyPath);
    this.#making = this.#make(head, network.id, copying)
      .catch((error: unknown) => {
        if (this.#stopping.signal.aborted) return;
        this.#count("failed");
        log.warn({ error, sequence: head.sequence }, "no snapshot was made; the next day gets one");
      })
      .finally(() => {
        this.#making = null;
      });
  }

  async #make(head: Head, network: string, copying: Promise<void>): Promise<void> {
    const { folder } = this.#parts;
    try {
      await copying;
      await this.#makeFromCopy(head, network);
    } finally {
      folder.removeCopy();
    }
  }

  async #makeFromCopy(head: Head, network: string): Promise<void> {
    const { folder, hash, host } = this.#parts;
    const copy = host.files.openDatabase(folder.copyPath);
    viewContracts(copy);
    viewUsedIds(copy);
    const file = folder.create(head.sequence);
    try {
      const parts: string[] = [];
      for (const part of exportParts(copy, head, this.#kinds)) {
        this.#stopping.signal.throwIfAborted();
        file.addPart(parts.length, part);
        parts.push(hash(part));
        await nextTurn(host.timers);
      }
      const manifest = { network, head, parts };
      file.finish(manifest);
      this.#keep({ file, manifest, digest: digestSnapshot(hash, manifest) });
    } catch (error) {
      file.close();
      folder.remove(head.sequence);
      throw error;
    } finally {
      copy.close();
    }
  }

  /** Earlier ones that nobody agreed on are of no use any more. */
  #keep(made: MadeSnapshot): void {
    this.#remove(({ file }) => file.proof === null);
    this.#made.unshift(made);
    this.#count("made");
    this.#attest(made);
    this.#look();
  }

  #remove(isGone: (made: MadeSnapshot) => boolean): void {
    for (const made of this.#made.filter(isGone)) {
      this.#made.splice(this.#made.indexOf(made), 1);
      made.file.close();
      this.#parts.folder.remove(made.manifest.head.sequence);
    }
  }

  #attest(made: MadeSnapshot): void {
    const { manifest, digest } = made;
    const { replica, sv, attest, host, log } = this.#parts;
    const { signal } = this.#stopping;
    const claim = { sequence: BigInt(manifest.head.sequence), digest };
    const isDone = () =>
      made !== this.#made[0] || (replica.state.findSnapshot(sv)?.sequence ?? 0n) >= claim.sequence;
    const work = async () => {
      if (!isDone()) await attest(claim, signal);
    };
    const onFailure = (error: unknown) => {
      this.#count("failed");
      log.warn({ error, ...claim }, "a snapshot was not attested; it is retried");
    };
    const options = { backoff: new Backoff(SNAPSHOT_RETRY), timers: host.timers, signal, onFailure };
    this.#attesting = this.#attesting.then(() => retry(work, options)).catch(() => undefined);
  }

  /** Finds out whether a quorum has attested one of the snapshots. */
  #look(): void {
    if (this.#made.length === 0 || this.#proving !== null) return;
    const agreed = this.#parts.replica.state.findAgreedSnapshot();
    if (agreed === undefined) return;
    const made = this.#made.find(({ manifest }) => BigInt(manifest.head.sequence) === agreed.sequence);
    if (made === undefined || made.manifest.head.sequence === this.#proven?.manifest.head.sequence) return;
    if (made.digest === agreed.digest) {
      this.#proving = this.#prove(made, agreed)
        .catch((error: unknown) => {
          this.#count("failed");
          this.#parts.log.warn({ error }, "the proof of a snapshot was not stored");
        })
        .finally(() => {
          this.#proving = null;
        });
      return;
    }
    this.#count("differed");
    const { sequence } = made.manifest.head;
    this.#parts.log.error(
      { sequence, digest: made.digest, agreed: agreed.digest },
      "this SV's snapshot is not the one that a quorum of the SVs attested: have replica.db rebuilt",
    );
    this.#remove((each) => each === made);
  }

  async #prove(made: MadeSnapshot, attested: AttestedSnapshot): Promise<void> {
    const { replica, readFirst, onProven } = this.#parts;
    const first = await readFirst();
    if (first === null) throw new Error("the log no longer has the network's first entry");
    const svSets: SvSetChange[] = [];
    for (let serial = 1n; serial <= attested.svSerial; serial++) {
      const set = replica.state.findSvSet(serial);
      if (set !== undefined) svSets.push({ serial, svs: set.svs, attestations: set.attestations });
    }
    if (!this.#made.includes(made)) return;
    made.file.prove({ first, svSets, attested });
    this.#proven = made.file.source;
    const { sequence } = made.manifest.head;
    this.#remove(({ manifest }) => manifest.head.sequence < sequence);
    onProven();
  }
}
