/** What an SV's node is started with. */
import type { BeneficiaryShare, Decimal, PartyId, Time } from "@callsign/ledger";
import type { Log, MemberIdentity, Metrics, SignatureChecks, TokenVerifierConfig } from "@callsign/node";
import type { KnownScan, ScanIndex, ScanInterceptor } from "@callsign/scan";
import type { OrderedLog } from "@callsign/synchronizer";
import { EXPIRE_ONBOARDINGS } from "./app/expire-onboardings.ts";
import { AUTOMATIONS } from "./automation/task.ts";

/** What an SV does by itself, by name. */
export const SV_AUTOMATIONS = [...AUTOMATIONS, EXPIRE_ONBOARDINGS] as const;
export type SvAutomationName = (typeof SV_AUTOMATIONS)[number];

export interface SvNodeConfig {
  readonly dataFolder: string;
  readonly identity: MemberIdentity;
  /** What the network calls the SV, and the user of its operator. */
  readonly name: string;
  readonly user: string;
  /** The SV's own party. */
  readonly party: PartyId;
  readonly orderedLog: OrderedLog;
  /** Whether the log could lose entries that this machine has applied: then they are kept here for good. */
  readonly logIsElsewhere?: boolean;
  /** The machine's clock, which only the sequencer reads. */
  readonly clock: () => Time;
  readonly checks: SignatureChecks;
  readonly host: string;
  readonly ports: { readonly scan: number; readonly sequencer: number; readonly app: number };
  /** The network's scans, as this one lists them. */
  readonly scans: readonly KnownScan[];
  /** How many SVs come before this one where one of them is enough. */
  readonly rank: number;
  readonly log: Log;
  /** What this SV leaves to the others, or does not do; nothing unless it says so. */
  readonly pausedAutomations?: readonly SvAutomationName[];
  /** What this SV says that a coin costs, in dollars, as long as it has not voted; nothing unless it says so. */
  readonly amuletPrice?: Decimal;
  /** Who shares this SV's rewards, in basis points of weight; what they leave is its own. */
  readonly rewardBeneficiaries?: readonly BeneficiaryShare[];
  /** For how long a request for a name may go without an answer before its withdrawal is announced: 30 days. */
  readonly requestWaitMicroseconds?: bigint;
  /** The registry of its metrics; none are kept if omitted. */
  readonly metrics?: Metrics;
  /** Stands between its scan's calls and answers: the local network's misbehaving scans do. */
  readonly interceptScan?: (index: ScanIndex) => ScanInterceptor;
  readonly app?: SvAppConfig;
}

/** Without any of it the app serves validators, and no operator. */
export interface SvAppConfig {
  /** `none`: no token is needed. */
  readonly auth?: TokenVerifierConfig | { readonly kind: "none" };
  /** The users who operate the SV. */
  readonly operators?: readonly string[];
  /** Onboarding secrets of validators that are to come. */
  readonly expectedSecrets?: readonly string[];
}
