/** The public interface of @callsign/sv. */
export { type ActivatedVersion, activateVersion } from "./activate-version.ts";
export { Agenda } from "./agenda/agenda.ts";
export { SV_AUTOMATION_NAMES, type SvAutomationName } from "./automation/automations.ts";
export { findSnapshot, type SnapshotSearch } from "./find-snapshot.ts";
export {
  collectSignatures,
  type DraftSignature,
  idOfDrafted,
  signDraft,
} from "./founding/draft-signatures.ts";
export {
  findBegunNetwork,
  findLastingTerms,
  findMigrationId,
  type LastingTerms,
} from "./founding/find-beginning.ts";
export { type FoundedNetwork, foundByDraft } from "./founding/found-by-draft.ts";
export { draftNetwork, listOtherTerms, type NetworkTerms } from "./founding/founding-draft.ts";
export {
  type ActivationDraft,
  draftOfActivation,
  type FoundingDraft,
  formatDraft,
  type NetworkDraft,
  parseDraft,
} from "./founding/network-draft.ts";
export {
  type FoundingMember,
  type NetworkFounding,
  signFounding,
  svPartyOf,
} from "./founding/sign-founding.ts";
export { findDraftProblem } from "./founding/try-founding.ts";
export type { JoiningConfig } from "./joining/join-network.ts";
export {
  type CarriedNetwork,
  type MigratedNetwork,
  type MigrationConfig,
  migrateNetwork,
} from "./migrate-network.ts";
export {
  checkMigrationId,
  checkNotMigrated,
  findNetworkLog,
  type NetworkPlace,
} from "./migration/network-log.ts";
export type {
  AppendedActivation,
  NetworkActivation,
  NetworkStanding,
} from "./network-activation.ts";
export type { ApprovedSv } from "./onboarding/approve-candidate.ts";
export { prepareLogCopy } from "./prepare-log-copy.ts";
export { type RestoreConfig, type RestoredLog, restoreNetworkLog } from "./restore-network-log.ts";
export { settleAutomations } from "./runner/settle-automations.ts";
export { SvAutomations, type SvAutomationsParts, type SvAutomationsStatus } from "./runner/sv-automations.ts";
export { type ScanNode, type ScanNodeConfig, startScanNode } from "./scan-node.ts";
export {
  checkEnough,
  type StartedSvs,
  type SvNetworkConfig,
  startSvNetwork,
} from "./start-sv-network.ts";
export { type SvNode, startSvNode } from "./sv-node.ts";
