/** SV nodes of protocol version 4 whose sequencers share a clock that a test moves: days pass in moments. */
import { join } from "node:path";
import { type Host, sha256, signEntry, systemHost } from "@callsign/node";
import { prepareLogCopy, settleAutomations } from "@callsign/sv";
import { CopiedLog, type OrderedLog } from "@callsign/synchronizer";
import { expect, onTestFinished, vi } from "vitest";
import {
  addDuration,
  DAY,
  type Envelope,
  MINUTE,
  type Outcome,
  type Time,
} from "../../packages/ledger/src/index.ts";
import { loadMemberIdentity } from "../../packages/node/src/identity/kept-identity.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import type { SnapshotSearch } from "../../packages/sv/src/find-snapshot.ts";
import { type NetworkFounding, signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { SvNodeConfig } from "../../packages/sv/src/sv-node-config.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import type { Replica } from "../../packages/synchronizer/src/replica/replica.ts";
import { MirroredLedger } from "./mirrored-ledger.ts";
import { machineTime, openSvNode, testLog } from "./sv-nodes.ts";

export interface DaysOptions {
  readonly config?: Partial<SvNodeConfig>;
  readonly terms?: Partial<NetworkFounding>;
  /** Connects to the log on servers; it is a file in the network's folder if omitted. */
  readonly openLog?: () => Promise<OrderedLog>;
  /** The host of the file. */
  readonly host?: Host;
  /** The folder of all files; a temporary one if omitted. */
  readonly folder?: string;
  /** The clock's lead at the beginning. */
  readonly offset?: bigint;
}

export class DaysNetwork extends MirroredLedger {
  readonly folder: string;
  /** A file that the SVs share, or a log on servers, of which each SV has a copy. */
  readonly log: OrderedLog;
  readonly #openLog: (() => Promise<OrderedLog>) | undefined;
  readonly #copies: CopiedLog[] = [];
  readonly #peers = new ProcessPeers();
  readonly #config: Partial<SvNodeConfig>;
  readonly svs: SvNode[] = [];
  /** Outcomes of entries that the test waits for. */
  readonly #outcomes = new Map<number, Outcome>();
  /** The time by which the clock is ahead of the machine's. */
  offset: bigint;

  private constructor({ config = {}, openLog, offset = 0n }: DaysOptions, folder: string, log: OrderedLog) {
    super();
    this.folder = folder;
    this.offset = offset;
    this.#config = config;
    this.#openLog = openLog;
    this.log = log;
  }

  static async #make(options: DaysOptions): Promise<DaysNetwork> {
    const { openLog, folder = temporaryFolder(), host = systemHost } = options;
    const log = (await openLog?.()) ?? new SqliteLog(join(folder, "log.db"), host);
    return new DaysNetwork(options, folder, log);
  }

  /** Opens a network that was founded in the folder. The caller closes it. */
  static async reopen(
    count: number,
    options: DaysOptions & { readonly folder: string },
  ): Promise<DaysNetwork> {
    const network = await DaysNetwork.#make(options);
    for (let rank = 0; rank < count; rank++) await network.open(rank);
    await network.reach((await network.log.head()).sequence);
    return network;
  }

  static async found(count: number, options: DaysOptions = {}): Promise<DaysNetwork> {
    const { terms = {} } = options;
    const network = await DaysNetwork.#make(options);
    onTestFinished(() => network.close());
    for (let rank = 0; rank < count; rank++) await network.open(rank);
    const svs = network.svs.map(({ identity }) => ({ identity }));
    const founding = { svs, movableClock: false, isDevNet: true, protocolVersion: 4n, ...terms };
    await network.reach((await network.svs[0]?.submit(signFounding(founding))) ?? 0);
    await network.#agreeBehind(0, network.svs);
    return network;
  }

  readonly clock = (): Time => addDuration(machineTime(), this.offset);

  folderOf(rank: number): string {
    return join(this.folder, `sv-${rank + 1}`);
  }

  async open(rank: number, config: Partial<SvNodeConfig> = {}): Promise<SvNode> {
    const { clock } = this;
    const others = this.svs.map((_, i) => this.folderOf(i)).filter((_, i) => i !== rank);
    const snapshotFolders = [this.folderOf(rank), ...others] as const;
    const { snapshotFolders: folders, snapshotUrls: urls } = { snapshotFolders, snapshotUrls: [], ...config };
    this.svs[rank] = await openSvNode({
      ...{ dataFolder: this.folderOf(rank), name: `sv-${rank + 1}`, rank, clock },
      ...{ peers: this.#peers, snapshotFolders },
      orderedLog: (await this.#openCopy(rank, { folders, urls })) ?? this.log,
      logIsElsewhere: this.#openLog !== undefined,
      ...this.#config,
      ...config,
    });
    if (rank === 0) this.mirrored.onApplied((outcomes) => this.#absorb(outcomes));
    return this.svs[rank];
  }

  /** Null if the SVs share a file. */
  async #openCopy(rank: number, places: Pick<SnapshotSearch, "folders" | "urls">): Promise<CopiedLog | null> {
    if (this.#openLog === undefined) return null;
    await this.#copies[rank]?.close();
    const remote = await this.#openLog();
    const [folder, host, log] = [this.folderOf(rank), systemHost, testLog()];
    const identity = loadMemberIdentity(folder, `sv-${rank + 1}`, host);
    const path = join(folder, "log-copy.db");
    await prepareLogCopy(path, remote, { ...places, identity, host, log });
    const copy = new CopiedLog({ remote, path, hash: sha256, host, log });
    this.#copies[rank] = copy;
    return copy;
  }

  protected override get mirrored(): Replica {
    const [first] = this.svs;
    if (first === undefined) throw new Error("no SV is open");
    return first.replica;
  }

  #absorb(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      this.mirror(outcome);
      this.#outcomes.set(outcome.head.sequence, outcome);
    }
  }

  protected override async send(envelope: Envelope): Promise<Outcome> {
    this.#outcomes.clear();
    const sequence = (await this.svs[0]?.submit(envelope)) ?? 0;
    await this.mirrored.reach(sequence, AbortSignal.timeout(60_000));
    const outcome = this.#outcomes.get(sequence);
    if (outcome === undefined) throw new Error(`nothing was applied at ${sequence}`);
    return outcome;
  }

  /** Every SV has nothing more to do, at the same entry. */
  async settle(): Promise<void> {
    const automations = this.svs.map(({ automation }) => automation);
    const signal = AbortSignal.timeout(60_000);
    await settleAutomations(automations, { logHead: this.log.head, timers: systemHost.timers, signal });
  }

  async close(): Promise<void> {
    for (const sv of this.svs) await sv.close();
    for (const copy of this.#copies) await copy.close();
    await this.log.close();
  }

  /** Every SV ticks, so that the network's time reaches that of the clock. */
  async tick(svs: readonly SvNode[] = this.svs): Promise<void> {
    for (const { identity, submit } of svs) {
      const maxRecordTime = addDuration(this.clock(), MINUTE);
      const content = { tag: "Tick", value: { ...this.once(identity.id), maxRecordTime } } as const;
      await this.reach(await submit(signEntry(content, [identity.signingKey])), svs);
    }
  }

  async reach(sequence: number, svs: readonly SvNode[] = this.svs): Promise<void> {
    for (const { replica } of svs) await replica.reach(sequence, AbortSignal.timeout(60_000));
  }

  /** The clock goes on, within the day. */
  async pass(microseconds: bigint): Promise<void> {
    this.offset += microseconds;
    await this.tick();
  }

  /** The clock goes on by a day, and the SVs agree on the day's snapshot. */
  async passDay(svs: readonly SvNode[] = this.svs): Promise<void> {
    const before = (await this.log.head()).sequence;
    this.offset += DAY;
    await this.tick(svs);
    await this.#agreeBehind(before, svs);
  }

  async #agreeBehind(before: number, svs: readonly SvNode[]): Promise<void> {
    await vi.waitFor(
      () => {
        for (const { snapshots } of svs)
          expect(snapshots.proven()?.manifest.head.sequence ?? 0).toBeGreaterThan(before);
      },
      { timeout: 120_000, interval: 5 },
    );
  }

  async prune(): Promise<void> {
    for (const { snapshots } of this.svs) await snapshots.prune();
  }
}
