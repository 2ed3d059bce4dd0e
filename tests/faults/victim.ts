/** A process that faults happen to. */
import { systemHost, withDeadline } from "@callsign/node";
import { vi } from "vitest";
import type { RoleProcess } from "../operator/role-process.ts";
import type { Machine } from "../support/machines.ts";
import type { NatsNode } from "../support/nats-cluster.ts";
import type { SmallDisk } from "../support/small-disk.ts";
import { FAULT_PATIENCE_MILLISECONDS } from "./patience.ts";

const READY = { interval: 100, timeout: FAULT_PATIENCE_MILLISECONDS };
/** A node that had no room has stopped its JetStream for good: it is started again. */
const HEALTHY_MILLISECONDS = 5000;

export interface Victim {
  readonly name: string;
  readonly machine: Machine;
  /** Undefined if it is not running. */
  readonly processId: () => number | undefined;
  readonly kill: () => Promise<void>;
  /** Starts it unless it runs. It need not be ready. */
  readonly start: () => Promise<void>;
  /** Resolves when it is ready. */
  readonly ready: () => Promise<void>;
  /** Resolves when it serves again, as an operator would make it: it is started, again if it must be. */
  readonly mend: () => Promise<void>;
  /** The end of its output. */
  readonly output: () => string;
  /** Its data; null where no file system can be mounted. */
  readonly disk: SmallDisk | null;
  /** Holds the milliseconds by which its clock is off; null for a process that has the machine's. */
  readonly clockFile: string | null;
}

export interface SupervisedVictim extends Victim {
  /** Starts it again if it has ended by itself. */
  readonly supervise: () => Promise<void>;
  /** The number of times that it had. */
  readonly ownEnds: () => number;
}

export function roleVictim(
  name: string,
  role: RoleProcess,
  { disk, clockFile }: Pick<Victim, "disk" | "clockFile">,
): SupervisedVictim {
  let isWanted = false;
  let ownEnds = 0;
  const start = async () => {
    isWanted = true;
    if (!role.isRunning) role.start();
  };
  return {
    ...{ name, machine: role.machine, disk, clockFile, start },
    processId: () => role.processId,
    kill: async () => {
      isWanted = false;
      await role.stop("SIGKILL");
    },
    // It is supervised.
    mend: start,
    output: () => role.output,
    ready: async () => {
      const isReady = async () => (await role.missing(fetch)) === "";
      await vi.waitUntil(isReady, READY).catch(async (cause: unknown) => {
        const missing = (await role.missing(fetch)) ?? "it does not answer";
        throw new Error(`${name} is not ready: ${missing}\n${role.output.slice(-3000)}`, { cause });
      });
    },
    supervise: async () => {
      if (!isWanted || role.isRunning) return;
      ownEnds++;
      role.start();
    },
    ownEnds: () => ownEnds,
  };
}

export function natsVictim(node: NatsNode, disk: SmallDisk | null): Victim {
  const start = async () => {
    if (node.processId === undefined) node.start();
  };
  return {
    ...{ name: node.name, machine: node.machine, disk, clockFile: null, start },
    processId: () => node.processId,
    kill: () => node.stop("SIGKILL"),
    ready: () => node.ready(),
    mend: async () => {
      await start();
      try {
        await withDeadline(node.ready(), HEALTHY_MILLISECONDS, systemHost.timers);
      } catch {
        await node.stop("SIGKILL");
        node.start();
      }
    },
    output: () => node.output,
  };
}
