/** The public interface of @callsign/validator. */

export {
  VALIDATOR_AUTOMATION_NAMES,
  type ValidatorAutomationName,
} from "./automation/validator-automation.ts";
export { type CheckedSettings, findSettingProblems } from "./settings/find-setting-problems.ts";
export type { ScanDiscovery, SequencerSource } from "./settings/network-settings.ts";
export { findPartyHintProblem, type OnboardingConfig } from "./settings/onboarding-settings.ts";
export { type SettingFinding, SettingsRefused } from "./settings/setting-finding.ts";
export type { TopUpConfig } from "./settings/top-up-settings.ts";
export type {
  AutoAcceptConfig,
  AutoAccepts,
  WalletSweepConfig,
  WalletSweeps,
} from "./settings/transfer-settings.ts";
export { startValidator, type Validator } from "./start-validator.ts";
export { walletStore } from "./store/wallet-definition.ts";
export type { ValidatorConfig } from "./validator-config.ts";
