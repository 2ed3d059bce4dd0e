/**
 * Several machines on one: network namespaces of their own where root may make them, loopback addresses elsewhere. A
 * machine has an address that the others and the test can reach, and runs programs there.
 */
import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

export interface Machine {
  readonly address: string;
  /** The command line that runs a program on this machine. */
  readonly on: (program: string, ...args: readonly string[]) => readonly [string, ...string[]];
  /** Cuts its cable, or plugs it in again; false if that is not possible here. */
  readonly setConnected: (connected: boolean) => boolean;
  /** Loses whatever it sends to an address, until it was told as often to stop; false if that is not possible here. */
  readonly setLosing: (address: string, loses: boolean) => boolean;
}

/** No machine has it: a frame to it is delivered to nobody. */
const NOBODYS_HARDWARE_ADDRESS = "02:00:00:00:00:01";

/** For programs that need no machine of their own. */
export const THIS_MACHINE: Machine = machineAt("127.0.0.1");

/** A machine that cannot be cut off. */
export function machineAt(address: string): Machine {
  return {
    address,
    on: (program, ...args) => [program, ...args],
    setConnected: () => false,
    setLosing: () => false,
  };
}

export interface Machines {
  readonly kind: "namespaces" | "loopback";
  readonly machines: readonly Machine[];
  readonly remove: () => void;
}

/** The first one is the test's own: programs run there as usual. */
export function makeMachines(count: number): Machines {
  const made = makeNamespaces(count);
  if (made !== null) return made;
  const net = randomInt(16, 200);
  return {
    kind: "loopback",
    machines: Array.from({ length: count }, (_, i) => machineAt(`127.0.${net}.${i + 1}`)),
    remove: () => undefined,
  };
}

export function spawnOn(
  machine: Machine,
  [program, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
) {
  const [command, ...given] = machine.on(program, ...args);
  return spawn(command, given, options);
}

/** A hub in a namespace of its own, with a cable to every machine and one to the test. */
function makeNamespaces(count: number): Machines | null {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return null;
  const name = `cs${process.pid.toString(36)}${randomInt(36 ** 3).toString(36)}`;
  const net = `10.${randomInt(64, 250)}.${randomInt(250)}`;
  const namespaces: string[] = [];
  const remove = () => {
    for (const each of namespaces) spawnSync("ip", ["netns", "delete", each]);
  };
  const add = (namespace: string) => {
    const ok = ip("netns", "add", namespace) && ip("-n", namespace, "link", "set", "lo", "up");
    if (ok) namespaces.push(namespace);
    return ok;
  };
  const hub = `${name}-hub`;
  const isUp =
    add(hub) &&
    ip("-n", hub, "link", "add", "hub", "type", "bridge") &&
    ip("-n", hub, "link", "set", "hub", "up") &&
    Array.from({ length: count }, (_, i) => i).every((i) => {
      const namespace = i === 0 ? null : `${name}-${i}`;
      if (namespace !== null && !add(namespace)) return false;
      return plugIn({ hub, namespace, cable: `${name}${i}`, address: `${net}.${i + 1}` });
    });
  if (!isUp) {
    remove();
    return null;
  }
  return {
    kind: "namespaces",
    machines: Array.from({ length: count }, (_, i) => ({
      address: `${net}.${i + 1}`,
      on: (program, ...args) =>
        i === 0 ? [program, ...args] : ["ip", "netns", "exec", `${name}-${i}`, program, ...args],
      setConnected: (connected) => ip("-n", hub, "link", "set", `${name}${i}h`, connected ? "up" : "down"),
      setLosing: i === 0 ? () => false : losingOf({ namespace: `${name}-${i}`, cable: `${name}${i}` }),
    })),
    remove,
  };
}

/** Frames to an address go to nobody. */
function losingOf({ namespace, cable }: { readonly namespace: string; readonly cable: string }) {
  const losses = new Map<string, number>();
  return (address: string, loses: boolean): boolean => {
    const before = losses.get(address) ?? 0;
    const after = before + (loses ? 1 : -1);
    losses.set(address, after);
    if (Math.max(before, after) > 1) return true;
    const entry = ["-n", namespace, "neigh", loses ? "replace" : "delete", address, "dev", cable];
    const hardware = loses ? ["lladdr", NOBODYS_HARDWARE_ADDRESS, "nud", "permanent"] : [];
    return ip(...entry, ...hardware);
  };
}

interface Cable {
  readonly hub: string;
  /** Null for the test's own. */
  readonly namespace: string | null;
  readonly cable: string;
  readonly address: string;
}

function plugIn({ hub, namespace, cable, address }: Cable): boolean {
  const inside = namespace === null ? [] : ["-n", namespace];
  return (
    ip("-n", hub, "link", "add", `${cable}h`, "type", "veth", "peer", "name", cable) &&
    ip("-n", hub, "link", "set", cable, "netns", namespace ?? String(process.pid)) &&
    ip("-n", hub, "link", "set", `${cable}h`, "master", "hub") &&
    ip("-n", hub, "link", "set", `${cable}h`, "up") &&
    ip(...inside, "addr", "add", `${address}/24`, "dev", cable) &&
    ip(...inside, "link", "set", cable, "up")
  );
}

function ip(...args: readonly string[]): boolean {
  return spawnSync("ip", args, { stdio: "ignore" }).status === 0;
}
