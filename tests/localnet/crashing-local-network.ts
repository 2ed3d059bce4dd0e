/**
 * A local network without its gateways, assembled so that one SV can be taken away and brought back while the others
 * go on. All of it runs in one process, as the SQLite log does; so an SV cannot be killed with a signal of its own. The
 * files that a kill would leave are made instead: they are copied in one turn of the event loop, in which nobody
 * writes, while the SV is in the midst of its work; the node is then closed, its later writes are thrown away, and it
 * is started again on the copy.
 */
import { cpSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Metrics, silentLog, systemHost, WebApplication } from "@callsign/node";
import type { StartedSvs, SvNode } from "@callsign/sv";
import { SqliteLog } from "@callsign/synchronizer";
import { ClockMoves } from "../../packages/localnet/src/clock-moves.ts";
import { SV_NAMES } from "../../packages/localnet/src/data-folder.ts";
import { Gateways } from "../../packages/localnet/src/gateways.ts";
import { FREE_PORTS } from "../../packages/localnet/src/ports.ts";
import { settleAll } from "../../packages/localnet/src/settle-all.ts";
import { type LocalnetNode, startNode } from "../../packages/localnet/src/start-node.ts";
import { startSvs } from "../../packages/localnet/src/start-svs.ts";
import { AUTH, makeToken, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { Closing } from "../../packages/node/src/index.ts";
import { type NetworkAddresses, NetworkClients } from "../support/network-clients.ts";
import { machineTime, openSvNode } from "../support/sv-nodes.ts";
import { PEOPLE } from "./economy-people.ts";

export class CrashingLocalNetwork extends NetworkClients {
  readonly log: SqliteLog;
  readonly #folder: string;
  readonly #closing = new Closing();
  readonly #nodes: LocalnetNode[] = [];
  readonly #svs: SvNode[] = [];
  /** Their ports are kept: they come back to the same ones. */
  readonly #crashed = new Set<number>();
  #serviceToken = "";
  #peers: StartedSvs["peers"] | undefined;

  private constructor(folder: string) {
    super();
    this.#folder = folder;
    this.log = this.#closing.add(new SqliteLog(join(folder, "log.db"), systemHost));
  }

  static async start(folder: string): Promise<CrashingLocalNetwork> {
    const network = new CrashingLocalNetwork(folder);
    await network.#start();
    return network;
  }

  async #start(): Promise<void> {
    this.#serviceToken = await makeToken(SERVICE_USER);
    const shared = {
      host: systemHost,
      log: silentLog,
      metrics: new Metrics(),
      ports: FREE_PORTS,
      auth: AUTH,
    };
    const parts = { ...shared, dataFolder: this.#folder, clock: machineTime, separateReplicas: true };
    const { svs, peers } = await startSvs(parts, this.log, this.#closing);
    this.#svs.push(...svs);
    this.#peers = peers;
    const gateways = this.#closing.add(new Gateways(new WebApplication({ files: systemHost.files })));
    const nodeParts = { ...parts, gateways, svs: this.#svs, serviceToken: this.#serviceToken };
    for (const person of PEOPLE) this.#nodes.push(await startNode(person, nodeParts, this.#closing));
    await this.settle();
  }

  get addresses(): NetworkAddresses {
    return { nodes: this.#nodes, svs: this.#svs, serviceToken: this.#serviceToken };
  }

  settle(): Promise<void> {
    return settleAll(this.log, this.#running(), this.#nodes, systemHost.timers);
  }

  /** Resolves once the automations have settled at the new time. */
  async moveClock(microseconds: bigint): Promise<void> {
    const validators = () => this.#nodes.map(({ validator }) => validator);
    await new ClockMoves({ svs: this.#running(), validators, settle: () => this.settle() }).move(
      microseconds,
    );
  }

  /**
   * An SV other than the first stops as if it had been killed at this very moment. One that forgets has nothing but
   * its keys afterwards, like an SV that starts for the first time when the network is old.
   */
  async crash(place: number, forgets = false): Promise<void> {
    const node = this.#svs[place];
    if (node === undefined || place === 0) throw new Error(`SV ${place + 1} cannot be taken away`);
    const folder = this.#folderOf(place);
    cpSync(folder, `${folder}-crashed`, { recursive: true });
    this.#crashed.add(place);
    await node.close();
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-crashed`, folder);
    for (const file of forgets ? readdirSync(folder) : [])
      if (file.startsWith("replica.db")) rmSync(join(folder, file));
  }

  /** Starts the SV again with the files of its crash, on the same ports. */
  async restart(place: number): Promise<void> {
    const { scanUrl, sequencerUrl, appUrl } = this.#svs[place] as SvNode;
    const portOf = (url: string) => Number(new URL(url).port);
    const node = await openSvNode({
      name: SV_NAMES[place] ?? "",
      dataFolder: this.#folderOf(place),
      orderedLog: this.log,
      ...(this.#peers && { peers: this.#peers }),
      ports: { scan: portOf(scanUrl), sequencer: portOf(sequencerUrl), app: portOf(appUrl) },
      app: { auth: AUTH, operators: [SERVICE_USER] },
    });
    this.#svs[place] = this.#closing.add(node);
    this.#crashed.delete(place);
  }

  /** The positions of the running replicas once all have reached the log's end. */
  async heads(): Promise<readonly { readonly sequence: number; readonly digest: string }[]> {
    const { sequence } = await this.log.head();
    const replicas = this.#running().map(({ replica }) => replica);
    const signal = AbortSignal.timeout(60_000);
    await Promise.all(replicas.map((replica) => replica.reach(sequence, signal)));
    return replicas.map(({ state }) => ({ sequence: state.head.sequence, digest: state.head.digest }));
  }

  close(): Promise<void> {
    return this.#closing.close();
  }

  #running(): readonly SvNode[] {
    return this.#svs.filter((_, place) => !this.#crashed.has(place));
  }

  #folderOf(place: number): string {
    return join(this.#folder, SV_NAMES[place] ?? "");
  }
}
