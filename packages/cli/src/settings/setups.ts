/**
 * The typed settings of each role's process, as read from its configuration. `config` has the names of the role's own
 * configuration, and is spread into it; log, metrics and credentials are made of the rest.
 */
import type { InstanceNames, PruningSchedule } from "@callsign/api";
import type { Decimal, FoundingTerms } from "@callsign/ledger";
import type {
  CallRates,
  ForwardProxy,
  Listening,
  PostgresConfig,
  TlsClientConfig,
  TlsServerConfig,
  TokenKeysConfig,
  TokenSourceConfig,
  TokenVerifierConfig,
  WebPages,
} from "@callsign/node";
import type { ApprovedSv, JoiningConfig } from "@callsign/sv";
import type { SharedLogSettings } from "@callsign/synchronizer";
import type {
  AutoAccepts,
  OnboardingConfig,
  ScanDiscovery,
  SequencerSource,
  TopUpConfig,
  WalletSweeps,
} from "@callsign/validator";

/** The terms of names; no vote changes them. */
export type AnsTerms = Pick<FoundingTerms, "entryFee" | "entryLifetimeMicroseconds" | "renewalMicroseconds">;

/** The settings that every process has. */
export interface ProcessSetup extends Announcements {
  /** The port of `/readyz` and `/livez`; null: they are served on the port of the role's API alone. */
  readonly health: Listening | null;
  readonly metrics: Listening & { readonly nativeHistograms: boolean };
  readonly log: LogSettings;
  /** Calls of this process leave through it. */
  readonly proxy?: ForwardProxy;
}

/** Every start logs them. */
export interface Announcements {
  /** Keys that were given and have no effect here. */
  readonly unusedKeys: readonly UnusedKey[];
  readonly warnings: readonly string[];
}

export interface LogSettings {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly format: "json" | "readable";
}

export interface UnusedKey {
  readonly key: string;
  readonly reason: string;
  readonly from: string;
}

export interface ValidatorSetup extends ProcessSetup {
  readonly config: ValidatorSettings;
  /** The participant's user that the validator acts as, and its credentials. */
  readonly serviceUser: { readonly userId: string; readonly credentials: TokenSourceConfig };
}

export interface ValidatorSettings extends Listening {
  readonly dataFolder: string;
  readonly database?: PostgresConfig;
  readonly participantUrl: string;
  readonly participantAdminUrl?: string;
  readonly participantTls?: TlsClientConfig;
  readonly scans: ScanDiscovery;
  readonly sequencers: SequencerSource;
  readonly auth: TokenVerifierConfig | { readonly kind: "none" };
  readonly walletUsers: readonly string[];
  readonly operatorPartyHint: string;
  readonly nodeIdentifier: string;
  readonly svValidator: boolean;
  readonly onboarding?: OnboardingConfig;
  readonly contactPoint?: string;
  readonly topup?: TopUpConfig;
  readonly enableWallet: boolean;
  readonly migrationId: number;
  readonly migrating: boolean;
  /** Null clears the participant's schedule. */
  readonly pruningSchedule: PruningSchedule | null;
  readonly deduplicationSeconds?: number;
  readonly spliceInstanceNames?: InstanceNames;
  readonly topologyMetricsSeconds?: number;
  readonly walletSweep: WalletSweeps;
  readonly autoAcceptTransfers: AutoAccepts;
}

export interface ParticipantSetup extends ProcessSetup {
  readonly config: LedgerSettings;
}

export interface LedgerSettings extends Listening {
  readonly dataFolder: string;
  readonly database?: PostgresConfig;
  readonly migrationId?: number;
  readonly migrating: boolean;
  readonly previousDatabase?: PostgresConfig;
  readonly nodeIdentifier: string;
  /** Usually empty: the validator sets them. */
  readonly sequencers: readonly string[];
  readonly pathPrefix?: string;
  readonly auth: ParticipantTokens;
  readonly adminUsers: readonly string[];
  /** A port of its own for the admin API. */
  readonly admin?: Listening;
}

export type ParticipantTokens =
  | (TokenKeysConfig & { readonly audience?: string; readonly scope?: string })
  | { readonly kind: "none" };

export interface SvSetup extends ProcessSetup {
  readonly dataFolder: string;
  readonly host: string;
  readonly tls?: TlsServerConfig;
  readonly callRates?: CallRates;
  /** Processes that serve the API of each scan. */
  readonly workers: number;
  /** The ordered log that the SVs share. */
  readonly orderedLog: LogSetting;
  /** Days that log entries and streams are kept; omitted: the default. */
  readonly retentionDays?: number;
  /** Sequencers of other SVs, for snapshots. */
  readonly snapshotSources: readonly string[];
  readonly svs: readonly SvSettings[];
  /** SVs that may join the network. */
  readonly approvedSvs: readonly ApprovedSv[];
  readonly network: NetworkSettings;
  readonly auth: TokenVerifierConfig | { readonly kind: "none" };
  /** The web application on the ports of scans and SV apps. */
  readonly pages: { readonly scan: WebPages; readonly app: WebPages };
}

/** A scan without an SV. */
export interface ScanSetup extends ProcessSetup, Listening {
  readonly dataFolder: string;
  readonly name: string;
  /** Processes that serve its API. */
  readonly workers: number;
  readonly orderedLog: LogSetting;
  /** `id`: the only network that is followed; any if omitted. */
  readonly network: { readonly migrationId: bigint; readonly id?: string };
  readonly spliceInstanceNames?: InstanceNames;
}

/** The SQLite log is in the data folder. */
export type LogSetting = { readonly kind: "sqlite" } | SharedLogSettings;

export interface SvSettings {
  readonly name: string;
  readonly ports: { readonly scan: number; readonly sequencer: number; readonly app: number };
  /** The URLs that the SV publishes; omitted: the ones that it listens on. */
  readonly publicUrls?: { readonly scan: string; readonly sequencer: string };
  readonly operators: readonly string[];
  readonly expectedSecrets: readonly string[];
  readonly rewardWeight?: bigint;
  /** Omitted: it has signed the founding. */
  readonly joining?: JoiningConfig;
}

/** The terms of the founding; they hold for the network's life, unless the SVs change them. */
export interface NetworkSettings extends AnsTerms {
  readonly isDevNet: boolean;
  readonly movableClock: boolean;
  readonly migrationId: bigint;
  readonly tickMicroseconds?: bigint;
  readonly freeTrafficBytes?: bigint;
  readonly amuletPrice?: Decimal;
  readonly acronym?: string;
  readonly spliceInstanceNames?: InstanceNames;
}
