/**
 * Rewards for the app that arranged a transfer: one activity marker a beneficiary, in the order of parties,
 * if the provider is featured. Wrong beneficiaries are refused even if nothing would be earned.
 */
import { requireThat } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { add, type Decimal, multiply, ONE, sum, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { compareAscii } from "../../../values/text.ts";
import type { AppRewardBeneficiary } from "../../splice-api-featured-app-v1/featured-app-right.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";

const MAX_BENEFICIARIES = 20;

export function issueAppRewards(
  update: Update,
  { dso, isFeatured }: { readonly dso: PartyId; readonly isFeatured: boolean },
  provider: PartyId,
  beneficiaries: readonly AppRewardBeneficiary[] | null,
): void {
  if (beneficiaries !== null) requireValidBeneficiaries(beneficiaries);
  if (!isFeatured) return;
  const shares = beneficiaries ?? [{ beneficiary: provider, weight: ONE }];
  createActivityMarkers(update, { dso, provider }, shares, ONE);
}

export function requireValidBeneficiaries(beneficiaries: readonly AppRewardBeneficiary[]): void {
  const inRange = beneficiaries.every(({ weight }) => weight > 0n && weight <= ONE);
  requireThat("Beneficiary weights are between 0.0 and 1.0", inRange);
  requireThat("Beneficiary weights add up to 1.0", sum(beneficiaries.map(({ weight }) => weight)) === ONE);
  requireThat("There are at most 20 beneficiaries", beneficiaries.length <= MAX_BENEFICIARIES);
}

/** One marker a beneficiary, of its share times the weight; who is named twice gets both shares in one. */
export function createActivityMarkers(
  update: Update,
  right: { readonly dso: PartyId; readonly provider: PartyId },
  beneficiaries: readonly AppRewardBeneficiary[],
  weight: Decimal,
): readonly ContractId[] {
  return sharesOf(beneficiaries).map(([beneficiary, share]) =>
    update.create(FeaturedAppActivityMarker, {
      dso: right.dso,
      provider: right.provider,
      beneficiary,
      weight: multiply(share, weight),
    }),
  );
}

function sharesOf(beneficiaries: readonly AppRewardBeneficiary[]): readonly (readonly [PartyId, Decimal])[] {
  const byParty = new Map<PartyId, Decimal>();
  for (const { beneficiary, weight } of beneficiaries) {
    byParty.set(beneficiary, add(byParty.get(beneficiary) ?? ZERO, weight));
  }
  return [...byParty].sort(([a], [b]) => compareAscii(a, b));
}
