/** The results of choices that say nothing: one-constructor enums in the compiled packages, or records without fields. */
import { describe, expect, test } from "vitest";
import { ledgerJson } from "../daml/json-dialect.ts";
import { networkCatalogue } from "./network-catalogue.ts";

const choices = new Map(
  networkCatalogue.packages
    .flatMap(({ templates }) => templates)
    .flatMap((template) => [...template.choices]),
);

/** The JSON of each result whose canonical text is the one without fields, by choice. */
const silent = new Map(
  [...choices].flatMap(([name, { result }]) => {
    try {
      return [[name, result.toJson(result.decode([]), ledgerJson)] as const];
    } catch {
      return [];
    }
  }),
);

const enums = [
  "AmuletConversionRateFeed_ArchiveAsDso",
  "AmuletRules_BootstrapExternalPartyConfigState",
  "AmuletRules_MiningRound_Archive",
  "Confirmation_Expire",
  "DsoBootstrap_Bootstrap",
  "DsoRules_ArchiveOutdatedElectionRequest",
  "DsoRules_ArchiveSvOnboardingRequest",
  "DsoRules_BootstrapExternalPartyConfigState",
  "DsoRules_ExecuteConfirmedAction",
  "DsoRules_ExpireAnsEntry",
  "DsoRules_ExpireStaleConfirmation",
  "DsoRules_ExpireSubscription",
  "DsoRules_ExpireSvOnboardingRequest",
  "DsoRules_ExpireTransferPreapproval",
  "DsoRules_ExpireUnallocatedUnclaimedActivityRecord",
  "DsoRules_GarbageCollectAmuletPriceVotes",
  "DsoRules_RevokeFeaturedAppRight",
  "DsoRules_TerminateSubscription",
  "FeaturedAppRight_Cancel",
  "FeaturedAppRight_Withdraw",
  "SvOnboardingConfirmed_Expire",
  "SvOnboardingRequest_Expire",
  "SvRewardCoupon_ArchiveAsBeneficiary",
  "TransferPreapproval_Cancel",
  "ValidatorFaucetCoupon_DsoExpire",
  "ValidatorLicense_Cancel",
  "ValidatorLicense_Withdraw",
  "ValidatorLivenessActivityRecord_DsoExpire",
  "ValidatorOnboarding_Expire",
  "ValidatorRight_ArchiveAsUser",
  "ValidatorRight_ArchiveAsValidator",
  "WalletAppInstall_FeaturedAppRights_Cancel",
];

describe.each(enums)("the result of %s", (choice) => {
  const result = choices.get(choice)?.result;

  test("is its enum's one constructor in JSON, written and read", () => {
    expect(silent.get(choice)).toBe(`${choice}Result`);
    expect(result?.encode(result.fromJson(`${choice}Result`, ledgerJson))).toBe("[]");
  });

  test("is refused in any other form", () => {
    for (const other of [{}, "", choice, null]) expect(() => result?.fromJson(other, ledgerJson)).toThrow();
  });
});

test("a record without fields, or whose fields are all absent, stays {}", () => {
  const records = [...silent].filter(([name]) => !enums.includes(name));
  expect(records.map(([name]) => name).sort()).toEqual([
    "AmuletRules_ClaimExpiredRewards",
    "AnsEntryContext_Terminate",
    "AnsEntry_Expire",
    "Archive",
    "DsoRules_ClaimExpiredRewards",
    "MintingDelegationProposal_Reject",
    "MintingDelegationProposal_Withdraw",
    "MintingDelegation_Reject",
    "MintingDelegation_Withdraw",
    "NameCare_DiscardTakeUp",
    "NameCare_DiscardWithdrawal",
    "NameCare_WithdrawRequest",
    "PrimaryName_Remove",
    "RenewalPreference_Remove",
    "TakeUpRequest_Discard",
    "TakeUpRequest_Withdraw",
    "TransferPreapproval_Expire",
    "ValidatorRewardCoupon_ArchiveAsValidator",
  ]);
  for (const [, json] of records) expect(json).toEqual({});
});
