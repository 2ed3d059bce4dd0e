import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Time } from "../../packages/ledger/src/values/time.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { DIGEST_INTERVAL, formatLog, LOG_FILE, readGoldenLog } from "./golden-file.ts";
import { tellGoldenStory } from "./golden-story.ts";
import { newTransition, replayDigests } from "./replay-digests.ts";

const { log, expected } = readGoldenLog();

describe("the golden log", () => {
  test("replays to its digests, with every signature checked", () => {
    // If this fails, the protocol has changed: replicas of this version would disagree with those before it.
    expect(replayDigests(log)).toEqual(expected);
  });

  test("begins as it did before it grew, to the byte and with the same digests", () => {
    // Each of these was once the whole log. Nothing here may ever change.
    const ends = [
      {
        entries: 408,
        digest: "5077d15938cfc5869a86fe20800b3afb0fa72e7c159d9766572b775d9ef64438",
        sha256: "98cc33e2edaddba2373454f07f3fea292a67bd5f7515d4f5ddb1ea984501bfe2",
      },
      {
        entries: 681,
        digest: "2b637746776a9b141b5c723e82b18e68656d5b1a4cac1d035849bdd75f385982",
        sha256: "37d5e8b33be1170ed4a48ec23559bf22b1813c9230215fd1c340c951fc8667b4",
      },
    ];
    for (const { entries, digest, sha256: bytes } of ends) {
      const beginning = log.slice(0, entries);
      expect(replayDigests(beginning).final).toBe(digest);
      expect(sha256(formatLog(beginning))).toBe(bytes);
    }
  });

  test("is kept in the canonical bytes of its entries, and is easy to keep in a repository", () => {
    const text = readFileSync(LOG_FILE, "utf8");
    expect(formatLog(log)).toBe(text);
    expect(text.length).toBeLessThan(2_000_000);
    expect(Object.keys(expected.digests)).toHaveLength(Math.floor(log.length / DIGEST_INTERVAL));
    expect(expected.entries).toBe(log.length);
  });

  test("has every kind of entry and every outcome", () => {
    const kinds = new Set<string>();
    const results = new Set<string>();
    const choices = new Set<string>();
    replayDigests(log, ({ verdict }, { content }) => {
      results.add(verdict.kind === "rejected" ? verdict.error.code : verdict.kind);
      if (verdict.kind !== "accepted") return;
      kinds.add(/^\["(\w+)"/.exec(content)?.[1] ?? "");
      for (const node of verdict.transaction?.nodes ?? [])
        if (node.kind === "exercise") choices.add(node.choice);
    });
    // A protocol version cannot be activated while there is one only; the attempt is among the refusals.
    const every = [
      "DelegateKeys",
      "FoundNetwork",
      "HostParty",
      "MoveClock",
      "RegisterMember",
      "Submit",
      "Tick",
    ];
    expect([...kinds].sort()).toEqual(every);
    expect(log.some(({ content }) => content.startsWith('["ActivateVersion",'))).toBe(true);
    expect([...results].sort()).toEqual([
      "DAML_AUTHORIZATION_ERROR",
      "DAML_FAILURE",
      "DUPLICATE_COMMAND",
      "INVALID_ARGUMENT",
      "LEDGER_TIME_OUTSIDE_BOUNDS",
      "LOCAL_VERDICT_INACTIVE_CONTRACTS",
      "NOT_SEQUENCED_TIMEOUT",
      "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
      "PERMISSION_DENIED",
      "SEQUENCER_BACKPRESSURE",
      "UNAUTHENTICATED",
      "UNKNOWN_INFORMEES",
      "UNKNOWN_SUBMITTERS",
      "accepted",
      "ignored",
    ]);
    for (const choice of [
      "AnsRules_RequestEntry",
      "AnsRules_CollectInitialEntryPayment",
      "AnsRules_RejectEntryInitialPayment",
      "AnsRules_CollectEntryRenewalPayment",
      "AnsEntry_Expire",
      "NameCare_ReturnRenewalPayment",
      "DsoRules_AdvanceOpenMiningRounds",
      "SubscriptionIdleState_CancelSubscription",
      "AmuletRules_MiningRound_StartIssuing",
      "AmuletRules_MiningRound_Close",
      "AmuletRules_MiningRound_Archive",
      "AmuletRules_ConvertFeaturedAppActivityMarkers",
      "ValidatorLicense_RecordValidatorLivenessActivity",
      "DsoRules_ReceiveSvRewardCoupon",
      "DsoRules_ClaimExpiredRewards",
      "AppRewardCoupon_DsoExpire",
      "SvRewardCoupon_DsoExpire",
      "SvRewardCoupon_ArchiveAsBeneficiary",
      "ValidatorRewardCoupon_DsoExpire",
      "ValidatorRewardCoupon_ArchiveAsValidator",
      "ValidatorLivenessActivityRecord_DsoExpire",
      "AmuletRules_MergeUnclaimedRewards",
      "AmuletRules_MergeUnclaimedDevelopmentFundCoupons",
      "MintingDelegation_Mint",
      "AmuletRules_BuyMemberTraffic",
      "BuyTrafficRequest_Complete",
      "AmuletRules_MergeMemberTrafficContracts",
      "ValidatorOnboarding_Match",
      "DsoRules_OnboardValidator",
      "DsoRules_MergeValidatorLicense",
      "AcceptedTransferOffer_Complete",
      "AcceptedTransferOffer_Expire",
      "AcceptedAppPayment_Collect",
      "AcceptedAppPayment_Reject",
      "AppPaymentRequest_Expire",
      "AmuletRules_CreateTransferPreapproval",
      "TransferPreapproval_Send",
      "TransferPreapproval_Renew",
      "TransferPreapproval_Expire",
      "ExternalPartySetupProposal_Accept",
      "DsoRules_CloseVoteRequest",
      "AmuletRules_SetConfig",
      "DsoRules_UpdateAmuletPriceVote",
      "AmuletRules_UpdateExternalPartyConfigStates",
      "Amulet_ExpireV2",
      "DsoRules_GrantFeaturedAppRight",
      "AmuletRules_AllocateDevelopmentFundCoupon",
      "DsoRules_AllocateUnallocatedUnclaimedActivityRecord",
      "TransferFactory_Transfer",
      "TransferInstruction_Accept",
      "TransferInstruction_Reject",
      "TransferInstruction_Withdraw",
      "AllocationFactory_Allocate",
      "Allocation_ExecuteTransfer",
      "Allocation_Cancel",
      "Allocation_Withdraw",
      "DsoRules_Amulet_ExpireTransferInstructions",
      "DsoRules_ExpireAmuletAllocations",
    ]) {
      expect(choices).toContain(choice);
    }
  });

  test("gives another digest if any entry is changed", () => {
    const transition = newTransition();
    const state = new MemoryState();
    for (const entry of log) {
      const genuine = transition.apply(entry, state);
      if (entry.sequence % DIGEST_INTERVAL === 1) {
        for (const forged of forgeriesOf(entry)) {
          expect(transition.apply(forged, state).head.digest).not.toBe(genuine.head.digest);
        }
      }
      state.absorb(genuine);
    }
  });
});

function forgeriesOf(entry: LogEntry): readonly LogEntry[] {
  return [
    { ...entry, content: entry.content.slice(0, -1) },
    { ...entry, signatures: [] },
    { ...entry, stampedAt: ((entry.stampedAt ?? 0n) + 1n) as Time },
  ].filter(({ signatures }) => signatures.length > 0 || entry.signatures.length > 0);
}

describe("the story behind the golden log", () => {
  test("gives the same bytes each time", () => {
    expect(formatLog(tellGoldenStory())).toBe(formatLog(tellGoldenStory()));
  });

  test("differs for another seed", () => {
    expect(formatLog(tellGoldenStory(1))).not.toBe(formatLog(tellGoldenStory(2)));
  });
});

test("`npm run golden` does not overwrite the log, and says what that would mean", () => {
  const before = readFileSync(LOG_FILE, "utf8");
  const script = join(import.meta.dirname, "..", "..", "scripts", "make-golden-log.ts");
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toContain("change the protocol");
  expect(stderr).toContain("--force");
  expect(readFileSync(LOG_FILE, "utf8")).toBe(before);
});
