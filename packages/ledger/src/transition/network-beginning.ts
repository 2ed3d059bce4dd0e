/** The first entry of a log founds a network, or goes on with one from another log. */
import type { Hash } from "../values/hash.ts";
import type { Time } from "../values/time.ts";
import { ReplicaHalt } from "./replica-halt.ts";

export interface NetworkBeginning<T> {
  readonly supportedVersions: readonly bigint[];
  readonly entry: T;
  readonly seed: string;
  readonly now: Time;
  /** The keys whose signatures hold. */
  readonly keys: readonly string[];
}

/** The same SVs may begin another network later: nothing sent to this one is valid there. */
export function networkIdOf(hash: Hash, { now, seed }: Pick<NetworkBeginning<unknown>, "now" | "seed">) {
  return hash(`network\n${now}\n${seed}`);
}

/** Throws if the network needs a protocol version that this program does not have. */
export function requireVersion(version: bigint, supported: readonly bigint[]): void {
  if (supported.includes(version)) return;
  throw new ReplicaHalt(`the network needs protocol version ${version}: use a newer program`);
}
