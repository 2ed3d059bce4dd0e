/**
 * The round in which a coin's holding fees have eaten up its worth. From that round on, and only once
 * both lagging configuration states have reached it, the DSO may remove the coin. Arithmetic is bounded: an
 * expiry beyond the largest round number means never. A coin without a holding fee has no answer, and asking
 * aborts.
 */

import { abort, requireThat } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import {
  ceiling,
  type Decimal,
  decimal,
  decimalFromInt,
  divide,
  formatDecimalShort,
  multiply,
  ONE,
} from "../../../values/decimal.ts";
import { MAX_INT64 } from "../../../values/int64.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import type { Amulet } from "../declarations/amulet.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";
import type { ExpiringAmount } from "../declarations/fees.ts";

/** A tenth of the largest decimal: beyond it a quotient counts as infinite, whatever its rounding. */
const LARGEST_QUOTIENT = decimal("999999999999999999999999999.9999999999");
const LARGEST_ROUND = decimalFromInt(MAX_INT64);

/** The first round in which the coin is used up, or null if it lasts for ever. */
export function expiryRound({ initialAmount, ratePerRound, createdAt }: ExpiringAmount): bigint | null {
  const rounds = roundsUntilSpent(initialAmount, ratePerRound.rate);
  if (rounds === null || rounds > MAX_INT64 - createdAt.number) return null;
  return createdAt.number + rounds;
}

function roundsUntilSpent(amount: Decimal, rate: Decimal): bigint | null {
  requirePositive("first", amount);
  requirePositive("second", rate);
  if (rate < ONE && amount > multiply(LARGEST_QUOTIENT, rate)) return null;
  const rounds = divide(amount, rate);
  return rounds > LARGEST_ROUND ? null : ceiling(rounds);
}

function requirePositive(which: string, operand: Decimal): void {
  if (operand <= 0n) abort(`boundedDivDecimal: negative ${which} operand ${formatDecimalShort(operand)}`);
}

export function requireExpiredForAllRounds(
  update: Update,
  amulet: Amulet,
  states: {
    readonly externalPartyConfigState0Cid: ContractId;
    readonly externalPartyConfigState1Cid: ContractId;
  },
): void {
  const { externalPartyConfigState0Cid: cid0, externalPartyConfigState1Cid: cid1 } = states;
  requireThat("externalPartyConfigState0Cid /= externalPartyConfigState1Cid", cid0 !== cid1);
  const roundOf = (contractId: ContractId): bigint =>
    fetchChecked(update, ExternalPartyConfigState, contractId, forDso(amulet.dso)).holdingFeesOpenRoundNumber
      .number;
  const round0 = roundOf(cid0);
  const round1 = roundOf(cid1);
  const expiresAt = expiryRound(amulet.amount);
  requireThat("Amulet is expired", expiresAt !== null && expiresAt <= round0 && expiresAt <= round1);
}
