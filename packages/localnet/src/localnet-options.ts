/** The choices of a network's starter, and the parts that its SVs and nodes are started with. */
import type { Time } from "@callsign/ledger";
import type {
  AllowedCallers,
  Host,
  Log,
  Metrics,
  PostgresConfig,
  TokenVerifierConfigs,
} from "@callsign/node";
import type { TopUpConfig } from "@callsign/validator";
import type { LocalnetAutomation } from "./paused-automations.ts";
import type { Ports } from "./ports.ts";

export interface LocalnetOptions {
  /** A temporary folder if omitted, which `close` deletes. */
  readonly dataFolder?: string;
  /** A PostgreSQL database for participants and validators, a schema each; SQLite if omitted. SVs have SQLite. */
  readonly database?: PostgresConfig;
  /** Free ports if omitted. */
  readonly ports?: Ports;
  /** Host names and origins besides those of this machine, from which its ports may be called; none if omitted. */
  readonly allowedCallers?: AllowedCallers;
  /** Deletes the data of an earlier run first. */
  readonly fresh?: boolean;
  /** Parts of the data that are moved aside and rebuilt, by their names in `data-parts.ts`; none if omitted. */
  readonly rebuild?: readonly string[];
  /** True if each SV has a replica of its own, as on machines of their own; they share one by default. */
  readonly separateReplicas?: boolean;
  readonly log?: Log;
  /** The ending of the network's names, chosen when it is founded; `cns` if omitted. */
  readonly acronym?: string;
  /** Half the life of a mining round; ten minutes if omitted. */
  readonly tickMicroseconds?: bigint;
  /** The network is founded with it, or gets it if it has an earlier one; the latest that this program knows if omitted. */
  readonly protocolVersion?: bigint;
  /** A member's free traffic in twenty minutes; plenty if omitted. */
  readonly freeTrafficBytes?: bigint;
  /** Automations that its SVs and validators do not run; none if omitted. */
  readonly pausedAutomations?: readonly LocalnetAutomation[];
  /** The traffic that its validators buy; none if omitted, since there is plenty for free. */
  readonly topup?: TopUpConfig;
  /** The sequencers' clock; the machine's if omitted. */
  readonly clock?: () => Time;
  /** The time within which every endpoint must answer. */
  readonly readyMilliseconds?: number;
}

export type NetworkParts = LocalnetOptions &
  Required<Pick<LocalnetOptions, "dataFolder" | "ports" | "log" | "clock">> & {
    readonly host: Host;
    readonly metrics: Metrics;
    /** The tokens that participants, validators and SV apps accept. */
    readonly auth: TokenVerifierConfigs;
  };
