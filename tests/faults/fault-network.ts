/** A network under faults: three SVs on the log of an engine, a participant and a validator, each on a machine of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECOND } from "@callsign/ledger";
import { sleep, systemHost } from "@callsign/node";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SharedLogNetwork } from "../operator/shared-log-network.ts";
import { type Machine, type Machines, makeMachines } from "../support/machines.ts";
import { SmallDisk } from "../support/small-disk.ts";
import type { Engine } from "./engine.ts";
import { foundOnLog } from "./found-on-log.ts";
import { roleVictim, type SupervisedVictim, type Victim } from "./victim.ts";

const PRELOAD = new URL("clock-preload.ts", import.meta.url).href;
/** A process that ended by itself is started again after this time at most, as a service manager would. */
const SUPERVISED_MILLISECONDS = 1000;
const DISK_MEGABYTES = 1000;
const TICK_SECONDS = 30;
/** More than the load sends. */
const FREE_TRAFFIC_BYTES = 100_000_000_000;
/** The machines of the engine: its three nodes, and one for a pooler. Machine 0 is the test's own. */
const ENGINE_MACHINES = 4;
const ROLES = { participant: 4, validator: 5 } as const;

export type StartEngine = (machines: readonly Machine[], atEnd: AtEnd) => Promise<Engine>;

export interface SvPlace {
  readonly name: string;
  readonly dataFolder: string;
}

export class FaultNetwork {
  readonly machines: Machines;
  readonly engine: Engine;
  readonly network: SharedLogNetwork;
  readonly svs: readonly SupervisedVictim[];
  readonly participant: SupervisedVictim;
  readonly validator: SupervisedVictim;
  readonly places: readonly SvPlace[];

  private constructor(machines: Machines, engine: Engine, atEnd: AtEnd) {
    this.machines = machines;
    this.engine = engine;
    const folder = temporaryFolder(atEnd);
    const numbers = [1, 2, 3, ROLES.participant, ROLES.validator];
    const disks = new Map(numbers.map((number) => [number, SmallDisk.tryMount(DISK_MEGABYTES, atEnd)]));
    const clockFileOf = (number: number) => join(folder, `clock-${number}`);
    for (const number of numbers) writeFileSync(clockFileOf(number), "0");
    const dataFolderOf = (number: number) => {
      const data = join(disks.get(number)?.folder ?? join(folder, `data-${number}`), "data");
      mkdirSync(data, { recursive: true });
      return data;
    };
    this.network = new SharedLogNetwork({
      ...{ folder, dataFolderOf },
      logOf: () => engine.values,
      // The scan without an SV is not started.
      machineOf: (number) => machines.machines[number + ENGINE_MACHINES] as Machine,
      environmentOf: (number) => ({
        NODE_OPTIONS: `--import=${PRELOAD}`,
        CALLSIGN_TEST_CLOCK: clockFileOf(number),
      }),
      terms: { tickDuration: `${TICK_SECONDS}s`, freeTrafficBytes: FREE_TRAFFIC_BYTES },
    });
    const own = (number: number) => ({ disk: disks.get(number) ?? null, clockFile: clockFileOf(number) });
    this.svs = this.network.svs.map((sv, i) => roleVictim(`sv-${i + 1}`, sv, own(i + 1)));
    this.places = [1, 2, 3].map((number) => ({ name: `sv-${number}`, dataFolder: dataFolderOf(number) }));
    this.participant = roleVictim("participant", this.network.participant, own(ROLES.participant));
    this.validator = roleVictim("validator", this.network.validator, own(ROLES.validator));
  }

  /** Resolves when every process is ready. */
  static async start(startEngine: StartEngine, atEnd: AtEnd): Promise<FaultNetwork> {
    const machines = makeMachines(1 + ENGINE_MACHINES + 6);
    atEnd(machines.remove);
    const engine = await startEngine(machines.machines.slice(1, 1 + ENGINE_MACHINES), atEnd);
    const network = new FaultNetwork(machines, engine, atEnd);
    atEnd(async () => {
      await network.network.kill();
      for (const { name, output } of network.victims) network.keepOutput(`${name}.log`, output());
    });
    const log = await engine.open();
    const terms = { isDevNet: true, movableClock: false, migrationId: 0n };
    await foundOnLog(log, network.places, {
      ...terms,
      tickMicroseconds: BigInt(TICK_SECONDS) * SECOND,
      freeTrafficBytes: BigInt(FREE_TRAFFIC_BYTES),
    }).finally(() => log.close());
    for (const each of network.processes) await each.start();
    await network.ready();
    const ending = new AbortController();
    atEnd(() => ending.abort());
    void network.#supervise(ending.signal);
    return network;
  }

  async #supervise(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(SUPERVISED_MILLISECONDS, { ...systemHost, signal });
      for (const each of this.processes) await each.supervise();
    }
  }

  /** For people who look for the cause of a failure. */
  keepOutput(name: string, text: string): void {
    const folder = process.env["CALLSIGN_FAULT_OUTPUT"];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${this.engine.kind} ${name}`), text);
  }

  get processes(): readonly SupervisedVictim[] {
    return [...this.svs, this.participant, this.validator];
  }

  get victims(): readonly Victim[] {
    return [...this.processes, ...this.engine.nodes, ...this.engine.others];
  }

  /** Resolves when every process is ready. */
  async ready(): Promise<void> {
    for (const each of this.processes) await each.ready();
  }

  /** Starts everything that is not running. Resolves when all is ready. */
  async heal(): Promise<void> {
    await this.engine.heal();
    for (const each of this.processes) await each.start();
    await this.ready();
  }
}
