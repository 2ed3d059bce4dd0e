/**
 * The outputs of a transfer: coins in the order asked for, then the change. A lock names each holder once,
 * in order, and never the owner, whose consent it needs anyway. Fees are zero: the ratio in which sender and
 * receiver would share them has to make sense, and changes nothing.
 */
import { abort, requireThat } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { type Decimal, formatDecimalShort, ONE } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { compareAscii } from "../../../values/text.ts";
import type { Time } from "../../../values/time.ts";
import { requireWithinDeadline } from "../../checks/deadline.ts";
import { Amulet, LockedAmulet } from "../declarations/amulet.ts";
import type { CreatedAmulet, TransferOutput } from "../declarations/transfer.ts";
import type { TransferTerms } from "./transfer-context.ts";

export function prepareOutputs(
  now: Time,
  { config }: TransferTerms,
  outputs: readonly TransferOutput[],
): readonly TransferOutput[] {
  return outputs.map((output) => {
    const { receiver, receiverFeeRatio, lock, amount } = output;
    if (receiverFeeRatio < 0n || receiverFeeRatio > ONE) {
      abort(`Receiver fee ratio ${formatDecimalShort(receiverFeeRatio)} is not between 0.0 and 1.0`);
    }
    if (lock === null) {
      requireThat("Amount is positive", amount > 0n);
      return output;
    }
    const holders = listHolders(lock.holders, receiver);
    requireWithinDeadline("lock.expiresAt", now, lock.expiresAt);
    const fewEnough = BigInt(holders.length) <= config.maxNumLockHolders;
    requireThat("Fewer than the allowed number of lock holders", fewEnough);
    requireThat("Amount is positive", amount > 0n);
    return { ...output, lock: { ...lock, holders } };
  });
}

function listHolders(holders: readonly PartyId[], owner: PartyId): readonly PartyId[] {
  const others = holders.filter((holder) => holder !== owner);
  return others.length < 2 ? others : [...new Set(others)].sort(compareAscii);
}

export function createOutput(
  update: Update,
  terms: TransferTerms,
  { receiver, amount, lock }: TransferOutput,
): CreatedAmulet {
  const coin = newCoin(terms, receiver, amount);
  return lock === null
    ? { tag: "TransferResultAmulet", value: update.create(Amulet, coin) }
    : { tag: "TransferResultLockedAmulet", value: update.create(LockedAmulet, { amulet: coin, lock }) };
}

export function createChange(
  update: Update,
  terms: TransferTerms,
  sender: PartyId,
  amount: Decimal,
): ContractId | null {
  return amount <= 0n ? null : update.create(Amulet, newCoin(terms, sender, amount));
}

function newCoin({ dso, round, config }: TransferTerms, owner: PartyId, initialAmount: Decimal): Amulet {
  return {
    dso,
    owner,
    amount: { initialAmount, createdAt: round, ratePerRound: config.holdingFee },
  };
}
