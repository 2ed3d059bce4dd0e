/** The seam between a port and the folder `websockets`, which stands above it. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Rejection } from "@callsign/api";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { CallerRates } from "./caller-rates.ts";
import type { FindForeignCaller } from "./local-caller.ts";
import type { MountedApi } from "./mount-api.ts";
import type { RefusalLog } from "./refusal-log.ts";

export interface UpgradeSetting {
  readonly mounts: readonly [MountedApi, ...MountedApi[]];
  readonly findForeign: FindForeignCaller;
  readonly rates: CallerRates;
  readonly refusals: RefusalLog;
  readonly log: Log;
  readonly system: Host;
}

/** Serves the connections of one port that ask for another protocol. */
export interface Upgrades {
  /** Every other request is answered as if it had not asked for an upgrade. */
  readonly accepts: (request: IncomingMessage) => boolean;
  /** Serves an accepted request; never rejects. */
  readonly open: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  /** The answer to a plain GET of a stream. */
  readonly refusePlain: (mount: MountedApi, traceId: string) => Rejection;
  /** Ends every session, and waits for their ends. */
  readonly close: () => Promise<void>;
}

export type OpenUpgrades = (setting: UpgradeSetting) => Upgrades;
