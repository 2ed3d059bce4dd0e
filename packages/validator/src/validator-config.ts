/** The configuration of a validator. docs/configuration.md lists its keys. */
import type { InstanceNames, PruningSchedule } from "@callsign/api";
import type {
  Listening,
  Log,
  Metrics,
  PostgresConfig,
  TlsClientConfig,
  TokenVerifierConfigs,
} from "@callsign/node";
import type { ValidatorAutomationName } from "./automation/validator-automation.ts";
import type { ServiceUser } from "./ledger/participant-connection.ts";
import type { ScanDiscovery, SequencerSource } from "./settings/network-settings.ts";
import type { OnboardingConfig } from "./settings/onboarding-settings.ts";
import type { TopUpConfig } from "./settings/top-up-settings.ts";
import type { AutoAccepts, WalletSweeps } from "./settings/transfer-settings.ts";

export interface ValidatorConfig extends Listening {
  /** Keeps the copy of its users' contracts, unless that is in a database on a server. */
  readonly dataFolder: string;
  /** A PostgreSQL database for that copy; SQLite in `dataFolder` if omitted. */
  readonly database?: PostgresConfig;
  readonly participantUrl: string;
  /** The participant's admin API, if it has a port of its own; `participantUrl` if omitted. */
  readonly participantAdminUrl?: string;
  /** The TLS settings of calls to the participant; of use with `https` urls only. */
  readonly participantTls?: TlsClientConfig;
  /** Base urls, with or without `/api/scan`; or how scans are found. */
  readonly scans: readonly string[] | ScanDiscovery;
  /** The sequencers that the participant is given; if omitted, its connections are left alone. */
  readonly sequencers?: SequencerSource;
  /** `none`: no token is needed. */
  readonly auth: TokenVerifierConfigs | { readonly kind: "none" };
  readonly serviceUser: ServiceUser;
  /** Users with a wallet; the service user alone if empty. */
  readonly walletUsers: readonly string[];
  /** The first part of the operator's party id, fixed by the first start: `<organization>-<function>-<enumerator>`. */
  readonly operatorPartyHint: string;
  /** The first part of the participant's id: another participant is told of in the log. Not checked if omitted. */
  readonly nodeIdentifier?: string;
  /** The validator of an SV: its party hint may have any form, and it buys no traffic. */
  readonly svValidator?: boolean;
  /** False: no wallet, no names, and none of their automations. */
  readonly enableWallet?: boolean;
  /** The network's migration: the store belongs to one, and traffic is bought for it. */
  readonly migrationId?: number;
  /** The first start under a new migration: the store is carried over from the migration before. */
  readonly migrating?: boolean;
  /** The sponsor of a new validator. If omitted, the validator waits until somebody has given it a license. */
  readonly onboarding?: OnboardingConfig;
  /** An address for other operators' questions about this validator: goes into its license. */
  readonly contactPoint?: string;
  /** The participant's schedule of pruning, set at every start. Null clears it; omitted, it is left alone. */
  readonly pruningSchedule?: PruningSchedule | null;
  /** The time for which a tap with the same command id is refused. */
  readonly deduplicationSeconds?: number;
  /** The names that applications show; those of the scans if omitted. */
  readonly spliceInstanceNames?: InstanceNames;
  /** Automations that do nothing here. */
  readonly pausedAutomations?: readonly ValidatorAutomationName[];
  /** The traffic bought for the participant; none if omitted. */
  readonly topup?: TopUpConfig;
  /** Senders whose coin above a limit is sent on; none if omitted. */
  readonly walletSweep?: WalletSweeps;
  /** Receivers that accept the offers of some senders automatically; none if omitted. */
  readonly autoAcceptTransfers?: AutoAccepts;
  readonly log: Log;
  /** The registry of its metrics; none are kept if omitted. */
  readonly metrics?: Metrics;
  /** The time between counts of the network's parties for metrics; they are not counted if omitted. */
  readonly topologyMetricsSeconds?: number;
}
