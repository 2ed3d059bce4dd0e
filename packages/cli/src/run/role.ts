/** A role that runs as a process of its own. */
import type { StorePosition } from "@callsign/api";
import type {
  Host,
  KeyRotation,
  Listening,
  Log,
  Metrics,
  PostgresConfig,
  Sql,
  StoreDefinition,
} from "@callsign/node";
import type { NetworkActivation } from "@callsign/sv";
import type { ProcessSetup } from "../settings/setups.ts";

/** The parts that a process has before its role starts. */
export interface RoleParts {
  readonly host: Host;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Tells what the start waits for; null once it goes on. */
  readonly waitFor: (reason: string | null) => void;
  /** Aborted when the process is told to stop. */
  readonly stopping: AbortSignal;
  /** Those of this release by default. */
  readonly supportedVersions?: readonly bigint[] | undefined;
}

export interface RunningRole {
  /** The URLs of its APIs, by their names. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The reason why it is not ready; null if it is. */
  readonly missing: () => string | null;
  /** The place that its store has come to. */
  readonly position: () => Promise<StorePosition>;
  /** Copies its embedded store as it is now into a file; undefined with a database on a server. */
  readonly copyStore: ((file: string) => Promise<void>) | undefined;
  /** The signing keys of its members; none for a role that signs nothing. */
  readonly keys: readonly KeyRotation[];
  /** SVs alone activate protocol versions. */
  readonly activation?: NetworkActivation | undefined;
  readonly close: () => Promise<void>;
}

export interface Role {
  readonly name: string;
  readonly setup: ProcessSetup;
  readonly dataFolder: string;
  readonly store: RoleStore;
  /** The ports of its APIs, by the names that `callsign.tls` has for them. */
  readonly ports: Readonly<Record<string, Pick<Listening, "tls">>>;
  readonly start: (parts: RoleParts) => Promise<RunningRole>;
}

/** The store of a role, as commands find it without the role. */
export interface RoleStore {
  readonly definition: StoreDefinition;
  /** Omitted: SQLite in the data folder. */
  readonly database?: PostgresConfig;
  /** Folders of the data folder that have an identity; `.` is the data folder itself. */
  readonly identityFolders: readonly string[];
  /** The entry behind which the log of SVs begins. Their snapshots stand in the folders of identities. */
  readonly findLogStart?: (sql: Sql) => Promise<number>;
}

export function storeOf({ database }: Pick<RoleStore, "database">): Pick<RoleStore, "database"> {
  return database === undefined ? {} : { database };
}
