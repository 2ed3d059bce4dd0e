/**
 * Rewards, counted a second time: what each round issues, what of it was minted and expired, what lies unclaimed, what
 * the development fund has, and what apps and validators collected in which round.
 */
import {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import type { OpenMiningRoundSummary } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/issuance.ts";
import { MemberTraffic } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/member-traffic.ts";
import {
  UnclaimedActivityRecord,
  UnclaimedReward,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  SummarizingMiningRound,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import type { TransferInput } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listBeneath, listExercises, listParents } from "./book.ts";
import { type Coupon, Coupons, countOf } from "./coupons.ts";
import { times, total, UNIT } from "./decimals.ts";
import { type Issuance, issuanceOf, paysRecords, type RoundTotals } from "./issuance.ts";
import { listTransfers } from "./transfers.ts";
import { hold } from "./violation.ts";

/** The worth of an input, and the sum of the summary to which it counts. */
export interface Worth {
  readonly sum: "app" | "validator" | "records" | "sv" | "activity" | "fund";
  readonly amount: bigint;
}

interface IssuedRound extends Issuance {
  minted: bigint;
  expired: bigint;
}

/** Contracts that hold an amount which only moves, and what their active ones sum to. */
const HELD = {
  unclaimed: [UnclaimedReward, UnclaimedActivityRecord],
  fund: [UnclaimedDevelopmentFundCoupon, DevelopmentFundCoupon],
} as const;
const HELD_AS = new Map(
  Object.entries(HELD).flatMap(([pool, templates]) => {
    return templates.map(({ id }) => [id as string, pool as keyof typeof HELD] as const);
  }),
);
const CLAIMS = ["AmuletRules_ClaimExpiredRewards", "DsoRules_ClaimExpiredRewards"];

export class Rewards {
  readonly coupons: Coupons;
  /** By the round of the minting transfer: what apps and validators collected. */
  readonly collected = new Map<bigint, bigint>();
  /** The coin minted from each kind of reward. */
  readonly minted = new Map<Worth["sum"], bigint>();
  readonly #dso: PartyId;
  readonly #issued = new Map<bigint, IssuedRound>();
  readonly #archived = new Set<bigint>();
  readonly #held = { unclaimed: 0n, fund: 0n };
  readonly #expected = { unclaimed: 0n, fund: 0n };
  readonly #traffic = { held: 0n, bought: 0n };

  constructor(dso: PartyId) {
    this.#dso = dso;
    this.coupons = new Coupons(dso);
  }

  /** The worth of an input other than coin now. */
  worthOf(input: TransferInput, book: Book): Worth | null {
    switch (input.tag) {
      case "InputAmulet":
      case "ExtTransferInput":
        return null;
      case "InputUnclaimedActivityRecord":
        return { sum: "activity", amount: book.payload(UnclaimedActivityRecord, input.value).amount };
      case "InputDevelopmentFundCoupon":
        return { sum: "fund", amount: book.payload(DevelopmentFundCoupon, input.value).amount };
      default: {
        const coupon = this.coupons.live.get(input.value);
        hold("I13 what is minted is a coupon that was not used yet", coupon !== undefined, () => input.value);
        return { sum: SUM_OF[coupon.kind], amount: this.#worth(coupon) };
      }
    }
  }

  /** Follows a transaction that was learned of and is not applied yet. */
  follow(transaction: Transaction, book: Book): void {
    this.#mint(transaction, book);
    this.#claim(transaction, book);
    this.#noCouponIsLost(transaction);
    this.coupons.create(transaction, book);
    this.#startIssuing(transaction, book);
    this.#close(transaction, book);
    this.#archive(transaction, book);
    this.#hold(transaction, book);
  }

  /** I13: what was put down as unclaimed, or given to the fund, is there until it is minted; traffic stays. */
  amountsAreKept(): void {
    for (const pool of ["unclaimed", "fund"] as const) {
      const [held, expected] = [this.#held[pool], this.#expected[pool]];
      hold(
        `I13 ${pool}: what is there = issued − minted`,
        held === expected,
        () => `${held}, not ${expected}`,
      );
    }
    const { held, bought } = this.#traffic;
    hold("traffic that was bought is there", held === bought, () => `${held}, not ${bought}`);
  }

  #worth({ kind, round, counts }: Coupon): bigint {
    const issued = this.#issued.get(round);
    hold("I13 a coupon is worth something once its round issues", issued !== undefined, () => `${round}`);
    switch (kind) {
      case "validator":
        return times(counts, issued.perValidator);
      case "featured":
        return times(counts, issued.perFeatured);
      case "unfeatured":
        return times(counts, issued.perUnfeatured);
      case "svWeight":
        return times(counts * UNIT, issued.perSvWeight);
      case "records":
        return issued.perRecord * counts;
    }
  }

  #mint(transaction: Transaction, book: Book): void {
    for (const { dso, inputs, bookedIn } of listTransfers(transaction, book)) {
      if (dso !== this.#dso) continue;
      for (const input of inputs) {
        const worth = this.worthOf(input, book);
        if (worth === null) continue;
        const { sum, amount } = worth;
        this.minted.set(sum, (this.minted.get(sum) ?? 0n) + amount);
        if (sum === "activity") this.#expected.unclaimed -= amount;
        else if (sum === "fund") this.#expected.fund -= amount;
        else this.#mintCoupon(input.value as ContractId, amount, transaction);
        if (sum === "app" || sum === "validator" || sum === "records")
          this.collected.set(bookedIn, (this.collected.get(bookedIn) ?? 0n) + amount);
      }
    }
  }

  #mintCoupon(contractId: ContractId, amount: bigint, { nodes }: Transaction): void {
    const { round } = this.coupons.end(contractId);
    const issued = this.#issued.get(round);
    if (issued !== undefined) issued.minted += amount;
    const isUsedUp = nodes.some((node) => {
      return node.kind === "exercise" && node.consuming && node.contractId === contractId;
    });
    hold("a coupon that is minted is used up", isUsedUp, () => contractId);
  }

  /** Coupons of a closed round: each ends, and their worth is put down as unclaimed, kind by kind. */
  #claim(transaction: Transaction, book: Book): void {
    const parents = listParents(transaction);
    for (const node of CLAIMS.flatMap((choice) => listExercises(transaction, choice))) {
      const sums = new Map<string, Coupon>();
      for (const child of listBeneath(transaction, node)) {
        if (child.kind !== "exercise" || !child.choice.endsWith("_DsoExpire")) continue;
        const coupon = this.coupons.end(child.contractId);
        const { closedRoundCid } = child.argument.value as { readonly closedRoundCid: ContractId };
        const closed = book.payload(ClosedMiningRound, closedRoundCid);
        const isClosed = closed.round.number === coupon.round && book.active.has(closedRoundCid);
        hold("I13 coupons expire with their own closed round", isClosed, () => `${coupon.round}`);
        const before = sums.get(coupon.kind);
        sums.set(coupon.kind, { ...coupon, counts: coupon.counts + (before?.counts ?? 0n) });
      }
      const worth = total([...sums.values()].map((sum) => this.#worth(sum)));
      const created = transaction.nodes.filter((child) => {
        return child.kind === "create" && parents[child.nodeId] === node;
      });
      const amounts = created.map((child) =>
        child.kind === "create" ? (child.value as UnclaimedReward).amount : 0n,
      );
      hold("I13 what expires is put down as unclaimed", total(amounts) === worth, () => {
        return `[${amounts.join()}] for ${worth}`;
      });
      this.#expected.unclaimed += worth;
      const round = [...sums.values()][0]?.round;
      const issued = round === undefined ? undefined : this.#issued.get(round);
      if (issued !== undefined) issued.expired += worth;
    }
  }

  /** I13: nothing but a transfer or a claim uses a coupon up. */
  #noCouponIsLost({ nodes }: Transaction): void {
    for (const node of nodes) {
      if (node.kind !== "exercise" || !node.consuming) continue;
      hold("I13 a coupon is minted or expired", !this.coupons.live.has(node.contractId), () => node.choice);
    }
  }

  /** A round starts issuing once, by the totals that were counted here, and gives what they come to. */
  #startIssuing(transaction: Transaction, book: Book): void {
    const parents = listParents(transaction);
    for (const node of this.#ofDso(transaction, "AmuletRules_MiningRound_StartIssuing", book)) {
      quorumDecides(node, parents);
      const { miningRoundCid, summary } = node.argument.value as {
        readonly miningRoundCid: ContractId;
        readonly summary: OpenMiningRoundSummary;
      };
      const round = book.payload(SummarizingMiningRound, miningRoundCid);
      const { number } = round.round;
      const counted = this.coupons.totalsOf(number);
      const totals = { ...counted, records: paysRecords(round.issuanceConfig) ? counted.records : 0n };
      hold("a round issues by what was counted", isSameCount(summary, totals), () => {
        return `round ${number}: ${JSON.stringify([summary, totals], (_, value) => String(value))}`;
      });
      const terms = { tickMicroseconds: round.tickDuration.microseconds, price: round.amuletPrice };
      const issuance = issuanceOf(round.issuanceConfig, terms, totals);
      hold("a round issues once", !this.#issued.has(number), () => `${number}`);
      this.#issued.set(number, { ...issuance, minted: 0n, expired: 0n });
      const { issuingRoundCid } = node.result.value as { readonly issuingRoundCid: ContractId };
      const issuing = book.payload(IssuingMiningRound, issuingRoundCid);
      const opensAt = transaction.ledgerTime + terms.tickMicroseconds;
      const isInTime =
        issuing.opensAt === opensAt && issuing.targetClosesAt === opensAt + 2n * terms.tickMicroseconds;
      hold("a round issues a tick later, for two ticks", isInTime, () => `${number}`);
      hold("a round issues what was worked out", isSameIssuance(issuing, issuance), () => `${number}`);
      this.#expected.unclaimed += issuance.unclaimed;
      this.#expected.fund += issuance.fund;
    }
  }

  #close(transaction: Transaction, book: Book): void {
    for (const node of this.#ofDso(transaction, "AmuletRules_MiningRound_Close", book)) {
      const { issuingRoundCid } = node.argument.value as { readonly issuingRoundCid: ContractId };
      const { closedRoundCid } = node.result.value as { readonly closedRoundCid: ContractId };
      const issuing = book.payload(IssuingMiningRound, issuingRoundCid);
      const closed = book.payload(ClosedMiningRound, closedRoundCid);
      const issuance = this.#issued.get(closed.round.number);
      const isRight =
        issuing.targetClosesAt <= transaction.ledgerTime &&
        issuing.round.number === closed.round.number &&
        issuance !== undefined &&
        isSameIssuance(closed, issuance);
      hold("a round closes at its time, as it was", isRight, () => `${closed.round.number}`);
    }
  }

  /** I13: a round is archived without coupons, and all it had to issue is accounted for but for rounding. */
  #archive(transaction: Transaction, book: Book): void {
    const parents = listParents(transaction);
    for (const node of this.#ofDso(transaction, "AmuletRules_MiningRound_Archive", book)) {
      quorumDecides(node, parents);
      const { closedRoundCid } = node.argument.value as { readonly closedRoundCid: ContractId };
      const { number } = book.payload(ClosedMiningRound, closedRoundCid).round;
      const totals = this.coupons.totalsOf(number);
      const issued = this.#issued.get(number);
      hold("I13 no coupon is left of a round that is archived", totals.live === 0, () => `round ${number}`);
      hold(
        "a round that is archived has issued, once",
        issued !== undefined && !this.#archived.has(number),
        () => {
          return `${number}`;
        },
      );
      this.#archived.add(number);
      const { minted, expired, unclaimed, fund, inRound } = issued;
      const off = minted + expired + unclaimed + fund - inRound;
      const allowed = countOf(totals) + BigInt(totals.ever) + 100n;
      hold("I13 issued + unclaimed + fund = in the round", off <= allowed && -off <= allowed, () => {
        return `round ${number} is off by ${off}, at most ${allowed}`;
      });
    }
  }

  #hold(transaction: Transaction, book: Book): void {
    for (const node of transaction.nodes) {
      if (node.kind === "exercise" && !node.consuming) continue;
      const contractId = node.kind === "create" ? node.contract.contractId : node.contractId;
      const { contract, value } = book.get(contractId);
      const sign = node.kind === "create" ? 1n : -1n;
      const { dso, amount } = value as { readonly dso: PartyId; readonly amount: bigint };
      if (dso !== this.#dso) continue;
      const pool = HELD_AS.get(contract.templateId);
      if (pool !== undefined) this.#held[pool] += sign * amount;
      if (contract.templateId === MemberTraffic.id)
        this.#traffic.held += sign * (value as MemberTraffic).totalPurchased;
    }
    for (const node of this.#ofDso(transaction, "AmuletRules_BuyMemberTraffic", book))
      this.#traffic.bought += (node.argument.value as { readonly trafficAmount: bigint }).trafficAmount;
  }

  #ofDso(transaction: Transaction, choice: string, book: Book): readonly ExerciseNode[] {
    return listExercises(transaction, choice).filter(({ contractId }) => {
      return (book.get(contractId).value as { readonly dso: PartyId }).dso === this.#dso;
    });
  }
}

const SUM_OF: Readonly<Record<keyof RoundTotals, Worth["sum"]>> = {
  validator: "validator",
  featured: "app",
  unfeatured: "app",
  svWeight: "sv",
  records: "records",
};

/** I16: rounds start issuing, and are archived, by a confirmed action alone. */
function quorumDecides(node: ExerciseNode, parents: readonly (ExerciseNode | null)[]): void {
  const parent = parents[node.nodeId] ?? null;
  const isRight = parent?.choice === "DsoRules_ExecuteConfirmedAction";
  hold("I16 rounds are decided by a quorum", isRight, () => `${node.choice} by ${parent?.choice}`);
}

function isSameCount(summary: OpenMiningRoundSummary, totals: RoundTotals): boolean {
  return (
    summary.totalValidatorRewardCoupons === totals.validator &&
    summary.totalFeaturedAppRewardCoupons === totals.featured &&
    summary.totalUnfeaturedAppRewardCoupons === totals.unfeatured &&
    summary.totalSvRewardWeight === totals.svWeight &&
    (summary.optTotalValidatorFaucetCoupons ?? 0n) === totals.records
  );
}

function isSameIssuance(round: ClosedMiningRound, issuance: Issuance): boolean {
  return (
    round.issuancePerValidatorRewardCoupon === issuance.perValidator &&
    round.issuancePerFeaturedAppRewardCoupon === issuance.perFeatured &&
    round.issuancePerUnfeaturedAppRewardCoupon === issuance.perUnfeatured &&
    round.issuancePerSvRewardCoupon === issuance.perSvWeight &&
    round.optIssuancePerValidatorFaucetCoupon === issuance.perRecord
  );
}
