/**
 * AmuletAllocation: coin put aside for a settlement. Executor, sender and receiver together settle or cancel it,
 * the sender may withdraw it at any time, and after the settlement's end the DSO cleans it up. The executor is the
 * app of the settlement: it may be rewarded, and may name who shares the reward.
 */

import { showParty, showText } from "../../../daml/show.ts";
import { implement, implementInterface } from "../../../engine/template.ts";
import type { Update } from "../../../engine/update.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { requireDeadlineExceeded } from "../../checks/deadline.ts";
import { Allocation, type AllocationSpecification } from "../../splice-api-token-v1/allocation.ts";
import { EMPTY_METADATA, type ExtraArgs, type Metadata } from "../../splice-api-token-v1/metadata.ts";
import { REASON_KEY } from "../coin/holding-metadata.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";
import { expireLockContext } from "./choice-context.ts";
import { giveBack, handOver, type TwoStepTransfer } from "./two-step-transfer.ts";

const DEADLINE = "allocation.settlement.settleBefore";
const EXPIRED: Metadata = { values: [[REASON_KEY, "expired as settleBefore has passed"]] };

export function allocationSteps({
  settlement,
  transferLegId,
  transferLeg,
}: AllocationSpecification): TwoStepTransfer {
  const { sender, receiver, amount, instrumentId } = transferLeg;
  return {
    dso: instrumentId.admin,
    sender,
    receiver,
    amount,
    lockContext: `allocation for transfer leg ${showText(transferLegId)} to ${showParty(receiver)}`,
    deadline: settlement.settleBefore,
    deadlineName: DEADLINE,
    provider: settlement.executor,
    mayBeFeatured: true,
  };
}

export const amuletAllocation = implement(AmuletAllocation, {
  signatories: ({ allocation: { transferLeg } }) => [transferLeg.instrumentId.admin, transferLeg.sender],
  observers: ({ allocation }) => [allocation.settlement.executor],
  choices: {
    AmuletAllocation_DsoExpire: {
      controllers: ({ allocation }) => [allocation.transferLeg.instrumentId.admin],
      exercise: ({ update, contract, argument: { expireLock } }) => {
        requireDeadlineExceeded(DEADLINE, update.now, contract.allocation.settlement.settleBefore);
        return {
          senderHoldingCids: release(update, contract, { context: expireLockContext(expireLock) }),
          meta: EXPIRED,
        };
      },
    },
  },
  interfaces: [
    implementInterface(AmuletAllocation, Allocation, {
      view: ({ lockedAmulet, allocation }) => ({
        allocation,
        holdingCids: [lockedAmulet],
        meta: EMPTY_METADATA,
      }),
      choices: {
        Allocation_ExecuteTransfer: {
          controllers: everybodyConcerned,
          exercise: ({ update, contract: { lockedAmulet, allocation }, argument: { extraArgs } }) => {
            const steps = allocationSteps(allocation);
            const { senderCids, receiverCids, meta } = handOver(update, steps, lockedAmulet, extraArgs);
            return { senderHoldingCids: senderCids, receiverHoldingCids: receiverCids, meta };
          },
        },
        Allocation_Cancel: {
          controllers: everybodyConcerned,
          exercise: ({ update, contract, argument: { extraArgs } }) => ({
            senderHoldingCids: release(update, contract, extraArgs),
            meta: EMPTY_METADATA,
          }),
        },
        Allocation_Withdraw: {
          controllers: ({ allocation }) => [allocation.transferLeg.sender],
          exercise: ({ update, contract, argument: { extraArgs } }) => ({
            senderHoldingCids: release(update, contract, extraArgs),
            meta: EMPTY_METADATA,
          }),
        },
      },
    }),
  ],
});

function everybodyConcerned({ allocation }: AmuletAllocation): readonly PartyId[] {
  const { sender, receiver } = allocation.transferLeg;
  return [allocation.settlement.executor, sender, receiver];
}

function release(
  update: Update,
  { lockedAmulet, allocation }: AmuletAllocation,
  given: Pick<ExtraArgs, "context">,
) {
  return giveBack(update, allocationSteps(allocation), lockedAmulet, given);
}
