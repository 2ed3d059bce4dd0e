/**
 * Allocations of coin by the token standard: the sender of a leg locks it for a settlement, until the time by which
 * the settlement has to be done. The lock earns no reward; the settlement may.
 */
import { requireThat } from "../../../engine/failure.ts";
import { implementInterface } from "../../../engine/template.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../../checks/deadline.ts";
import { AllocationFactory } from "../../splice-api-token-v1/allocation-instruction.ts";
import { EMPTY_METADATA } from "../../splice-api-token-v1/metadata.ts";
import { isAmuletOf } from "../coin/instrument.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";
import { ExternalPartyAmuletRules } from "../declarations/external-party-amulet-rules.ts";
import { allocationSteps } from "./amulet-allocation.ts";
import { unfeaturedContextOf } from "./choice-context.ts";
import { requireExpectedAdmin } from "./expected-admin.ts";
import { lockForTransfer } from "./two-step-transfer.ts";

export const allocationFactory = implementInterface(ExternalPartyAmuletRules, AllocationFactory, {
  view: ({ dso }) => ({ admin: dso, meta: EMPTY_METADATA }),
  choices: {
    AllocationFactory_Allocate: {
      controllers: (_rules, { allocation }) => [allocation.transferLeg.sender],
      exercise: ({ update, contract: { dso }, argument }) => {
        const { allocation, requestedAt, inputHoldingCids: holdingCids } = argument;
        const { settlement, transferLeg } = allocation;
        const { now } = update;
        requireExpectedAdmin(argument.expectedAdmin, dso);
        const terms = unfeaturedContextOf(update, dso, argument.extraArgs.context);
        requireDeadlineExceeded("Allocation.settlement.requestedAt", now, settlement.requestedAt);
        requireWithinDeadline("Allocation.settlement.allocateBefore", now, settlement.allocateBefore);
        requireThat(
          "Allocation.settlement.allocateBefore <= Allocation.settlement.settleBefore",
          settlement.allocateBefore <= settlement.settleBefore,
        );
        requireThat("Transfer amount must be positive", transferLeg.amount > 0n);
        requireThat("Instrument-id must match the factory", isAmuletOf(dso, transferLeg.instrumentId));
        requireDeadlineExceeded("requestedAt", now, requestedAt);
        requireThat("At least one input holding must be provided", holdingCids.length > 0);
        const steps = allocationSteps(allocation);
        const { lockedAmulet, changeCids, meta } = lockForTransfer(
          update,
          steps,
          { requestedAt, holdingCids },
          terms,
        );
        const allocationCid = update.create(AmuletAllocation, { lockedAmulet, allocation });
        return {
          output: { tag: "AllocationInstructionResult_Completed", value: { allocationCid } } as const,
          senderChangeCids: changeCids,
          meta,
        };
      },
    },
    AllocationFactory_PublicFetch: {
      controllers: (_rules, { actor }) => [actor],
      exercise: ({ contract: { dso }, argument: { expectedAdmin } }) => {
        requireExpectedAdmin(expectedAdmin, dso);
        return { admin: dso, meta: EMPTY_METADATA };
      },
    },
  },
});
