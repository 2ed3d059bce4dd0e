/**
 * Values of the rules that SVs vote on day to day, with the bounds that the ledger sets. The rules of names have none: no
 * action of the ledger changes their fee or lifetime after the network was founded.
 */

export type SettingKind = "count" | "usd" | "length" | "party";

export interface RuleSetting {
  readonly kind: SettingKind;
  /** Places in the configuration. All of them get the value. */
  readonly paths: readonly [string, ...string[]];
  /** False if zero is refused. */
  readonly allowsZero?: boolean;
  /** True if there may be none. */
  readonly isOptional?: boolean;
}

const FEES = "decentralizedSynchronizer.fees";

export const COIN_SETTINGS = {
  trafficPrice: { kind: "usd", paths: [`${FEES}.extraTrafficPrice`], allowsZero: true },
  minTopup: { kind: "count", paths: [`${FEES}.minTopupAmount`], allowsZero: true },
  burstAmount: { kind: "count", paths: [`${FEES}.baseRateTrafficLimits.burstAmount`], allowsZero: true },
  burstWindow: { kind: "length", paths: [`${FEES}.baseRateTrafficLimits.burstWindow`] },
  holdingFee: { kind: "usd", paths: ["transferConfig.holdingFee.rate"], allowsZero: true },
  preapprovalFee: { kind: "usd", paths: ["transferPreapprovalFee"], allowsZero: true, isOptional: true },
  // The ledger keeps this amount in two fields, which have to be equal.
  markerAmount: {
    kind: "usd",
    paths: ["featuredAppActivityMarkerAmount", "transferConfig.extraFeaturedAppRewardAmount"],
    allowsZero: true,
  },
  maxInputs: { kind: "count", paths: ["transferConfig.maxNumInputs"] },
  maxOutputs: { kind: "count", paths: ["transferConfig.maxNumOutputs"] },
  tick: { kind: "length", paths: ["tickDuration"] },
  fundManager: { kind: "party", paths: ["optDevelopmentFundManager"], isOptional: true },
} as const satisfies Record<string, RuleSetting>;

export const DSO_SETTINGS = {
  voteTimeout: { kind: "length", paths: ["voteRequestTimeout"] },
  voteCooldown: { kind: "length", paths: ["voteCooldownTime"], isOptional: true },
  confirmationTimeout: { kind: "length", paths: ["actionConfirmationTimeout"] },
  onboardingTimeout: { kind: "length", paths: ["svOnboardingRequestTimeout"] },
  onboardedTimeout: { kind: "length", paths: ["svOnboardingConfirmedTimeout"] },
  unclaimedRewards: { kind: "count", paths: ["numUnclaimedRewardsThreshold"] },
  trafficContracts: { kind: "count", paths: ["numMemberTrafficContractsThreshold"] },
  maxText: { kind: "count", paths: ["maxTextLength"] },
} as const satisfies Record<string, RuleSetting>;

export type SettingName = keyof typeof COIN_SETTINGS | keyof typeof DSO_SETTINGS;

const SETTINGS: Readonly<Record<SettingName, RuleSetting>> = { ...COIN_SETTINGS, ...DSO_SETTINGS };
export const COIN_SETTING_NAMES = Object.keys(COIN_SETTINGS) as readonly SettingName[];
export const DSO_SETTING_NAMES = Object.keys(DSO_SETTINGS) as readonly SettingName[];

export function settingOf(name: SettingName): RuleSetting {
  return SETTINGS[name];
}

/** The setting that a place in a configuration belongs to. */
export function findSetting(path: string): SettingName | null {
  const found = Object.entries(SETTINGS).find(([, { paths }]) => paths.includes(path));
  return found === undefined ? null : (found[0] as SettingName);
}
