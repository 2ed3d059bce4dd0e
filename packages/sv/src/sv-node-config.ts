/** The configuration of an SV's node. */
import type { InstanceNames } from "@callsign/api";
import type { BeneficiaryShare, Decimal, PartyId, Time } from "@callsign/ledger";
import type {
  Host,
  Listening,
  Log,
  MemberIdentity,
  Metrics,
  SignatureChecks,
  TokenVerifierConfigs,
  WebPages,
} from "@callsign/node";
import type { ScanIndex, ScanInterceptor } from "@callsign/scan";
import type { OrderedLog, ProcessPeers } from "@callsign/synchronizer";
import type { SvAutomationName } from "./automation/automations.ts";
import type { JoiningConfig } from "./joining/join-network.ts";
import type { ApprovedSv } from "./onboarding/approve-candidate.ts";
import type { PublicUrls } from "./public-urls.ts";

export interface SvNodeConfig extends Pick<Listening, "host" | "tls" | "callRates" | "allowedCallers"> {
  readonly dataFolder: string;
  readonly identity: MemberIdentity;
  /** The SV's name on the network, and the user of its operator. */
  readonly name: string;
  readonly user: string;
  /** The SV's own party. */
  readonly party: PartyId;
  readonly orderedLog: OrderedLog;
  /** True if the log could lose entries that this machine has applied: then they are synced to this disk. */
  readonly logIsElsewhere?: boolean;
  /** Log entries and stream items that are older may go, once a snapshot stands in for them; 30 days by default. */
  readonly retentionMicroseconds?: bigint;
  /** Folders of snapshots from which its replica may start, the best first; its own by default. */
  readonly snapshotFolders?: readonly [string, ...string[]];
  /** Sequencers of other SVs that are asked for a snapshot if there is none. */
  readonly snapshotUrls?: readonly string[];
  /** The machine's clock, which only the sequencer reads. */
  readonly clock: () => Time;
  readonly checks: SignatureChecks;
  /** The protocol versions that its replica applies; those of this release by default. Others are drafts, for tests. */
  readonly supportedVersions?: readonly bigint[];
  /** Processes that serve scan's API; with 1, the default, the node's own process does. */
  readonly scanWorkers?: number;
  /** False if scan's index is not mapped into memory; true by default. */
  readonly isMapped?: boolean;
  /** True, the default, if the outcomes of entries are shared with other replicas of this process. */
  readonly sharesOutcomes?: boolean;
  readonly ports: { readonly scan: number; readonly sequencer: number; readonly app: number };
  /** The URLs of scan and sequencer that this SV publishes on the ledger; those it listens on by default. */
  readonly publicUrls?: Partial<PublicUrls>;
  /** The names that applications show for the network, its coin and its name service; Splice's by default. */
  readonly spliceInstanceNames?: InstanceNames;
  /** The other SVs: those of this process, or those that are published on the ledger; none are known if omitted. */
  readonly peers?: ProcessPeers | "published";
  readonly log: Log;
  /** Automations that this SV leaves to the others; none by default. */
  readonly pausedAutomations?: readonly SvAutomationName[];
  /** The coin's price in dollars that this SV votes for as long as it has not voted; no vote by default. */
  readonly amuletPrice?: Decimal;
  /** The parties that share this SV's rewards, in basis points of weight; the SV gets the rest. */
  readonly rewardBeneficiaries?: readonly BeneficiaryShare[];
  /** The time that a request for a name may go without an answer; 30 days by default. */
  readonly requestWaitMicroseconds?: bigint;
  /** The candidates that it lets in, by their names and keys; none by default. */
  readonly approvedSvs?: readonly ApprovedSv[];
  /** Its way into a network whose founding it has not signed; omitted for founding SVs. */
  readonly joining?: JoiningConfig;
  /** The registry of its metrics; none are kept if omitted. */
  readonly metrics?: Metrics;
  /** Stands between its scan's calls and answers: the local network's misbehaving scans do. */
  readonly interceptScan?: (index: ScanIndex) => ScanInterceptor;
  readonly app?: SvAppConfig;
  /** The web application on the ports of scan and app; none if omitted. */
  readonly pages?: { readonly scan: WebPages; readonly app: WebPages };
  /** Clock, timers and randomness; the system's by default. */
  readonly system?: Host;
}

/** Without any of these the app serves validators, and no operator. */
export interface SvAppConfig {
  /** `none`: no token is needed. */
  readonly auth?: TokenVerifierConfigs | { readonly kind: "none" };
  /** The users who operate the SV. */
  readonly operators?: readonly string[];
  /** Onboarding secrets of validators that are to come. */
  readonly expectedSecrets?: readonly string[];
}
