import { describe, expect, test } from "vitest";
import { testParty } from "../../../../testing/sandbox.ts";
import { decimal } from "../../../values/decimal.ts";
import { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { holdingTransactionMetadata, transferMetadata } from "./holding-metadata.ts";

const alice = testParty("alice");
const none = {
  inputAppRewardAmount: decimal("0.0"),
  inputDevelopmentFundAmount: null,
  inputSvRewardAmount: decimal("0.0"),
  inputUnclaimedActivityRecordAmount: decimal("0.0"),
  inputValidatorRewardAmount: decimal("0.0"),
};

describe("the metadata of a change of holdings", () => {
  test("says what is known and leaves out what is not, or zero", () => {
    expect(holdingTransactionMetadata({ kind: "mint" }).values).toEqual([
      ["splice.lfdecentralizedtrust.org/tx-kind", "mint"],
    ]);
    expect(holdingTransactionMetadata({ kind: "burn", burned: decimal("0.0") }).values).toHaveLength(1);
    const full = { kind: "burn", burned: decimal("1.50"), reason: "why", sender: alice } as const;
    expect(holdingTransactionMetadata(full).values).toEqual([
      ["splice.lfdecentralizedtrust.org/burned", "1.5"],
      ["splice.lfdecentralizedtrust.org/reason", "why"],
      ["splice.lfdecentralizedtrust.org/sender", alice],
      ["splice.lfdecentralizedtrust.org/tx-kind", "burn"],
    ]);
  });

  test("of a transfer says what was minted, by source", () => {
    expect(transferMetadata({ kind: "merge-split" }, none).values).toEqual([
      ["splice.lfdecentralizedtrust.org/tx-kind", "merge-split"],
    ]);
    const rewards = {
      inputAppRewardAmount: decimal("1.0"),
      inputDevelopmentFundAmount: decimal("2.0"),
      inputSvRewardAmount: decimal("3.0"),
      inputUnclaimedActivityRecordAmount: decimal("4.0"),
      inputValidatorRewardAmount: decimal("5.0"),
    };
    const metadata = transferMetadata({ kind: "transfer", sender: alice }, rewards);
    expect(metadata.values).toEqual([
      ["amulet.splice.lfdecentralizedtrust.org/app-rewards", "1.0"],
      ["amulet.splice.lfdecentralizedtrust.org/development-fund", "2.0"],
      ["amulet.splice.lfdecentralizedtrust.org/sv-rewards", "3.0"],
      ["amulet.splice.lfdecentralizedtrust.org/unclaimed-activity-records", "4.0"],
      ["amulet.splice.lfdecentralizedtrust.org/validator-rewards", "5.0"],
      ["splice.lfdecentralizedtrust.org/sender", alice],
      ["splice.lfdecentralizedtrust.org/tx-kind", "transfer"],
    ]);
    // Decoding sorts by key: equality shows that the keys were in order already.
    expect(Metadata.decode(JSON.parse(Metadata.encode(metadata)))).toEqual(metadata);
  });
});
