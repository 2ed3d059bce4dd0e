/** SV nodes of protocol version 4 whose sequencers share a clock that a test moves: days pass in moments. */
import { join } from "node:path";
import { signEntry, systemHost } from "@callsign/node";
import { expect, onTestFinished, vi } from "vitest";
import { addDuration, DAY, MINUTE, type Time } from "../../packages/ledger/src/index.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { SvNodeConfig } from "../../packages/sv/src/sv-node-config.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import { machineTime, openSvNode } from "./sv-nodes.ts";

export class DaysNetwork {
  readonly folder = temporaryFolder();
  readonly log = new SqliteLog(join(this.folder, "log.db"), systemHost);
  readonly #peers = new ProcessPeers();
  readonly #config: Partial<SvNodeConfig>;
  readonly svs: SvNode[] = [];
  #offset = 0n;
  #ids = 0;

  private constructor(config: Partial<SvNodeConfig>) {
    this.#config = config;
  }

  static async found(count: number, config: Partial<SvNodeConfig> = {}): Promise<DaysNetwork> {
    const network = new DaysNetwork(config);
    onTestFinished(() => network.close());
    for (let rank = 0; rank < count; rank++) await network.open(rank);
    const svs = network.svs.map(({ identity }) => ({ identity }));
    const founding = { svs, movableClock: false, isDevNet: true, protocolVersion: 4n };
    await network.reach((await network.svs[0]?.submit(signFounding(founding))) ?? 0);
    await network.#agreeBehind(0, network.svs);
    return network;
  }

  readonly clock = (): Time => addDuration(machineTime(), this.#offset);

  folderOf(rank: number): string {
    return join(this.folder, `sv-${rank + 1}`);
  }

  async open(rank: number, config: Partial<SvNodeConfig> = {}): Promise<SvNode> {
    const { log: orderedLog, clock } = this;
    const folders = this.svs.map((_, i) => this.folderOf(i)).filter((_, i) => i !== rank);
    this.svs[rank] = await openSvNode({
      ...{ dataFolder: this.folderOf(rank), name: `sv-${rank + 1}`, rank, orderedLog, clock },
      peers: this.#peers,
      snapshotFolders: [this.folderOf(rank), ...folders],
      ...this.#config,
      ...config,
    });
    return this.svs[rank];
  }

  async close(): Promise<void> {
    for (const sv of this.svs) await sv.close();
    await this.log.close();
  }

  /** Every SV ticks, so that the network's time reaches that of the clock. */
  async tick(svs: readonly SvNode[] = this.svs): Promise<void> {
    for (const { identity, replica, submit } of svs) {
      const { network } = replica.state;
      const maxRecordTime = addDuration(this.clock(), MINUTE);
      const once = { network: network?.id ?? "", member: identity.id, maxRecordTime };
      const value = { ...once, submissionId: `test-${this.#ids++}` };
      await this.reach(await submit(signEntry({ tag: "Tick", value }, [identity.signingKey])), svs);
    }
  }

  async reach(sequence: number, svs: readonly SvNode[] = this.svs): Promise<void> {
    for (const { replica } of svs) await replica.reach(sequence, AbortSignal.timeout(60_000));
  }

  /** The clock goes on by a day, and the SVs agree on the day's snapshot. */
  async passDay(svs: readonly SvNode[] = this.svs): Promise<void> {
    this.#offset += DAY;
    const before = (await this.log.head()).sequence;
    await this.tick(svs);
    await this.#agreeBehind(before, svs);
  }

  async #agreeBehind(before: number, svs: readonly SvNode[]): Promise<void> {
    await vi.waitFor(
      () => {
        for (const { snapshots } of svs)
          expect(snapshots.proven()?.manifest.head.sequence ?? 0).toBeGreaterThan(before);
      },
      { timeout: 30_000, interval: 5 },
    );
  }

  async prune(): Promise<void> {
    for (const { snapshots } of this.svs) await snapshots.prune();
  }
}
