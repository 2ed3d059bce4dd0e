/** The operator's settings of a log on NATS JetStream. */
import type { TlsClientConfig } from "@callsign/node";

/**
 * Weaknesses of a NATS cluster that may lose entries. Each is refused unless the operator names it, and is a warning at every
 * start if they do.
 */
export const NATS_RISKS = {
  "old-servers": "a server older than 2.15, which may acknowledge a message before it is on disk",
  "unsynced-writes": "a server that acknowledges messages before they are on disk",
  "unchecked-servers": "servers whose settings cannot be read",
  "few-replicas": "a stream with fewer than three replicas",
} as const;

export type NatsRisk = keyof typeof NATS_RISKS;

export interface NatsUser {
  readonly user: string;
  readonly password: string;
}

export interface NatsLogConfig {
  /** As `nats://host:4222`; `tls://` for a server that must speak TLS. They are tried in turn. */
  readonly servers: readonly string[];
  /** The stream's name: letters, digits, `-` and `_`. A missing stream is created. */
  readonly stream: string;
  /** The authorities of `tls://` servers, and the certificate for them; the machine's and none if omitted. */
  readonly tls?: TlsClientConfig;
  /** A user of the account that holds the stream; none if omitted. */
  readonly login?: NatsUser;
  /** A user of the system account, who may read the servers' settings. */
  readonly systemLogin?: NatsUser;
  /** Three if omitted. */
  readonly replicas?: number;
  /** The risks that the operator takes; none if omitted. */
  readonly acceptedRisks?: readonly NatsRisk[];
}

export const DEFAULT_REPLICAS = 3;

/** The subject that batches are published on. */
export function subjectOf(stream: string): string {
  return `callsign.log.${stream}`;
}

/** The subject on which the stream's leader announces stored batches. */
export function storedSubjectOf(stream: string): string {
  return `callsign.stored.${stream}`;
}
