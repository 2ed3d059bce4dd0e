/** Makes planned faults happen. Faults of the same victim wait for each other; all others overlap. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { KeyedQueue, sleep, systemHost } from "@callsign/node";
import type { FaultNetwork } from "./fault-network.ts";
import type { Loss, PlannedFault } from "./planned-fault.ts";
import type { Victim } from "./victim.ts";

/** A time without a quorum of the engine's nodes, as `performance.now` has it. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

export class FaultInjector {
  /** Faults that could not be made or ended, and why. */
  readonly problems: string[] = [];
  readonly outages: Outage[] = [];
  readonly #network: FaultNetwork;
  readonly #queue = new KeyedQueue();

  constructor(network: FaultNetwork) {
    this.#network = network;
  }

  /** Resolves when the fault is over; a victim may still be starting. */
  async inject(fault: PlannedFault): Promise<void> {
    let work = () => this.#happen(fault);
    // A fault of several victims holds all of them.
    for (const key of this.#keysOf(fault).toReversed()) {
      const inner = work;
      work = () => this.#queue.run(key, inner);
    }
    await work().catch((error: unknown) => {
      this.problems.push(`fault ${fault.number} (${fault.kind}) could not be made: ${String(error)}`);
    });
  }

  /** In one order for all faults, so that none waits for the other. */
  #keysOf(fault: PlannedFault): readonly string[] {
    const { engine } = this.#network;
    switch (fault.kind) {
      case "kill":
      case "pause":
      case "full disk":
      case "slow disk": {
        const isServer = engine.failOver !== null && engine.nodes.some(({ name }) => name === fault.victim);
        // Another server is promoted only while all of them run.
        return isServer ? ["engine"] : [fault.victim];
      }
      case "lost nodes":
        return engine.failOver === null ? fault.victims.toSorted() : ["engine"];
      case "failover":
        return ["engine", "pooler"];
      // One clock at a time is wrong: two SVs of three could move the network's time.
      case "clock":
        return ["clock"];
      case "partition":
        return [];
    }
  }

  async #happen(fault: PlannedFault): Promise<void> {
    const lasting = () => sleep(fault.milliseconds, systemHost);
    switch (fault.kind) {
      case "kill":
        return this.#kill([fault.victim], lasting);
      case "lost nodes":
        return this.#kill(fault.victims, () => this.#noteOutage(lasting));
      case "pause":
        return pause(this.#victim(fault.victim), lasting);
      case "full disk":
        return fillDisk(this.#victim(fault.victim), lasting);
      case "slow disk":
        return slowDisk(this.#victim(fault.victim), fault.syncMilliseconds, lasting);
      case "clock":
        return stepClock(this.#victim(fault.victim), fault.offsetMilliseconds, lasting);
      case "partition":
        return this.#lose(fault.losses, lasting);
      case "failover":
        await this.#network.engine.failOver?.(fault);
        return lasting();
    }
  }

  #victim(name: string): Victim {
    const found = this.#network.victims.find((victim) => victim.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  async #kill(names: readonly string[], lasting: () => Promise<void>): Promise<void> {
    const victims = names.map((name) => this.#victim(name));
    await Promise.all(victims.map((victim) => victim.kill()));
    await lasting();
    await Promise.all(victims.map((victim) => victim.start()));
  }

  async #noteOutage(lasting: () => Promise<void>): Promise<void> {
    const from = performance.now();
    await lasting();
    this.outages.push({ from, to: performance.now() });
  }

  async #lose(losses: readonly Loss[], lasting: () => Promise<void>): Promise<void> {
    // Where machines cannot be cut off, those that would be stand still.
    if (this.#network.machines.kind === "loopback")
      return pause(this.#victim(losses[0]?.from ?? ""), lasting);
    for (const loss of losses) this.#setLosing(loss, true);
    await lasting();
    for (const loss of losses) this.#setLosing(loss, false);
  }

  #setLosing({ from, to }: Loss, loses: boolean): void {
    if (this.#victim(from).machine.setLosing(this.#victim(to).machine.address, loses)) return;
    throw new Error(`${from} could not be ${loses ? "cut off from" : "connected with"} ${to}`);
  }
}

async function pause(victim: Victim, lasting: () => Promise<void>): Promise<void> {
  signal(victim, "SIGSTOP");
  await lasting();
  signal(victim, "SIGCONT");
}

function signal(victim: Victim, name: NodeJS.Signals): void {
  for (const id of processesOf(victim)) {
    try {
      process.kill(id, name);
    } catch {
      // It has ended by itself.
    }
  }
}

async function fillDisk(victim: Victim, lasting: () => Promise<void>): Promise<void> {
  if (victim.disk === null) return;
  victim.disk.fill();
  await lasting();
  victim.disk.empty();
  // Some servers end for want of room, and some later than others.
  await victim.mend();
}

/** Each call that syncs a file takes so much longer. */
async function slowDisk(victim: Victim, milliseconds: number, lasting: () => Promise<void>): Promise<void> {
  const ids = processesOf(victim);
  if (ids.length === 0) return;
  const calls = "fsync,fdatasync";
  const delay = `${calls}:delay_enter=${milliseconds * 1000}`;
  const attached = ids.flatMap((id) => ["-p", `${id}`]);
  const args = ["-f", "-qq", "-e", `trace=${calls}`, "-e", `inject=${delay}`, "-o", "/dev/null", ...attached];
  const tracer = spawn("strace", args, { stdio: "ignore" });
  const ended = endOf(tracer);
  await Promise.race([lasting(), ended]);
  tracer.kill("SIGTERM");
  await ended;
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("close", () => resolve());
    child.once("error", reject);
  });
}

async function stepClock(victim: Victim, offset: number, lasting: () => Promise<void>): Promise<void> {
  if (victim.clockFile === null) return;
  writeFileSync(victim.clockFile, `${offset}`);
  await lasting();
  writeFileSync(victim.clockFile, "0");
}

/** The process and its children; none if it is not running. */
function processesOf(victim: Victim): readonly number[] {
  const id = victim.processId();
  if (id === undefined) return [];
  try {
    const children = readFileSync(`/proc/${id}/task/${id}/children`, "utf8").trim();
    return [id, ...children.split(" ").filter(Boolean).map(Number)];
  } catch {
    return [id];
  }
}
