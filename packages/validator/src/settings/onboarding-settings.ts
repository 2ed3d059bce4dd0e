/** The sponsor of a new validator. */
import { findBaseUrlFault } from "@callsign/api";
import { type SettingFinding, shown } from "./setting-finding.ts";

export interface OnboardingConfig {
  /** The sponsor's base url, with `/api/sv`. */
  readonly svUrl: string;
  /**
   * Valid once, and for 48 hours; not needed once there is a license. Without one, a DevNet's sponsor is asked for a
   * secret.
   */
  readonly secret?: string;
}

export function findOnboardingProblems(onboarding: OnboardingConfig | undefined): readonly SettingFinding[] {
  if (onboarding === undefined || findBaseUrlFault(onboarding.svUrl) === null) return [];
  return [
    {
      key: "onboarding.svUrl",
      problem: "this is not the sponsor SV's http or https address without a user, a password or a query",
      fix: "give it as in https://sv.example.com/api/sv",
    },
  ];
}

/** The form that a new operator party's hint must have. */
const PARTY_HINT = /^[a-zA-Z0-9_]+-[a-zA-Z0-9_]+-[0-9]+$/;

/** A party that exists keeps its hint, whatever its form. */
export function findPartyHintProblem(hint: string): SettingFinding | undefined {
  if (PARTY_HINT.test(hint)) return undefined;
  return {
    key: "operatorPartyHint",
    value: hint,
    problem: `${shown(hint)} does not have the form <organization>-<function>-<enumerator>`,
    fix: "name it as in digitalasset-finance-1: letters, digits and _, twice a hyphen, digits at the end",
  };
}
