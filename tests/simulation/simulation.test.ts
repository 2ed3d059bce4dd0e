import { describe, expect, test } from "vitest";
import { type Run, simulate } from "./simulate.ts";

/** Networks of one, four and seven SVs, on different terms; one of them is short of traffic. */
const FIXED_SEEDS = [1, 4, 7, 9, 15, 16, 23, 28, 29, 36];
const STEPS = 300;

const given = process.env["CALLSIGN_SEED"];
const steps = Number(process.env["CALLSIGN_STEPS"] ?? STEPS);

if (given !== undefined) {
  test(`every invariant holds in ${steps} steps from seed ${given}`, { timeout: 10 * 60_000 }, () => {
    simulate(Number(given), steps);
  });
} else {
  describe("every invariant holds after every entry, nothing is stuck at the end, and a replay agrees", () => {
    const runs = new Map<number, Run>();
    const runOf = (seed: number): Run => {
      const run = runs.get(seed) ?? simulate(seed, STEPS);
      runs.set(seed, run);
      return run;
    };

    test.each(FIXED_SEEDS)(`in ${STEPS} steps from seed %i`, (seed) => {
      runOf(seed);
    });

    test("the fixed seeds together cover every choice and error listed below", () => {
      const seen = new Set(FIXED_SEEDS.flatMap((seed) => [...runOf(seed).seen.keys()]));
      expect(WORTH_SEEING.filter((what) => !seen.has(what))).toEqual([]);
    });
  });
}

const WORTH_SEEING = [
  "AnsRules_RequestEntry",
  "AnsRules_CollectInitialEntryPayment",
  "AnsRules_CollectEntryRenewalPayment",
  "AnsRules_RejectEntryInitialPayment",
  "SubscriptionRequest_Reject",
  "SubscriptionInitialPayment_Expire",
  "SubscriptionIdleState_CancelSubscription",
  "DsoRules_ExpireSubscription",
  "DsoRules_TerminateSubscription",
  "DsoRules_ExpireAnsEntry",
  "DsoRules_ExpireStaleConfirmation",
  "DsoRules_UpdateAmuletPriceVote",
  "DsoRules_UpdateExternalPartyConfigStates",
  "AmuletRules_SetConfig",
  "Amulet_ExpireV2",
  "LockedAmulet_OwnerExpireLockV2",
  "NameCare_ReturnRenewalPayment",
  "NameCare_AnnounceWithdrawal",
  "NameCare_WithdrawRequest",
  "NameCare_DiscardWithdrawal",
  "NameCare_TakeUp",
  "NameCare_DiscardTakeUp",
  "TakeUpRequest_Withdraw",
  "RenewalPreference_Set",
  "ignored",
  "rejected COMMAND_PREPROCESSING_FAILED",
  "rejected DAML_AUTHORIZATION_ERROR",
  "rejected DAML_FAILURE",
  "rejected DUPLICATE_COMMAND",
  "rejected LOCAL_VERDICT_INACTIVE_CONTRACTS",
  "rejected NOT_SEQUENCED_TIMEOUT",
  "rejected SEQUENCER_BACKPRESSURE",
  "rejected UNAUTHENTICATED",
  "rejected UNKNOWN_INFORMEES",
  "rejected WRONGLY_TYPED_CONTRACT",
];
