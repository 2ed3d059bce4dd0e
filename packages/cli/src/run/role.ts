/** A role that runs as a process of its own. */
import type { StorePosition } from "@callsign/api";
import type { Host, Log, Metrics } from "@callsign/node";
import type { ProcessSetup } from "../settings/setups.ts";

/** The parts that a process has before its role starts. */
export interface RoleParts {
  readonly host: Host;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface RunningRole {
  /** The URLs of its APIs, by their names. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The reason why it is not ready; null if it is. */
  readonly missing: () => string | null;
  /** The place that its store has come to. */
  readonly position: () => Promise<StorePosition>;
  readonly close: () => Promise<void>;
}

export interface Role {
  readonly name: string;
  readonly setup: ProcessSetup;
  readonly dataFolder: string;
  readonly start: (parts: RoleParts) => Promise<RunningRole>;
}
