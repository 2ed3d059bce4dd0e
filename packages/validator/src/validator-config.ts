/** The configuration of a validator. docs/configuration.md lists its keys. */
import type {
  Listening,
  Log,
  Metrics,
  PostgresConfig,
  TlsClientConfig,
  TokenVerifierConfig,
} from "@callsign/node";
import type { TopUpConfig } from "./automation/top-up-terms.ts";
import type { ValidatorAutomationName } from "./automation/validator-automation.ts";
import type { ServiceUser } from "./ledger/participant-connection.ts";
import type { OnboardingConfig } from "./onboarding/obtain-license.ts";

export interface ValidatorConfig extends Listening {
  /** Keeps the copy of its users' contracts, unless that is in a database on a server. */
  readonly dataFolder: string;
  /** A PostgreSQL database for that copy; SQLite in `dataFolder` if omitted. */
  readonly database?: PostgresConfig;
  readonly participantUrl: string;
  /** The participant's admin API, if it has a port of its own; `participantUrl` if omitted. */
  readonly participantAdminUrl?: string;
  /** How the participant is called over TLS; of use with `https` urls only. */
  readonly participantTls?: TlsClientConfig;
  /** Base urls, with `/api/scan`. */
  readonly scans: readonly string[];
  /** `none`: no token is needed. */
  readonly auth: TokenVerifierConfig | { readonly kind: "none" };
  readonly serviceUser: ServiceUser;
  readonly walletUsers: readonly string[];
  readonly operatorPartyHint: string;
  /** The sponsor of a new validator. If omitted, the validator waits until somebody has given it a license. */
  readonly onboarding?: OnboardingConfig;
  /** An address for other operators' questions about this validator: goes into its license. */
  readonly contactPoint?: string;
  /** Automations that do nothing here. */
  readonly pausedAutomations?: readonly ValidatorAutomationName[];
  /** The traffic bought for the participant; none if omitted. */
  readonly topup?: TopUpConfig;
  readonly log: Log;
  /** The registry of its metrics; none are kept if omitted. */
  readonly metrics?: Metrics;
}
