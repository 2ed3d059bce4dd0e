/**
 * Coupons of every kind, each followed from its creation to its one end: minted by a transfer, or expired by the SVs
 * once its round is closed. Totals are kept as coupons come and go, so that a step costs what it changes.
 */
import { FeaturedAppActivityMarker } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  ValidatorRewardCoupon,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { ValidatorLivenessActivityRecord } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import { DsoRules } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listExercises, listParents } from "./book.ts";
import { over, times, UNIT } from "./decimals.ts";
import type { RoundTotals } from "./issuance.ts";
import { isPurchase } from "./transfers.ts";
import { hold } from "./violation.ts";

export interface Coupon {
  readonly kind: keyof RoundTotals;
  readonly round: bigint;
  /** Its amount: coins as a decimal, a weight or a record as a whole number. */
  readonly counts: bigint;
}

export class Coupons {
  readonly #dso: PartyId;
  readonly #live = new Map<ContractId, Coupon>();
  readonly #totals = new Map<bigint, RoundTotals & { live: number; ever: number }>();
  /** Validators with rounds, and SVs with rounds, for which there was one already. */
  readonly #given = new Set<string>();

  constructor(dso: PartyId) {
    this.#dso = dso;
  }

  get live(): ReadonlyMap<ContractId, Coupon> {
    return this.#live;
  }

  totalsOf(round: bigint): RoundTotals & { live: number; ever: number } {
    const found = this.#totals.get(round);
    if (found !== undefined) return found;
    const none = { validator: 0n, featured: 0n, unfeatured: 0n, svWeight: 0n, records: 0n, live: 0, ever: 0 };
    this.#totals.set(round, none);
    return none;
  }

  /** Coupons that a transaction makes are counted; each has its reason and is of a round that is open. */
  create(transaction: Transaction, book: Book): void {
    const parents = listParents(transaction);
    for (const node of transaction.nodes) {
      if (node.kind !== "create") continue;
      const { contractId, templateId } = node.contract;
      const coupon = couponOf(templateId, node.value, this.#dso);
      if (coupon === null) continue;
      const parent = parents[node.nodeId] ?? null;
      const hasReason = parent !== null && REASONS[templateId]?.(parent) === true;
      hold("a coupon is given for a reason", hasReason, () => `${templateId} by ${parent?.choice}`);
      const open = book.signedBy(this.#dso, OpenMiningRound).find(({ payload }) => {
        return payload.round.number === coupon.round && payload.opensAt <= transaction.ledgerTime;
      });
      hold(
        "a coupon is of a round that is open",
        open !== undefined,
        () => `${templateId} of ${coupon.round}`,
      );
      this.#live.set(contractId, coupon);
      const totals = this.totalsOf(coupon.round);
      totals[coupon.kind] += coupon.counts;
      totals.live++;
      totals.ever++;
    }
    this.#recordsAreGivenOnce(transaction, book);
    this.#weightsAddUp(transaction, book);
    this.#markersAreConverted(transaction, book);
  }

  /** The end of a coupon; answers what it was. I13: there is one end only. */
  end(contractId: ContractId): Coupon {
    const coupon = this.#live.get(contractId);
    hold("I13 a coupon ends once", coupon !== undefined, () => contractId);
    this.#live.delete(contractId);
    this.totalsOf(coupon.round).live--;
    return coupon;
  }

  /** I14: a validator has one record a round at most. */
  #recordsAreGivenOnce(transaction: Transaction, book: Book): void {
    for (const node of listExercises(transaction, "ValidatorLicense_RecordValidatorLivenessActivity")) {
      const { couponCid } = node.result.value as { readonly couponCid: ContractId };
      const { dso, validator, round } = book.payload(ValidatorLivenessActivityRecord, couponCid);
      if (dso === this.#dso)
        this.#once("I14 one record a validator and round", `${validator} ${round.number}`);
    }
  }

  /** I14: an SV has one set of coupons a round at most, and their weights sum to its own. */
  #weightsAddUp(transaction: Transaction, book: Book): void {
    for (const node of listExercises(transaction, "DsoRules_ReceiveSvRewardCoupon")) {
      const rules = book.payload(DsoRules, node.contractId);
      if (rules.dso !== this.#dso) continue;
      const { sv, openRoundCid } = node.argument.value as { sv: PartyId; openRoundCid: ContractId };
      const { svRewardCoupons } = node.result.value as { svRewardCoupons: readonly ContractId[] };
      const { number } = book.payload(OpenMiningRound, openRoundCid).round;
      this.#once("I14 one set of coupons an SV and round", `${sv} ${number}`);
      const coupons = svRewardCoupons.map((cid) => book.payload(SvRewardCoupon, cid));
      const weight = coupons.reduce((sum, coupon) => sum + coupon.weight, 0n);
      const own = rules.svs.find(([party]) => party === sv)?.[1].svRewardWeight;
      const isOwn = coupons.every((coupon) => coupon.sv === sv && coupon.round.number === number);
      hold("I14 an SV's coupons sum to its weight", weight === own && isOwn, () => `${weight} of ${own}`);
      const receivers = new Set(coupons.map(({ beneficiary }) => beneficiary));
      hold("I14 one coupon a beneficiary", receivers.size === coupons.length, () => sv);
    }
  }

  /** Markers of one provider and beneficiary become one coupon: their weight × the amount of a marker ÷ the price. */
  #markersAreConverted(transaction: Transaction, book: Book): void {
    for (const node of listExercises(transaction, CONVERSION)) {
      const rules = book.payload(AmuletRules, node.contractId);
      if (rules.dso !== this.#dso) continue;
      const { markerCids, openMiningRoundCid } = node.argument.value as {
        readonly markerCids: readonly ContractId[];
        readonly openMiningRoundCid: ContractId;
      };
      const { appRewardCouponCids } = node.result.value as { appRewardCouponCids: readonly ContractId[] };
      const usd = rules.configSchedule.initialValue.featuredAppActivityMarkerAmount ?? 0n;
      const perMarker = over(usd, book.payload(OpenMiningRound, openMiningRoundCid).amuletPrice);
      const weights = new Map<string, bigint>();
      for (const cid of markerCids) {
        const { provider, beneficiary, weight } = book.payload(FeaturedAppActivityMarker, cid);
        const key = `${provider} ${beneficiary}`;
        weights.set(key, (weights.get(key) ?? 0n) + weight);
      }
      const expected = [...weights].map(([key, weight]) => `${key} ${times(perMarker, weight)}`);
      const given = appRewardCouponCids.map((cid) => {
        const { provider, beneficiary, amount, featured } = book.payload(AppRewardCoupon, cid);
        return featured ? `${provider} ${beneficiary} ${amount}` : "not featured";
      });
      const isSame = perMarker === 0n || given.sort().join() === expected.sort().join();
      hold("markers become coupons of their worth", isSame, () => `${given.join()}, not ${expected.join()}`);
    }
  }

  #once(invariant: string, key: string): void {
    hold(invariant, !this.#given.has(key), () => key);
    this.#given.add(key);
  }
}

const CONVERSION = "AmuletRules_ConvertFeaturedAppActivityMarkers";

/** The choices that may create a coupon of each kind. */
const REASONS: Readonly<Record<string, (by: ExerciseNode) => boolean>> = {
  [AppRewardCoupon.id]: ({ choice }) => choice === CONVERSION,
  [ValidatorRewardCoupon.id]: isPurchase,
  [SvRewardCoupon.id]: ({ choice }) => choice === "DsoRules_ReceiveSvRewardCoupon",
  [ValidatorLivenessActivityRecord.id]: ({ choice }) => {
    return choice === "ValidatorLicense_RecordValidatorLivenessActivity";
  },
};

interface OfRound {
  readonly dso: PartyId;
  readonly round: { readonly number: bigint };
}

function couponOf(templateId: string, value: unknown, dso: PartyId): Coupon | null {
  if (REASONS[templateId] === undefined || (value as OfRound).dso !== dso) return null;
  const round = (value as OfRound).round.number;
  switch (templateId) {
    case AppRewardCoupon.id: {
      const { featured, amount } = value as AppRewardCoupon;
      return { kind: featured ? "featured" : "unfeatured", round, counts: amount };
    }
    case ValidatorRewardCoupon.id:
      return { kind: "validator", round, counts: (value as ValidatorRewardCoupon).amount };
    case SvRewardCoupon.id:
      return { kind: "svWeight", round, counts: (value as SvRewardCoupon).weight };
    default:
      return { kind: "records", round, counts: 1n };
  }
}

/** The bound on rounding errors: the whole coins, weights and records of a round's coupons. */
export function countOf(totals: RoundTotals): bigint {
  return (
    (totals.validator + 2n * totals.featured + totals.unfeatured) / UNIT + totals.svWeight + totals.records
  );
}
