/** The fault in the beneficiaries that an SV's configuration names, as a sentence; null if there is none. */
import type { BeneficiaryShare } from "./receive-sv-rewards.ts";

/** The weight is null as long as the network has not given the SV one. */
export function findBeneficiaryFault(
  beneficiaries: readonly BeneficiaryShare[],
  svRewardWeight: bigint | null,
): string | null {
  const named = new Set<string>();
  let total = 0n;
  for (const { beneficiary, weight } of beneficiaries) {
    if (named.has(beneficiary)) {
      return `beneficiary ${beneficiary} is named twice: name each party once, with all of its weight`;
    }
    if (weight <= 0n) {
      return `beneficiary ${beneficiary} has weight ${weight}: weights are basis points, whole numbers from 1 on`;
    }
    named.add(beneficiary);
    total += weight;
  }
  if (svRewardWeight === null || total <= svRewardWeight) return null;
  return (
    `the beneficiaries' weights add up to ${total}, but the SV's reward weight is ${svRewardWeight}: ` +
    "lower them, so that they add up to no more than that"
  );
}
