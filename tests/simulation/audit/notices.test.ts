// The auditor is shown a log with one thing in it that is not so, and says what.
import { beforeAll, expect, test } from "vitest";
import { networkCatalogue } from "../../../packages/ledger/src/contracts/network-catalogue.ts";
import { createEngine } from "../../../packages/ledger/src/engine/interpret.ts";
import type { CreateNode, TransactionNode } from "../../../packages/ledger/src/engine/transaction.ts";
import {
  Amulet,
  AnsEntry,
  IssuingMiningRound,
  MemberTraffic,
  SvRewardCoupon,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../../../packages/ledger/src/index.ts";
import type { LogEntry } from "../../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../../packages/ledger/src/transition/outcome.ts";
import { createTransition } from "../../../packages/ledger/src/transition/transition.ts";
import { MemoryState } from "../../../packages/ledger/testing/memory-state.ts";
import { sha256 } from "../../../packages/ledger/testing/sha256.ts";
import { foundEconomy } from "../economy/economy-world.ts";
import { playRound } from "../economy/simulate-economy.ts";
import { Auditor } from "./auditor.ts";

interface Applied {
  readonly entry: LogEntry;
  readonly outcome: Outcome;
}

let log: readonly Applied[];

beforeAll(() => {
  const world = foundEconomy(4);
  for (let round = 0; round < 16; round++) playRound(world, []);
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const transition = createTransition({ engine, verify: world.verify });
  const state = new MemoryState();
  log = world.network.log.map((entry) => {
    const outcome = transition.apply(entry, state);
    state.absorb(outcome);
    return { entry, outcome };
  });
});

/** Shows the log to an auditor, with the last contract of a template changed, or with all of them from the first on. */
function audit(
  templateId: string,
  change: (value: never) => object,
  { isEach = false }: { readonly isEach?: boolean } = {},
): void {
  const isOne = (node: TransactionNode): node is CreateNode => {
    return node.kind === "create" && node.contract.templateId === templateId;
  };
  const hasOne = ({ outcome: { verdict } }: Applied) =>
    verdict.kind === "accepted" && verdict.transaction?.nodes.some(isOne) === true;
  const place = log.findLastIndex(hasOne);
  expect(place).toBeGreaterThan(0);
  const auditor = new Auditor();
  for (const [i, applied] of log.entries()) {
    const { entry, outcome } = applied;
    const { verdict } = outcome;
    const isChanged = i === place || (isEach && hasOne(applied));
    if (!isChanged || verdict.kind !== "accepted" || verdict.transaction === null) {
      auditor.observe(entry, outcome);
      continue;
    }
    const nodes = verdict.transaction.nodes.map((node) => {
      return isOne(node)
        ? { ...node, value: { ...(node.value as object), ...change(node.value as never) } }
        : node;
    });
    const transaction = { ...verdict.transaction, nodes };
    auditor.observe(entry, { ...outcome, verdict: { ...verdict, transaction } });
  }
}

test("the auditor reports no violation in a sound run", () => {
  const auditor = new Auditor();
  expect(() => {
    for (const { entry, outcome } of log) auditor.observe(entry, outcome);
  }).not.toThrow();
});

test.each([
  [
    "the last digit of what a round issues",
    IssuingMiningRound.id,
    (round: IssuingMiningRound) => ({ issuancePerSvRewardCoupon: round.issuancePerSvRewardCoupon + 1n }),
    /a round issues what was worked out/,
  ],
  [
    "the last digit of what is unclaimed",
    UnclaimedReward.id,
    (reward: UnclaimedReward) => ({ amount: reward.amount + 1n }),
    /I13/,
  ],
  [
    "the last digit of the fund",
    UnclaimedDevelopmentFundCoupon.id,
    (coupon: UnclaimedDevelopmentFundCoupon) => ({ amount: coupon.amount + 1n }),
    /I13 fund/,
  ],
  ["an SV's weight", SvRewardCoupon.id, (coupon: SvRewardCoupon) => ({ weight: coupon.weight + 1n }), /I14/],
  [
    "a purchase's coupon",
    ValidatorRewardCoupon.id,
    (coupon: ValidatorRewardCoupon) => ({ amount: coupon.amount - 1n }),
    /a purchase earns one coupon/,
  ],
  [
    "traffic that was bought",
    MemberTraffic.id,
    (traffic: MemberTraffic) => ({ totalPurchased: traffic.totalPurchased - 1n }),
    /traffic that was bought/,
  ],
  [
    "the last digit of a coin",
    Amulet.id,
    (coin: Amulet) => ({ amount: { ...coin.amount, initialAmount: coin.amount.initialAmount + 1n } }),
    /I1|I2|I4/,
  ],
] as const)("the auditor notices %s", (_what, templateId, change, says) => {
  expect(() => audit(templateId, change as (value: never) => object)).toThrow(says);
});

test("the auditor notices a second owner of a name", () => {
  const taken = () => ({ name: "taken.unverified.cns" });
  expect(() => audit(AnsEntry.id, taken, { isEach: true })).toThrow(/I5/);
});
