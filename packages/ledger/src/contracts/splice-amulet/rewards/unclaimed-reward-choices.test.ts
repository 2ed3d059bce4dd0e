import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { createClosedRound, Rewards } from "../../../../testing/reward-fixture.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { UnclaimedReward } from "../declarations/reward-coupons.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const other = testParty("OTHER-DSO");

interface Coupons {
  readonly validator?: readonly ContractId[];
  readonly app?: readonly ContractId[];
  readonly sv?: readonly ContractId[];
  readonly faucet?: readonly ContractId[] | null;
  readonly liveness?: readonly ContractId[] | null;
}

function claim(
  network: SandboxNetwork,
  closedRoundCid: ContractId,
  { validator = [], app = [], sv = [], faucet = null, liveness = null }: Coupons,
  actAs: readonly PartyId[] = [network.dso],
) {
  return network.sandbox.exercise(
    AmuletRules,
    network.amuletRules,
    "AmuletRules_ClaimExpiredRewards",
    {
      closedRoundCid,
      validatorRewardCouponCids: validator,
      appCouponCids: app,
      svRewardCouponCids: sv,
      optValidatorFaucetCouponCids: faucet,
      optValidatorLivenessActivityRecordCids: liveness,
    },
    { actAs, disclose: [...network.disclosures(), closedRoundCid] },
  );
}

describe("coupons of a closed round", () => {
  test.each([
    {
      kind: "validators' coupons",
      coupons: (r: Rewards) => ({ validator: [r.validator(alice, "2.3")] }),
      worth: "0.46",
    },
    {
      kind: "featured apps' coupons",
      coupons: (r: Rewards) => ({ app: [r.app(alice, "5.7")] }),
      worth: "570.0",
    },
    {
      kind: "other apps' coupons",
      coupons: (r: Rewards) => ({ app: [r.app(alice, "3.3", { featured: false })] }),
      worth: "1.98",
    },
    {
      kind: "SVs' coupons",
      coupons: (r: Rewards) => ({ sv: [r.sv(alice, 10n), r.sv(bob, 3n)] }),
      worth: "32.5",
    },
    { kind: "old faucet coupons", coupons: (r: Rewards) => ({ faucet: [r.faucet(alice)] }), worth: "570.0" },
    {
      kind: "liveness records",
      coupons: (r: Rewards) => ({ liveness: [r.liveness(alice), r.liveness(bob)] }),
      worth: "1140.0",
    },
  ])("leave what they would have earned: $kind", ({ coupons, worth }) => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const given = coupons(new Rewards(network));
    const { unclaimedRewardCid } = claim(network, createClosedRound(network, 0n), given);
    expect(sandbox.active(UnclaimedReward)).toEqual([
      { contractId: unclaimedRewardCid, payload: { dso, amount: decimal(worth) } },
    ]);
    for (const cid of Object.values(given).flat()) expect(sandbox.isActive(cid)).toBe(false);
  });

  test("of all kinds leave one unclaimed reward, and are expired in the order of kinds", () => {
    const network = new SandboxNetwork();
    const rewards = new Rewards(network);
    const closed = createClosedRound(network, 0n);
    const { unclaimedRewardCid } = claim(network, closed, {
      validator: [rewards.validator(alice, "2.3")],
      app: [rewards.app(alice, "5.7"), rewards.app(alice, "3.3", { featured: false })],
      sv: [rewards.sv(alice, 10n)],
      faucet: [rewards.faucet(alice)],
      liveness: [rewards.liveness(alice)],
    });
    // 0.46 + 2 × 570 + 570 + 1.98 + 25
    expect(unclaimedRewardCid).not.toBeNull();
    expect(network.sandbox.active(UnclaimedReward)[0]?.payload.amount).toBe(decimal("1737.44"));
    expect(changesOf(network.sandbox)).toEqual({
      archived: [
        "ValidatorRewardCoupon",
        "ValidatorFaucetCoupon",
        "ValidatorLivenessActivityRecord",
        "AppRewardCoupon",
        "AppRewardCoupon",
        "SvRewardCoupon",
      ],
      created: ["UnclaimedReward"],
    });
    expect(network.sandbox.isActive(closed)).toBe(true);
  });

  test("are added up before the round's figure multiplies them", () => {
    const network = new SandboxNetwork();
    const rewards = new Rewards(network);
    const closed = createClosedRound(network, 0n, {
      issuancePerUnfeaturedAppRewardCoupon: decimal("0.3333333333"),
    });
    const app = [1, 2, 3].map(() => rewards.app(alice, "0.0000000002", { featured: false }));
    claim(network, closed, { app });
    // 0.0000000006 × 0.3333333333, and not three times 0.0000000001.
    expect(network.sandbox.active(UnclaimedReward)[0]?.payload.amount).toBe(decimal("0.0000000002"));
  });

  test.each([
    { why: "there are none", coupons: () => ({}) },
    { why: "the lists are empty", coupons: () => ({ faucet: [], liveness: [] }) },
    { why: "the round pays nothing for them", coupons: (r: Rewards) => ({ liveness: [r.liveness(alice)] }) },
  ])("leave nothing if $why", ({ coupons }) => {
    const network = new SandboxNetwork();
    const closed = createClosedRound(network, 0n, { optIssuancePerValidatorFaucetCoupon: null });
    expect(claim(network, closed, coupons(new Rewards(network)))).toEqual({ unclaimedRewardCid: null });
    expect(network.sandbox.active(UnclaimedReward)).toEqual([]);
  });

  test("must all be of that round, or none expires", () => {
    const network = new SandboxNetwork();
    const closed = createClosedRound(network, 0n);
    const good = new Rewards(network).app(alice, "1.0");
    const later = new Rewards(network, { round: 1n }).app(alice, "1.0");
    expectOtherGroup("ClosedMiningRound", () => claim(network, closed, { app: [good, later] }));
    expect(network.sandbox.isActive(good)).toBe(true);
  });

  test("expire once, by the DSO alone", () => {
    const network = new SandboxNetwork();
    const closed = createClosedRound(network, 0n);
    const app = [new Rewards(network).app(alice, "1.0")];
    expectUnauthorized(() => claim(network, closed, { app }, [alice]));
    expect(rejectionOf(() => claim(network, closed, { app: [...app, ...app] })).code).toBe(
      "CONTRACT_NOT_ACTIVE",
    );
    claim(network, closed, { app });
    expectNotFound(() => claim(network, closed, { app }));
  });

  test("need the DSO's own round", () => {
    const network = new SandboxNetwork();
    const foreign = createClosedRound(network, 0n, { dso: other });
    expect(rejectionOf(() => claim(network, foreign, {})).code).toBe("DAML_AUTHORIZATION_ERROR");
  });
});

describe("unclaimed rewards", () => {
  const merge = (
    network: SandboxNetwork,
    unclaimedRewardCids: readonly ContractId[],
    actAs = [network.dso],
  ) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_MergeUnclaimedRewards",
      { unclaimedRewardCids },
      { actAs, disclose: network.disclosures() },
    );

  test("are merged into one of their sum", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const rewards = new Rewards(network);
    const cids = ["1.0000000001", "2.5", "0.0000000002"].map((amount) => rewards.unclaimed(amount));
    const { unclaimedRewardCid } = merge(network, cids);
    expect(sandbox.active(UnclaimedReward)).toEqual([
      { contractId: unclaimedRewardCid, payload: { dso, amount: decimal("3.5000000003") } },
    ]);
  });

  test("are merged from two on, each once", () => {
    const network = new SandboxNetwork();
    const only = new Rewards(network).unclaimed("1.0");
    for (const cids of [[], [only]]) {
      expectUnmet("More than one unclaimed reward contracts", () => merge(network, cids));
    }
    expect(rejectionOf(() => merge(network, [only, only])).code).toBe("CONTRACT_NOT_ACTIVE");
  });

  test("are merged by the DSO alone, which merges its own alone", () => {
    const network = new SandboxNetwork();
    const rewards = new Rewards(network);
    const cids = [rewards.unclaimed("1.0"), rewards.unclaimed("2.0")];
    expectUnauthorized(() => merge(network, cids, [alice]));
    const foreign = new Rewards(network, { dso: other }).unclaimed("1.0");
    expectNotFound(() => merge(network, [...cids, foreign]));
    expect(rejectionOf(() => merge(network, [...cids, foreign], [network.dso, other])).code).toBe(
      "DAML_AUTHORIZATION_ERROR",
    );
  });
});
