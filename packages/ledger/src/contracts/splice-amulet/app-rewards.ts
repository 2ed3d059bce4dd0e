/**
 * Rewards for the app that arranged a transfer: one activity marker a beneficiary, in the order of parties,
 * if the provider is featured. Wrong beneficiaries are refused even if nothing would be earned.
 */
import { requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import { add, type Decimal, ONE, sum, ZERO } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { compareAscii } from "../../values/text.ts";
import { FeaturedAppActivityMarker } from "./declarations/amulet.ts";
import type { AppRewardBeneficiary } from "./declarations/transfer.ts";
import type { TransferTerms } from "./transfer-context.ts";

const MAX_BENEFICIARIES = 20;

export function issueAppRewards(
  update: Update,
  { dso, isFeatured }: TransferTerms,
  provider: PartyId,
  beneficiaries: readonly AppRewardBeneficiary[] | null,
): void {
  if (beneficiaries !== null) requireValidBeneficiaries(beneficiaries);
  if (!isFeatured) return;
  for (const [beneficiary, weight] of weights(beneficiaries ?? [{ beneficiary: provider, weight: ONE }])) {
    update.create(FeaturedAppActivityMarker, { dso, provider, beneficiary, weight });
  }
}

function requireValidBeneficiaries(beneficiaries: readonly AppRewardBeneficiary[]): void {
  const inRange = beneficiaries.every(({ weight }) => weight > 0n && weight <= ONE);
  requireThat("Beneficiary weights are between 0.0 and 1.0", inRange);
  requireThat("Beneficiary weights add up to 1.0", sum(beneficiaries.map(({ weight }) => weight)) === ONE);
  requireThat("There are at most 20 beneficiaries", beneficiaries.length <= MAX_BENEFICIARIES);
}

function weights(beneficiaries: readonly AppRewardBeneficiary[]): readonly (readonly [PartyId, Decimal])[] {
  const byParty = new Map<PartyId, Decimal>();
  for (const { beneficiary, weight } of beneficiaries) {
    byParty.set(beneficiary, add(byParty.get(beneficiary) ?? ZERO, weight));
  }
  return [...byParty].sort(([a], [b]) => compareAscii(a, b));
}
