/** The first entry of a log founds a network, or goes on with one from another log. */
import type { RelTime } from "../contracts/rel-time.ts";
import type { Hash } from "../values/hash.ts";
import type { Time } from "../values/time.ts";
import type { Network } from "./ledger-view.ts";
import {
  BACKED_TIME_VERSION,
  DEFAULT_CLOCK_TOLERANCE,
  MAX_CLOCK_TOLERANCE,
  MIN_CLOCK_TOLERANCE,
} from "./limits.ts";
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

interface ClockTerms {
  readonly protocolVersion: bigint;
  /** The usual tolerance if null. */
  readonly clockTolerance: RelTime | null;
}

/** True if the network's time takes the stamps of several SVs. */
export function isBackedTime({ protocolVersion }: Pick<ClockTerms, "protocolVersion">): boolean {
  return protocolVersion >= BACKED_TIME_VERSION;
}

export function toleranceOf(terms: ClockTerms): Pick<Network, "clockTolerance"> {
  if (!isBackedTime(terms)) return {};
  return { clockTolerance: terms.clockTolerance?.microseconds ?? DEFAULT_CLOCK_TOLERANCE };
}

/** The fault of a clock tolerance, with what was given and what is allowed; null if there is none. */
export function findToleranceProblem({ clockTolerance }: ClockTerms): string | null {
  const given = clockTolerance?.microseconds ?? DEFAULT_CLOCK_TOLERANCE;
  if (given >= MIN_CLOCK_TOLERANCE && given <= MAX_CLOCK_TOLERANCE) return null;
  return (
    `clockTolerance is ${given} microseconds: ${MIN_CLOCK_TOLERANCE} to ${MAX_CLOCK_TOLERANCE} are allowed. ` +
    `Leave it out for ${DEFAULT_CLOCK_TOLERANCE}`
  );
}
