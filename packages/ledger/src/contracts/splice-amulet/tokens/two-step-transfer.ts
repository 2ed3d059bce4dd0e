/**
 * Coin that moves in two steps: it is locked for the DSO until a deadline, then handed over, or given back. Until
 * the deadline the lock comes off only by the contract that the coin is locked for, which has the DSO's word and the
 * owner's; from then on the owner can take it off alone, so that what was promised may be gone.
 */
import { abort, requireThat } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { type Decimal, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import type { Time } from "../../../values/time.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../../checks/deadline.ts";
import { EMPTY_METADATA, type ExtraArgs, type Metadata } from "../../splice-api-token-v1/metadata.ts";
import { LockedAmulet } from "../declarations/amulet.ts";
import type { CreatedAmulet, ExternalPartyTransferContext } from "../declarations/transfer.ts";
import { namedBeneficiaries } from "../rewards/named-beneficiaries.ts";
import { executeExternalPartyTransfer } from "../transfers/external-party-transfer.ts";
import { getExpireLock, readTransferContext, unfeaturedContextOf } from "./choice-context.ts";
import { spendHoldings } from "./holding-inputs.ts";

export interface TwoStepTransfer {
  readonly dso: PartyId;
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Decimal;
  /** The reason of the lock, which wallets show. */
  readonly lockContext: string;
  /** Until then it can be handed over. */
  readonly deadline: Time;
  /** The deadline's name in error messages. */
  readonly deadlineName: string;
  /** The app of the second step, which earns the reward if it may be featured at all. */
  readonly provider: PartyId;
  readonly mayBeFeatured: boolean;
}

export function lockForTransfer(
  update: Update,
  { dso, sender, amount, lockContext, deadline }: TwoStepTransfer,
  given: { readonly requestedAt: Time; readonly holdingCids: readonly ContractId[] },
  context: ExternalPartyTransferContext,
): {
  readonly lockedAmulet: ContractId;
  readonly changeCids: readonly ContractId[];
  readonly meta: Metadata;
} {
  requireThat("requestedAt < transferBefore", given.requestedAt < deadline);
  const inputs = spendHoldings(update, { dso, owner: sender }, given.holdingCids);
  const lock = { holders: [dso], expiresAt: deadline, optContext: lockContext };
  const outputs = [{ receiver: sender, receiverFeeRatio: ZERO, amount, lock }];
  const transfer = { sender, provider: sender, inputs, outputs, beneficiaries: null };
  const result = executeExternalPartyTransfer(update, dso, transfer, context);
  const [created] = result.createdAmulets;
  if (created?.tag !== "TransferResultLockedAmulet") abort("the transfer did not lock its coin");
  return {
    lockedAmulet: created.value,
    changeCids: listOf(result.senderChangeAmulet),
    meta: result.meta ?? EMPTY_METADATA,
  };
}

export function handOver(
  update: Update,
  twoStep: TwoStepTransfer,
  lockedAmulet: ContractId,
  { context, meta }: ExtraArgs,
): {
  readonly senderCids: readonly ContractId[];
  readonly receiverCids: readonly ContractId[];
  readonly meta: Metadata;
} {
  const { dso, sender, receiver, amount, provider, mayBeFeatured } = twoStep;
  requireWithinDeadline(twoStep.deadlineName, update.now, twoStep.deadline);
  const beneficiaries = mayBeFeatured ? namedBeneficiaries(meta) : null;
  const terms = (mayBeFeatured ? readTransferContext : unfeaturedContextOf)(update, dso, context);
  const { amuletCid } = update.exercise(LockedAmulet, lockedAmulet, "LockedAmulet_UnlockV2", {});
  const transfer = {
    sender,
    provider,
    inputs: [{ tag: "InputAmulet", value: amuletCid } as const],
    outputs: [{ receiver, receiverFeeRatio: ZERO, amount, lock: null }],
    beneficiaries,
  };
  const result = executeExternalPartyTransfer(update, dso, transfer, terms);
  return {
    senderCids: listOf(result.senderChangeAmulet),
    receiverCids: result.createdAmulets.map(holdingOf),
    meta: result.meta ?? EMPTY_METADATA,
  };
}

/** A claim that the lock is gone is accepted only once the owner could have taken it off. */
export function giveBack(
  update: Update,
  { deadlineName, deadline }: TwoStepTransfer,
  lockedAmulet: ContractId,
  { context }: Pick<ExtraArgs, "context">,
): readonly ContractId[] {
  if (getExpireLock(context)) {
    return [update.exercise(LockedAmulet, lockedAmulet, "LockedAmulet_UnlockV2", {}).amuletCid];
  }
  requireDeadlineExceeded(deadlineName, update.now, deadline);
  return [];
}

export function holdingOf(created: CreatedAmulet): ContractId {
  return created.tag === "ExtCreatedAmulet" ? abort("Unexpected ExtCreatedAmulet") : created.value;
}

export function listOf(contractId: ContractId | null): readonly ContractId[] {
  return contractId === null ? [] : [contractId];
}
